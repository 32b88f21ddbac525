"""The memory of several windows on one folder after a quiet minute: what is theirs, and what is mapped.

    python tests/benchmarks/at_rest.py [--chunks 100000] [--work DIR] [--root FOLDER] [--seconds 75]

Every window is a server with its children. Pages that several of them share are counted once, so the sums
are what the windows together take. `--work` keeps the project and its index for the next run; `--root` is
a folder of real code instead of a made-up project.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks import options
from tests.benchmarks.corpus import make_workspace
from tests.benchmarks.lsp_bars import QUERIES
from tests.benchmarks.lsp_client import TimedClient
from tests.benchmarks.processes import family

_WINDOWS = 2
_LINE = re.compile(r"^(Pss_\w+):\s+(\d+) kB$", re.MULTILINE)


def proportional_mb(pids: list[int]) -> dict[str, float]:
    """The memory of some processes by kind; each of n processes that share a page has 1/n of it."""
    sums: dict[str, float] = {}
    for pid in pids:
        for kind, kilobytes in _LINE.findall(Path(f"/proc/{pid}/smaps_rollup").read_text()):
            sums[kind] = sums.get(kind, 0.0) + int(kilobytes) * 1024 / 1e6
    return sums


def main() -> None:
    """Open the windows, ask each ten queries, wait, and print their memory."""
    parser = options.parser(__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--root", type=Path)
    parser.add_argument("--seconds", type=float, default=75)
    parser.add_argument("--exact-limit", type=int, help="search.exact_limit, to leave out Chroma's graph")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = given.work or Path(scratch)
        root = (given.root or work / "project").resolve()
        if not root.exists():
            make_workspace(root, given.chunks)
        settings = {} if given.exact_limit is None else {"search": {"exact_limit": given.exact_limit}}
        measure(root, work / "cache", settings, given.seconds)


def measure(root: Path, cache: Path, settings: Mapping[str, object], seconds: float) -> None:
    """Print the memory of the windows before and after a pause."""
    windows: list[TimedClient] = []
    for _ in range(_WINDOWS):
        windows.append(TimedClient(environment={"SIGHTLINE_CACHE_DIR": str(cache)}))
        windows[-1].initialize(root, settings)
        status = windows[-1].wait_ready(7200)
        for query in QUERIES:
            windows[-1].request("workspace/semanticSearch", {"query": query})
    print(f"{status['chunks']:,} chunks in {status['filesIndexed']:,} files, {_WINDOWS} windows")
    for pause in (0.0, seconds):
        time.sleep(pause)
        found = [proportional_mb(family(window.process.pid)) for window in windows]
        own = [each["Pss_Anon"] + each["Pss_Shmem"] for each in found]
        mapped = sum(each["Pss_File"] for each in found)
        parts = " and ".join(f"{each:.0f}" for each in own)
        print(
            f"{pause:.0f} s after ten searches: {sum(own):.0f} MB their own ({parts}), "
            f"{mapped:.0f} MB of mapped files"
        )
    for window in windows:
        window.close()


if __name__ == "__main__":
    main()
