"""How time, memory and disk grow from a thousand chunks to half a million.

    python tests/benchmarks/scale.py grow [--sizes 1000 10000 100000 500000] [--real FOLDER] [--record]

Each step is a separate process: build the index, fill Chroma's copy, open it warm, save a file of 1,000
lines, query. Above search.exact_limit vectors are retrieved through Chroma's HNSW graph: its results are
compared with an exact scan of the same vectors. `--real` adds a folder of real code, a checkout of which a
file is saved; its index is built in a temporary folder like all others.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks import index_speed, options
from tests.benchmarks.corpus import make_workspace, sentence
from tests.benchmarks.curves import Panel, panels
from tests.benchmarks.index_speed import step
from tests.benchmarks.processes import family, peak_mb
from tests.benchmarks.report import DOCS, record, table
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from sightline.folder import Folder
    from sightline.stores.memory.memory_index import MemoryIndex
    from sightline.stores.vectors.approximate import Approximate
    from sightline.stores.vectors.matrix import Matrix
    from sightline.workspace import Workspace

Floats = NDArray[np.float32]

_SIZES = (1000, 10_000, 100_000, 500_000)
_QUESTIONS = 40
_NEIGHBOURS = 100
_COPY_SECONDS = 3600.0
# Two float32 sums of the same products differ by less than this.
_SAME_SCORE = 1e-5
_UNCACHED = {"search": {"cache_ttl_hours": 0}}
_MADE_UP = "made up"
_COLUMNS = {
    "project": "project",
    "chunks": "chunks",
    "build_s": "build, s",
    "peak_mb": "peak memory, MB",
    "warm_s": "warm open, s",
    "first_ms": "first search, ms",
    "query_ms": "query p50, ms",
    "save_ms": "save until searchable, ms",
    "disk_mb": "disk, MB",
    "copy_s": "filling Chroma, s",
    "copy_peak_mb": "peak of Chroma, MB",
}
_DRAWN = ("build_s", "peak_mb", "disk_mb", "query_ms", "save_ms", "warm_s")


def grow(sizes: list[int], real: list[Path], exact_limit: int | None) -> list[dict[str, Any]]:
    """Measure every size, smallest first; print each when it is done, because the largest takes long."""
    found = []
    projects: list[int | Path] = [*sizes, *real]
    for project in projects:
        with tempfile.TemporaryDirectory() as scratch:
            found.append(_one(Path(scratch), project, exact_limit))
        print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    return found


def _one(scratch: Path, project: int | Path, exact_limit: int | None) -> dict[str, Any]:
    """Measure a made-up project of some size, or a folder."""
    os.environ["SIGHTLINE_CACHE_DIR"] = str(scratch / "cache")
    root = project.resolve() if isinstance(project, Path) else scratch / "project"
    if isinstance(project, int):
        make_workspace(root, project)
    if exact_limit is not None:
        (root / ".sightline.toml").write_text(f"[search]\nexact_limit = {exact_limit}\n")
    built = _reported("index", root)
    copied = _reported("copy", root, __file__)
    warm, saved = _reported("warm", root), _reported("save", root)
    asked = _reported("ask", root, __file__)
    return {
        "project": _MADE_UP if isinstance(project, int) else root.name,
        "files": built["files"],
        "chunks": built["chunks"],
        "build_s": built["seconds"],
        "peak_mb": built["peak_mb"],
        "warm_s": warm["seconds"],
        "save_ms": saved["seconds"] * 1000,
        **copied,
        **asked,
    }


def _reported(name: str, root: Path, script: str = index_speed.__file__) -> dict[str, Any]:
    """Run one step and print its figures immediately: the next step may fail after half an hour."""
    figures = step(name, root, script)
    print(name, json.dumps(figures), file=sys.stderr, flush=True)
    return figures


def _open(root: Path) -> tuple[Workspace, Folder, MemoryIndex]:
    """Open the folder, indexed and with its vectors loaded."""
    from sightline.workspace import Workspace

    workspace = Workspace()
    folder = workspace.add_folder(root, _UNCACHED)
    folder.wait_idle()
    assert folder.memory is not None
    return workspace, folder, folder.memory


def _query_ms(workspace: Workspace, count: int, seed: int) -> float:
    from sightline.types import SearchRequest

    rng = random.Random(seed)
    times = [timed(lambda: workspace.search(SearchRequest(sentence(rng)))) for _ in range(count)]
    return statistics.median(times)


def _copy(root: Path) -> dict[str, Any]:
    """Wait until Chroma has every vector; measure a few queries meanwhile."""
    workspace, _, memory = _open(root)
    wanted = len(set(memory.rows["key"][memory.rows["alive"]].tolist()))
    started, peak = time.monotonic(), 0.0
    early = _query_ms(workspace, 5, seed=1)
    while not (done := _stored_vectors() >= wanted and _at_rest(memory)):
        if time.monotonic() - started > _COPY_SECONDS:
            break
        peak = max([peak, *(peak_mb(each) for each in family(os.getpid())[1:])])
        time.sleep(0.5)
    seconds = time.monotonic() - started if done else None
    workspace.close(60)
    return {"copy_s": seconds, "copy_peak_mb": peak, "copying_query_ms": early}


def _at_rest(memory: MemoryIndex) -> bool:
    """Whether Chroma answers queries now, or its process was closed because memory still answers them."""
    through_chroma = memory.space is not None and memory.space.approximate is not None
    return through_chroma or len(family(os.getpid())) == 1


def _stored_vectors() -> int:
    """The number of vectors in Chroma's database."""
    found = list(Path(os.environ["SIGHTLINE_CACHE_DIR"]).rglob("chroma.sqlite3"))
    try:
        with closing(sqlite3.connect(f"{found[0].as_uri()}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM embeddings").fetchone()[0])
    except (IndexError, sqlite3.Error):
        return 0


def _ask(root: Path) -> dict[str, Any]:
    """Measure query latency, and above the limit the recall of the graph."""
    workspace, folder, memory = _open(root)
    figures: dict[str, Any] = {"first_ms": _query_ms(workspace, 1, seed=2)}
    figures["query_ms"] = _query_ms(workspace, _QUESTIONS, seed=3)
    assert memory.space is not None
    if memory.space.approximate is not None:
        figures |= _recall(folder, memory, memory.space.approximate)
    figures["disk_mb"] = folder.status().disk_bytes / 1e6
    workspace.close(60)
    return figures


def _recall(folder: Folder, memory: MemoryIndex, graph: Approximate) -> dict[str, float]:
    exact, rng = _exact(memory), random.Random(4)
    shares: dict[int, list[float]] = {10: [], _NEIGHBOURS: []}
    times: list[tuple[float, float]] = []
    for _ in range(_QUESTIONS):
        embedder = folder.embedder()
        assert embedder is not None
        vector = embedder.embed_query(sentence(rng))
        found, graph_ms = _neighbours(graph, vector)
        true, scan_ms = _neighbours(exact, vector)
        times.append((graph_ms, scan_ms))
        for depth, values in shares.items():
            values.append(float(np.mean(found[:depth] >= true[depth - 1] - _SAME_SCORE)))
    return {
        "recall_10": statistics.fmean(shares[10]),
        "recall_100": statistics.fmean(shares[_NEIGHBOURS]),
        "graph_ms": statistics.median(graph_ms for graph_ms, _ in times),
        "scan_ms": statistics.median(scan_ms for _, scan_ms in times),
    }


def _neighbours(store: Approximate | Matrix, vector: Floats) -> tuple[Floats, float]:
    """The scores of the nearest neighbours, and the time in milliseconds."""
    started = time.perf_counter()
    _, scores = store.nearest(vector, _NEIGHBOURS, None)
    return scores, (time.perf_counter() - started) * 1000


def _exact(memory: MemoryIndex) -> Matrix:
    """An exact store with the same vectors."""
    assert memory.space is not None
    return memory.space.chunks


def summary(found: list[dict[str, Any]]) -> str:
    """The growth as a table, and a sentence for each size that uses the graph."""
    text = table(list(_COLUMNS.values()), ([each[name] for name in _COLUMNS] for each in found))
    for each in found:
        if "recall_10" in each:
            text += f"\n\n{_about_graph(each)}"
    return text


def _about_graph(each: dict[str, Any]) -> str:
    return (
        f"{each['chunks']:,} chunks are above `search.exact_limit`: recall@10 {each['recall_10']:.3f}, "
        f"recall@100 {each['recall_100']:.3f} against an exact scan of the same vectors; retrieving "
        f"{_NEIGHBOURS} takes {each['graph_ms']:.0f} ms through the graph and {each['scan_ms']:.0f} ms by "
        f"scanning memory. While Chroma is being filled a query takes {each['copying_query_ms']:,.0f} ms."
    )


def chart(found: list[dict[str, Any]]) -> str:
    """The growth as curves."""
    made_up = [each for each in found if each["project"] == _MADE_UP]
    real = [each for each in found if each["project"] != _MADE_UP]
    drawn = [Panel(_COLUMNS[name], _points(made_up, name), beside=_points(real, name)) for name in _DRAWN]
    return panels("Growth with the number of chunks (both axes logarithmic; red: real code)", drawn)


def _points(found: list[dict[str, Any]], name: str) -> list[tuple[float, float]]:
    return [(float(each["chunks"]), float(each[name])) for each in found]


_STEPS = {"copy": _copy, "ask": _ask}


def main() -> None:
    """Measure all sizes, or run one step in this process."""
    parser = options.parser(__doc__)
    parser.add_argument("what", choices=("grow", *_STEPS))
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=_SIZES)
    parser.add_argument("--real", type=Path, nargs="*", default=(), help="folders of real code")
    parser.add_argument("--exact-limit", type=int, help="search.exact_limit, to try the graph on few chunks")
    parser.add_argument("--earlier", type=Path, nargs="*", default=(), help="figures kept by other runs")
    parser.add_argument("--out", type=Path, help="keep the figures as JSON")
    parser.add_argument("--record", action="store_true", help="write into docs/benchmarks.md")
    given = parser.parse_args()
    if given.what in _STEPS:
        print(json.dumps(_STEPS[given.what](given.repo)))
        return
    earlier = [each for file in given.earlier for each in json.loads(file.read_text(encoding="utf-8"))]
    fresh = grow(list(given.sizes), list(given.real), given.exact_limit)
    found = sorted(earlier + fresh, key=lambda each: each["chunks"])
    print(summary(found))
    if given.out:
        given.out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    if given.record:
        (DOCS / "images" / "growth.svg").write_text(chart(found), encoding="utf-8")
        record("growth", summary(found))


if __name__ == "__main__":
    main()
