"""Search quality on your own repositories: any folder of tasks against any folder of repositories.

    python -m tests.benchmarks.quality --repos DIR --tasks DIR [--mode keyword] [--tuning usage=0] [--svg F]

DIR/NAME holds the files of repository NAME and tasks/NAME.json its queries (see ndcg.py). Each repository is
indexed afresh unless --cache names a folder to keep the indexes in. A table goes to stdout.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from sightline.types import MODES, Mode, SearchRequest
from sightline.workspace import Workspace
from tests.benchmarks import options
from tests.benchmarks.ndcg import (
    Place,
    Score,
    Task,
    by_category,
    by_repository,
    files_below,
    load_tasks,
    mean_over_repositories,
    ndcg,
)
from tests.benchmarks.plot import bar_chart

_INDEX_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The score of one query, what it cost, and what came first."""

    score: Score
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


def answer_of(
    workspace: Workspace, request: SearchRequest, task: Task, repo: str, files: list[str]
) -> Answer | None:
    """One query's answer, None if nothing that it asks for is there."""
    started = time.perf_counter()
    hits = workspace.search(request).hits
    took = (time.perf_counter() - started) * 1000
    places = [Place(hit.path, hit.start_line + 1, hit.end_line + 1) for hit in hits]
    value = ndcg(places, task, files)
    if value is None:
        return None
    return Answer(
        Score(repo, task.category, task.query, value), took, tuple(place.path for place in places[:5])
    )


def measure(
    repos: Path, tasks: Path, editor: Mapping[str, object], mode: Mode | None, only: Iterable[str] = ()
) -> list[Answer]:
    """Every query of every repository that is there."""
    answers: list[Answer] = []
    chosen = set(only)
    for name, queries in load_tasks(tasks).items():
        root = repos / name
        if not root.is_dir() or (chosen and name not in chosen):
            continue
        files = files_below(root)
        with opened(root, editor) as workspace:
            for task in queries:
                request = SearchRequest(task.query, mode=mode, context="none")
                answer = answer_of(workspace, request, task, name, files)
                if answer:
                    answers.append(answer)
    return answers


def table(answers: list[Answer]) -> str:
    """The scores as aligned text."""
    scores = [answer.score for answer in answers]
    lines = [f"{name:28} {value:.4f}" for name, value in by_repository(scores).items()]
    lines += ["", *(f"{name:28} {value:.4f}" for name, value in by_category(scores).items())]
    latency = statistics.median(answer.milliseconds for answer in answers)
    lines += ["", f"{'mean over repositories':28} {mean_over_repositories(scores):.4f}"]
    lines += [f"{'queries':28} {len(answers)}", f"{'median latency, ms':28} {latency:.1f}"]
    return "\n".join(lines)


def _number(pair: str) -> tuple[str, float]:
    name, _, value = pair.partition("=")
    return name, float(value)


def main() -> None:
    """Measure and print."""
    parser = options.with_tasks(__doc__)
    parser.add_argument("--only", nargs="*", default=(), help="names of repositories")
    parser.add_argument("--mode", choices=MODES)
    parser.add_argument("--tuning", nargs="*", type=_number, default=(), metavar="NAME=NUMBER")
    parser.add_argument("--settings", type=json.loads, default={}, help="search settings as JSON")
    parser.add_argument("--cache", type=Path, help="keep the indexes here")
    parser.add_argument("--out", type=Path, help="write every query's score as JSON")
    parser.add_argument("--svg", type=Path, help="plot the scores by repository")
    given = parser.parse_args()
    editor = {"search": {**given.settings, "tuning": dict(given.tuning), "cache_ttl_hours": 0}}
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["SIGHTLINE_CACHE_DIR"] = str(given.cache or temporary)
        answers = measure(given.repos, given.tasks, editor, given.mode, given.only)
    if not answers:
        raise SystemExit("no repository of the tasks is there")
    print(table(answers))
    if given.out:
        given.out.write_text(json.dumps([asdict(answer) for answer in answers], indent=1), "utf-8")
    if given.svg:
        chart = bar_chart("NDCG@10 by repository", by_repository(answer.score for answer in answers))
        given.svg.write_text(chart, "utf-8")


if __name__ == "__main__":
    main()
