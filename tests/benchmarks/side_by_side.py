"""Sightline, semble and ripgrep over the same repositories and queries, in one run.

    python tests/benchmarks/side_by_side.py run --mirrors DIR --work DIR [--only NAME ...] [--record]

The repositories and queries are the topics of ranking/. Each tool runs on each repository twice, in separate
processes: cold, to build the index, and warm, to answer queries and to index five saves. The repositories are
copied first, because files are saved. A tool that is not installed is skipped.
"""

from __future__ import annotations

import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks import options
from tests.benchmarks.plot import bar_chart
from tests.benchmarks.processes import compiled
from tests.benchmarks.ranking import layout, tasks
from tests.benchmarks.ranking.metrics import ndcg
from tests.benchmarks.ranking.tasks import Project, Task
from tests.benchmarks.report import DOCS, percentile, record, table
from tests.benchmarks.tools import TOOLS, Tool, installed

_SAVES = 5
_FIND_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Visit:
    """The results of one tool in one repository."""

    tool: str
    repo: str
    scores: dict[str, float]
    latencies: list[float]
    cold_s: float
    warm_s: float
    save_ms: float | None
    peak_mb: float
    disk_mb: float


def visit(tool: str, name: str, tree: Path) -> Visit:
    """Let a tool index a copy of a repository, then answer from the stored index."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "repository", name)
        shutil.copytree(tree, root, symlinks=True)
        cold = _step("cold", tool, root)
        disk = _size(Path(scratch, "kept", tool))
        warm = _step("warm", tool, root)
    peak = max(cold["peak_mb"], warm["peak_mb"])
    return Visit(
        tool=tool,
        repo=name,
        scores=warm["scores"],
        latencies=warm["latencies"],
        cold_s=cold["seconds"],
        warm_s=warm["seconds"],
        save_ms=warm["save_ms"],
        peak_mb=peak,
        disk_mb=disk,
    )


def _step(what: str, tool: str, root: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, what, "--tool", tool, "--root", str(root)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=compiled())
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _open(tool: str, root: Path) -> Tool:
    scratch = root.parents[1] / "kept"
    scratch.mkdir(exist_ok=True)
    return TOOLS[tool](root, scratch)


def cold(tool: str, root: Path, asked: Sequence[Task]) -> dict[str, Any]:
    """Build the index."""
    started = time.perf_counter()
    opened = _open(tool, root)
    seconds = time.perf_counter() - started
    opened.close()
    return {"seconds": seconds, "peak_mb": _peak_mb(tool)}


def warm(tool: str, root: Path, asked: Sequence[Task]) -> dict[str, Any]:
    """Open the index, time the first answer, answer each task, then measure saves."""
    started = time.perf_counter()
    opened = _open(tool, root)
    opened.search(asked[0].query)
    seconds = time.perf_counter() - started
    scores, latencies = {}, []
    for task in asked:
        begun = time.perf_counter()
        places = opened.search(task.query)
        latencies.append((time.perf_counter() - begun) * 1000)
        scores[task.query] = ndcg(places, task.targets())
    saves = [_save(opened, root, number, asked) for number in range(_SAVES)]
    found = [each for each in saves if each is not None]
    opened.close()
    return {
        "seconds": seconds,
        "scores": scores,
        "latencies": latencies,
        "save_ms": statistics.median(found) if found else None,
        "peak_mb": _peak_mb(tool),
    }


def _save(opened: Tool, root: Path, number: int, asked: Sequence[Task]) -> float | None:
    """Milliseconds from a save until a search for a new word finds the file; None if it never does."""
    # Use the first target file of the first task.
    target, marker = asked[0].targets()[0].path, f"zqxsaved{number}zqx"
    path = root / target
    path.write_bytes(path.read_bytes() + f"\n// {marker}\n".encode())
    started = time.perf_counter()
    opened.saved(path)
    while target not in [place.path for place in opened.search(marker)]:
        if time.perf_counter() - started > _FIND_SECONDS:
            return None
        time.sleep(0.001)
    return (time.perf_counter() - started) * 1000


def _peak_mb(tool: str) -> float:
    """The peak memory of this process or one of its children; for ripgrep only of the children."""
    kinds = [resource.RUSAGE_CHILDREN] + [resource.RUSAGE_SELF] * (tool != "ripgrep")
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1000


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def summary(visits: Sequence[Visit]) -> str:
    """One row per tool: quality as the mean over repositories, times and sizes as sums or medians."""
    head = ("", "NDCG@10", "cold index, s", "warm start, s", "query p50, ms", "query p99, ms")
    more = ("save until found, ms", "peak memory, MB", "disk, MB")
    rows = [_row(tool, [each for each in visits if each.tool == tool]) for tool in _names(visits)]
    repos = len({each.repo for each in visits})
    queries = sum(len(each.scores) for each in visits if each.tool == visits[0].tool)
    return f"{table((*head, *more), rows)}\n\n{repos} repositories, {queries} queries."


def _row(tool: str, visits: Sequence[Visit]) -> tuple[object, ...]:
    latencies = [each for visit in visits for each in visit.latencies]
    saves = [each.save_ms for each in visits if each.save_ms is not None]
    return (
        tool,
        f"{quality(visits):.3f}",
        sum(each.cold_s for each in visits) if tool != "ripgrep" else None,
        statistics.median(each.warm_s for each in visits),
        statistics.median(latencies),
        percentile(latencies, 0.99),
        statistics.median(saves) if saves else None,
        max(each.peak_mb for each in visits),
        sum(each.disk_mb for each in visits) or None,
    )


def quality(visits: Sequence[Visit]) -> float:
    """NDCG@10, the mean over repositories."""
    return statistics.fmean(statistics.fmean(each.scores.values()) for each in visits)


def _names(visits: Sequence[Visit]) -> list[str]:
    return list(dict.fromkeys(each.tool for each in visits))


def run(projects: Sequence[Project], mirrors: Path, work: Path) -> list[Visit]:
    """Run every installed tool in every repository, alternately, so that noise affects all of them."""
    found = []
    for project in projects:
        tree = layout.tree(project, mirrors, work)
        for tool in filter(installed, TOOLS):
            found.append(visit(tool, project.name, tree))
            line = f"{project.name:22} {tool:10} {quality(found[-1:]):.3f}  cold {found[-1].cold_s:.1f} s"
            print(line, file=sys.stderr, flush=True)
    if not found:
        raise SystemExit("none of the tools is installed")
    return found


def main() -> None:
    """Compare the tools, or run one step in this process."""
    parser = options.with_mirrors(__doc__, required=False)
    parser.add_argument("what", choices=("run", "cold", "warm"))
    parser.add_argument("--root", type=Path, help="the repository of one step")
    parser.add_argument("--tool", choices=TOOLS)
    parser.add_argument("--only", nargs="*", default=(), help="names of repositories")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--record", action="store_true", help="write into docs/benchmarks.md")
    given = parser.parse_args()
    projects = tasks.load("topics")
    if given.what != "run":
        act = cold if given.what == "cold" else warm
        asked = next(each.tasks for each in projects if each.name == given.root.name)
        print(json.dumps(act(given.tool, given.root, asked)))
        return
    chosen = [each for each in projects if not given.only or each.name in given.only]
    visits = run(chosen, given.mirrors, given.work)
    print(summary(visits))
    if given.out:
        given.out.write_text(json.dumps([asdict(each) for each in visits], indent=1), encoding="utf-8")
    if given.record:
        values = {tool: quality([each for each in visits if each.tool == tool]) for tool in _names(visits)}
        chart = bar_chart("NDCG@10 over the same repositories", values)
        (DOCS / "images" / "side_by_side.svg").write_text(chart, encoding="utf-8")
        record("side by side", summary(visits))


if __name__ == "__main__":
    main()
