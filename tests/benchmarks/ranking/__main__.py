"""Measures every yardstick of the ranking in one table: `make bench-ranking MIRRORS=DIR WORK=DIR`.

    python -m tests.benchmarks.ranking --mirrors DIR --work DIR [--yardsticks topics ...] [--only NAME ...]

MIRRORS/OWNER+NAME/repo are bare git repositories. WORK caches the trees, the indexes (until the indexing
code changes) and the answers of other tools, so that a second run takes minutes. --compare prints the
differences to the rows that --out wrote in another run.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks import options
from tests.benchmarks.ranking import layout, messages, sentences, table, tasks
from tests.benchmarks.ranking.landing import Landing
from tests.benchmarks.ranking.others import Kept, Ripgrep, Semble
from tests.benchmarks.ranking.tasks import Project, Task
from tests.benchmarks.ranking.tools import Engine, Sightline
from tests.benchmarks.ranking.yardsticks import (
    CHANGES,
    DEVELOPMENT,
    ISSUES,
    MESSAGES,
    QUESTIONS,
    SEARCHES,
    SENTENCES,
    TOPICS,
    YARDSTICKS,
    Row,
    Yardstick,
)

# Each step through history takes seconds: use at most this many issues per project, evenly over its years.
_MAX_STEPS = 20
_TOOLS = (*Sightline.NAMES, Semble.name, Ripgrep.name)
# The questions are a final test set; they are not used while the ranking is developed.
_DEFAULT = ("topics", "sentences", "changes", "messages", "development", "searches", "issues")
# Yardsticks whose tasks are extracted from the tree itself.
_EXTRACTED = {SENTENCES.name: sentences.tasks_of, MESSAGES.name: messages.tasks_of}


@dataclass(frozen=True, slots=True)
class Run:
    """The folders and options of a run."""

    mirrors: Path
    work: Path
    only: frozenset[str]
    tools: frozenset[str]
    settings: dict[str, object]
    landing: Landing

    def projects(self, name: str) -> list[Project]:
        """The selected projects of a task file."""
        return [each for each in tasks.load(name) if not self.only or each.name in self.only]

    @contextmanager
    def opened(self, root: Path, tree: str) -> Iterator[list[Engine]]:
        """Open all engines that search a tree."""
        engines: list[Engine] = []
        if not self.tools.isdisjoint(Sightline.NAMES):
            engines.append(Sightline(root, self.work, self.settings, self.landing))
        engines += [
            Kept(tool, root, self.work, tree) for tool in (Semble, Ripgrep) if tool.name in self.tools
        ]
        try:
            yield engines
        finally:
            for engine in engines:
                engine.close()

    def judged(
        self, yardstick: Yardstick, engines: Sequence[Engine], project: str, given: Iterable[Task]
    ) -> Iterator[Row]:
        """The rows of every tool for these tasks."""
        tools = [item for engine in engines for item in engine.tools.items() if item[0] in self.tools]
        for task in given:
            for tool, search in tools:
                yield from yardstick.rows(tool, search, project, task)


def measured(run: Run, chosen: Sequence[Yardstick]) -> Iterator[Row]:
    """The rows of all yardsticks; some use the same trees."""
    trees = {
        "topics": [TOPICS, SENTENCES],
        "changes": [CHANGES],
        "development": [DEVELOPMENT, MESSAGES],
        "searches": [SEARCHES],
        "questions": [QUESTIONS],
    }
    for name, yardsticks in trees.items():
        asked = [each for each in yardsticks if each in chosen]
        for project in run.projects(name) if asked else ():
            yield from _timed(project, _in_tree(run, project, asked))
    for project in run.projects("issues") if ISSUES in chosen else ():
        yield from _timed(project, _in_steps(run, project))


def _timed(project: Project, rows: Iterable[Row]) -> Iterator[Row]:
    started = time.perf_counter()
    try:
        yield from rows
    except layout.Missing as error:
        print(f"{project.name} is skipped: {error}", file=sys.stderr)
    print(f"{project.name:24} {time.perf_counter() - started:6.1f} s", file=sys.stderr, flush=True)


def _in_tree(run: Run, project: Project, asked: Sequence[Yardstick]) -> Iterator[Row]:
    root = layout.tree(project, run.mirrors, run.work)
    with run.opened(root, root.name) as engines:
        for yardstick in asked:
            given = _EXTRACTED[yardstick.name](root) if yardstick.name in _EXTRACTED else project.tasks
            yield from run.judged(yardstick, engines, project.name, given)


def _in_steps(run: Run, project: Project) -> Iterator[Row]:
    """The rows of one project's tasks in chronological order, each in the tree of its commit."""
    steps = layout.Steps(project, run.mirrors, run.work)
    chosen = project.tasks[:: -(-len(project.tasks) // _MAX_STEPS)]
    steps.move(chosen[0].commit)
    with run.opened(steps.root, f"steps-{project.name}") as engines:
        for task in chosen:
            steps.move(task.commit)
            for engine in engines:
                engine.moved(task.commit)
            yield from run.judged(ISSUES, engines, project.name, [task])


def main() -> None:
    """Measure and print the tables."""
    parser = options.with_mirrors(__doc__)
    parser.add_argument("--yardsticks", nargs="*", choices=YARDSTICKS, default=_DEFAULT)
    parser.add_argument("--tools", nargs="*", choices=_TOOLS, default=_TOOLS)
    parser.add_argument("--only", nargs="*", default=(), help="names of projects")
    parser.add_argument("--settings", type=json.loads, default={}, help="search settings as JSON")
    parser.add_argument("--against", nargs="*", choices=_TOOLS, default=(), help="differences to these tools")
    parser.add_argument("--out", type=Path, help="write every row as JSON")
    parser.add_argument("--compare", type=Path, help="rows of an earlier run")
    given = parser.parse_args()
    landing = Landing()
    run = Run(
        given.mirrors,
        given.work.resolve(),
        frozenset(given.only),
        frozenset(given.tools),
        given.settings,
        landing,
    )
    rows = list(measured(run, [YARDSTICKS[name] for name in given.yardsticks]))
    if not rows:
        raise SystemExit("none of the projects is available")
    print(table.shown(rows))
    if landing.named:
        share = landing.landed / landing.named
        print(f"\nNamed rows that land on their name: {share:.1%} of {landing.named:,}.")
    for other in given.against:
        print(f"\n{table.against(rows, 'sightline', other)}")
    if given.out:
        given.out.write_text(json.dumps([asdict(row) for row in rows]), encoding="utf-8")
    if given.compare:
        before = [Row(**row) for row in json.loads(given.compare.read_text(encoding="utf-8"))]
        print(f"\n{table.compared(rows, before)}")


if __name__ == "__main__":
    main()
