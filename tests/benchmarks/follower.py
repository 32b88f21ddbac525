"""A follower process on an index with another writer: with the writer's model, and with its own model.

python tests/benchmarks/follower.py [--files 300]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks import options
from tests.benchmarks.corpus import make_workspace
from tests.benchmarks.processes import compiled, resident_mb

_ROUNDS = 5
_QUERY = "decode the signed session token"


def main() -> None:
    """Compare the two alternately while another process holds the index open."""
    parser = options.parser(__doc__)
    parser.add_argument("what", nargs="?", choices=("compare", "shared", "own"), default="compare")
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--repo", type=Path)
    given = parser.parse_args()
    if given.what == "compare":
        _compare(given.files)
    else:
        print(json.dumps(_follow(given.repo, own=given.what == "own")))


def _compare(files: int) -> None:
    # In /tmp, because the path of a socket must be short.
    with tempfile.TemporaryDirectory(dir="/tmp") as scratch:
        root = Path(scratch, "repo")
        make_workspace(root, files * 10)
        os.environ["SIGHTLINE_CACHE_DIR"] = str(Path(scratch, "cache"))
        from sightline.workspace import Workspace

        workspace = Workspace()
        workspace.add_folder(root).wait_idle()
        rows: dict[str, list[dict[str, float]]] = {"shared": [], "own": []}
        for _ in range(_ROUNDS):
            for how, prepared in rows.items():
                prepared.append(_step(how, root))
        workspace.close(60)
    for how, prepared in rows.items():
        middle = {name: statistics.median(each[name] for each in prepared) for name in prepared[0]}
        print(
            f"{how:6} first hybrid answer after {middle['answered']:.2f} s, a query's vector in"
            f" {middle['query_ms']:.2f} ms, {middle['memory_mb']:.0f} MB"
        )


def _step(how: str, root: Path) -> dict[str, float]:
    command = [sys.executable, __file__, how, "--repo", str(root)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=compiled())
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _follow(root: Path, *, own: bool) -> dict[str, Any]:
    started = time.perf_counter()
    from sightline.indexing import worker
    from sightline.types import SearchRequest
    from sightline.workspace import Workspace

    if own:
        vars(worker)["shared_embedder"] = lambda path, model, load: load()
    workspace = Workspace()
    folder = workspace.add_folder(root)
    while not any(hit.match != "keyword" for hit in workspace.search(SearchRequest(_QUERY)).hits):
        time.sleep(0.01)
    answered = time.perf_counter() - started
    prepared = []
    for number in range(50):
        began = time.perf_counter()
        embedder = folder.embedder()
        assert embedder is not None
        embedder.embed_query(f"{_QUERY} {number}")
        prepared.append(time.perf_counter() - began)
    assert not folder.status().writer
    workspace.close(60)
    return {
        "answered": answered,
        "query_ms": statistics.median(prepared) * 1000,
        "memory_mb": resident_mb(os.getpid()),
    }


if __name__ == "__main__":
    main()
