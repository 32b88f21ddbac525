"""The server compared with the same work without it: ratios of one run, printed as a table.

python tests/benchmarks/lsp_bars.py            start, search and save, each with its baseline
python tests/benchmarks/lsp_bars.py idle       processor time of a ready server over 30 s
python tests/benchmarks/lsp_bars.py memory N   resident memory and idle use of a server with about N chunks
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2]))

from sightline.types import SearchRequest
from tests.benchmarks.corpus import make_workspace
from tests.benchmarks.lsp_client import TimedClient
from tests.benchmarks.processes import family_mb, processor_seconds
from tests.benchmarks.timing import timed
from tests.editors.stdlib_project import copy_standard_library

if TYPE_CHECKING:
    from sightline.workspace import Workspace

_BARE = (
    "from pygls.lsp.server import LanguageServer; LanguageServer('bare', '1').start_io()",
    "import sys; from sightline.cli import main; sys.exit(main(['serve']))",
)
_UNCACHED = {"search": {"cache_ttl_hours": 0}}
QUERIES = (
    "read a compressed archive",
    "parse command line options",
    "open a network connection",
    "turn an object into json",
    "wait for several tasks",
    "format a log message",
    "compare two sequences",
    "walk a directory tree",
    "send an email message",
    "retry after a timeout",
)
_IDLE_SECONDS = 30
# The server is idle after this many consecutive polls, five seconds apart, without a tick of processor time.
_QUIET_POLLS = 4
_WARMING = 3


def start_bar(root: Path, rounds: int = 15) -> tuple[float, float]:
    """The time from process start to the answer to initialize: a bare pygls server, and ours."""
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        for kind, code in enumerate(_BARE):
            times[kind].append(timed(partial(_start, code, root)))
    return statistics.median(times[0]), statistics.median(times[1])


def _start(code: str, root: Path) -> None:
    client = TimedClient((sys.executable, "-c", code))
    client.request("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
    client.close()


def search_bar(workspace: Workspace, client: TimedClient, rounds: int = 20) -> tuple[float, float]:
    """The same searches in this process and through the server, alternating."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        for query in QUERIES:
            ours.append(timed(partial(workspace.search, SearchRequest(query))))
            theirs.append(timed(partial(client.request, "workspace/semanticSearch", {"query": query})))
    return statistics.median(ours), statistics.median(theirs)


def save_bar(workspace: Workspace, client: TimedClient, root: Path, rounds: int = 15) -> tuple[float, float]:
    """A save until its new text is found, in this process and through the server."""
    ours: list[float] = []
    theirs: list[float] = []
    path = root / "sightline_benchmark.py"
    # The first rounds build data that later ones share.
    for number in range(-_WARMING, rounds):
        for here in (True, False):
            name = f"zyx{'here' if here else 'there'}{number + _WARMING}"
            path.write_text(f"def {name}(value):\n    return value\n")
            notify, finds = _inside(workspace, path, name) if here else _outside(client, path, name)
            spent = timed(partial(_until, notify, finds))
            if number >= 0:
                (ours if here else theirs).append(spent)
            # Update both indexes, so that neither has more to do at the next save.
            workspace.changed([path])
            workspace.wait_idle(30)
            client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
            time.sleep(0.3)
    return statistics.median(ours), statistics.median(theirs)


Act = Callable[[], object]


def _until(notify: Act, finds: Act) -> None:
    notify()
    while not finds():
        time.sleep(0.001)


def _inside(workspace: Workspace, path: Path, name: str) -> tuple[Act, Act]:
    request = SearchRequest(name, mode="keyword", limit=1)
    return (lambda: workspace.changed([path])), (lambda: workspace.search(request).hits)


def _outside(client: TimedClient, path: Path, name: str) -> tuple[Act, Act]:
    saved = {"textDocument": {"uri": path.as_uri()}}
    asked = {"query": name, "mode": "keyword", "limit": 1}
    return (
        lambda: client.notify("textDocument/didSave", saved),
        lambda: client.request("workspace/semanticSearch", asked)["results"],
    )


def bars(folder: Path) -> None:
    """Print the three ratios."""
    from sightline.workspace import Workspace

    root = copy_standard_library(folder / "library").resolve()
    os.environ["SIGHTLINE_CACHE_DIR"] = str(folder / "inside")
    workspace = Workspace()
    workspace.add_folder(root, _UNCACHED)
    workspace.wait_idle(1800)
    client = TimedClient(environment={"SIGHTLINE_CACHE_DIR": str(folder / "outside")})
    client.initialize(root, _UNCACHED)
    status = client.wait_ready()
    print(f"{status['filesIndexed']} files, {status['chunks']} chunks, {os.cpu_count()} cores\n")
    print("| | without, ms | through the server, ms | bar, ms | |\n|---|---|---|---|---|")
    _row("initialize, from process start (bare pygls)", *start_bar(root), 1.5, 0)
    _row("semanticSearch, not cached", *search_bar(workspace, client), 1.3, 3)
    _row("save until found", *save_bar(workspace, client, root), 1.5, 0)
    client.close()
    workspace.close(5)


def _row(name: str, without: float, through: float, factor: float, extra: float) -> None:
    bar = without * factor + extra
    verdict = "holds" if through <= bar else "missed"
    print(f"| {name} | {without:.1f} | {through:.1f} | {bar:.1f} | {verdict} |", flush=True)


def idle(folder: Path) -> None:
    """Print the processor time a ready server uses while nothing happens."""
    root = copy_standard_library(folder / "library").resolve()
    client = TimedClient(environment={"SIGHTLINE_CACHE_DIR": str(folder / "cache")})
    client.initialize(root)
    client.wait_ready()
    print(f"processor time over {_IDLE_SECONDS} s idle: {_idle_ms(client.process.pid):.0f} ms")
    client.close()


def _idle_ms(pid: int) -> float:
    """The processor time of an idle server over `_IDLE_SECONDS`."""
    before = _settled(pid)
    time.sleep(_IDLE_SECONDS)
    return (processor_seconds(pid) - before) * 1000


def _settled(pid: int) -> float:
    """Wait until a server is idle and return its processor time; it writes vectors after the last change."""
    before, quiet = 0.0, 0
    for _ in range(120):
        used = processor_seconds(pid)
        quiet = quiet + 1 if used == before else 0
        if quiet == _QUIET_POLLS:
            return used
        before = used
        time.sleep(5)
    raise TimeoutError("the server does not come to rest")


def memory(folder: Path, chunks: int) -> None:
    """Print the resident memory of a server on a synthetic project."""
    root = (folder / "project").resolve()
    make_workspace(root, chunks)
    client = TimedClient(environment={"SIGHTLINE_CACHE_DIR": str(folder / "cache")})
    client.initialize(root)
    started = time.monotonic()
    status = client.wait_ready()
    seconds = time.monotonic() - started
    for query in QUERIES:
        client.request("workspace/semanticSearch", {"query": query})
    working, idle_ms = family_mb(client.process.pid), _idle_ms(client.process.pid)
    print(
        f"{status['chunks']} chunks: {working:.0f} MB resident after {len(QUERIES)} searches, "
        f"{family_mb(client.process.pid):.0f} MB at rest, {idle_ms:.0f} ms of processor time over "
        f"{_IDLE_SECONDS} s idle, indexed in {seconds:.0f} s, {status['diskBytes'] / 1e6:.0f} MB on disk"
    )
    client.close()


def main(arguments: list[str]) -> None:
    """Run the chosen benchmark in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments[:1] == ["idle"]:
            idle(folder)
        elif arguments[:1] == ["memory"]:
            memory(folder, int(arguments[1]))
        else:
            bars(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
