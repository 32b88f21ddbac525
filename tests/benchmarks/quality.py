"""Search quality on your own repositories: any folder of tasks against any folder of repositories.

    python -m tests.benchmarks.quality --repos DIR --tasks DIR [--mode hybrid] [--tuning keyword=0.8] [--svg FILE]

DIR/NAME holds the files of repository NAME and tasks/NAME.json its queries (see ndcg.py). Each repository is
indexed afresh unless --cache names a folder to keep the indexes in. A table goes to stdout.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.ndcg import Span, load_tasks, ndcg, present, repository_files
from tests.benchmarks.plot import bar_chart

from sightline.types import SearchRequest
from sightline.workspace import Workspace

_INDEX_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Row:
    """The score of one query."""

    repository: str
    category: str
    query: str
    ndcg: float
    milliseconds: float
    top: tuple[str, ...]


@contextmanager
def opened(root: Path, editor: Mapping[str, object]) -> Iterator[Workspace]:
    """A workspace with one indexed folder."""
    workspace = Workspace()
    try:
        workspace.add_folder(root, editor)
        if not workspace.wait_idle(_INDEX_SECONDS):
            raise SystemExit(f"{root} was not indexed within {_INDEX_SECONDS:.0f} s")
        yield workspace
    finally:
        workspace.close()


def measure(
    repos: Path, tasks: Path, editor: Mapping[str, object], mode: str | None, only: Iterable[str] = ()
) -> list[Row]:
    """Every query of every repository that is there."""
    rows: list[Row] = []
    chosen = set(only)
    for name, queries in load_tasks(tasks).items():
        root = repos / name
        if not root.is_dir() or (chosen and name not in chosen):
            continue
        files = repository_files(root)
        with opened(root, editor) as workspace:
            for task in (found for query in queries if (found := present(query, files))):
                # mypy cannot know that argparse has checked the choice.
                request = SearchRequest(task.query, mode=mode, context="none")  # type: ignore[arg-type]
                started = time.perf_counter()
                hits = workspace.search(request).hits
                took = (time.perf_counter() - started) * 1000
                places = [Span(hit.path, hit.start_line + 1, hit.end_line + 1) for hit in hits]
                score = ndcg(places, task.targets)
                top = tuple(place.path for place in places[:5])
                rows.append(Row(name, task.category, task.query, score, took, top))
    return rows


def by(rows: Iterable[Row], key: str) -> dict[str, float]:
    """The mean score by repository or category."""
    groups: dict[str, list[float]] = {}
    for row in rows:
        groups.setdefault(getattr(row, key), []).append(row.ndcg)
    return {name: statistics.fmean(scores) for name, scores in sorted(groups.items())}


def table(rows: list[Row]) -> str:
    """The scores as aligned text."""
    repositories, categories = by(rows, "repository"), by(rows, "category")
    lines = [f"{name:28} {score:.4f}" for name, score in repositories.items()]
    lines += ["", *(f"{name:28} {score:.4f}" for name, score in categories.items())]
    latency = statistics.median(row.milliseconds for row in rows)
    lines += ["", f"{'mean over repositories':28} {statistics.fmean(repositories.values()):.4f}"]
    lines += [f"{'queries':28} {len(rows)}", f"{'median latency, ms':28} {latency:.1f}"]
    return "\n".join(lines)


def _number(pair: str) -> tuple[str, float]:
    name, _, value = pair.partition("=")
    return name, float(value)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--tasks", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=(), help="names of repositories")
    parser.add_argument("--mode", choices=("hybrid", "semantic", "keyword"))
    parser.add_argument("--tuning", nargs="*", type=_number, default=(), metavar="NAME=NUMBER")
    parser.add_argument("--settings", type=json.loads, default={}, help="search settings as JSON")
    parser.add_argument("--cache", type=Path, help="keep the indexes here")
    parser.add_argument("--out", type=Path, help="write every query's score as JSON")
    parser.add_argument("--svg", type=Path, help="plot the scores by repository")
    given = parser.parse_args()
    editor = {"search": {**given.settings, "tuning": dict(given.tuning), "cache_ttl_hours": 0}}
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["SIGHTLINE_CACHE_DIR"] = str(given.cache or temporary)
        rows = measure(given.repos, given.tasks, editor, given.mode, given.only)
    if not rows:
        raise SystemExit("no repository of the tasks is there")
    print(table(rows))
    if given.out:
        given.out.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")
    if given.svg:
        given.svg.write_text(bar_chart("NDCG@10 by repository", by(rows, "repository")), "utf-8")


if __name__ == "__main__":
    main()
