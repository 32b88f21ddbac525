"""The effect of a repository's history: the tasks of a yardstick with and without it, by weight.

    python -m tests.benchmarks.ranking.history --mirrors DIR --work DIR [--yardstick NAME] [--only NAME ...]

The trees are not repositories: the log is that of the mirror up to the revision of the tree.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from sightline.history.history import History
from sightline.history.log import Git, program_for
from sightline.history.subjects import NOTHING, Subjects
from tests.benchmarks import options
from tests.benchmarks.ranking import layout, tasks
from tests.benchmarks.ranking.landing import Landing
from tests.benchmarks.ranking.table import difference, mean
from tests.benchmarks.ranking.tasks import Project
from tests.benchmarks.ranking.tools import Sightline
from tests.benchmarks.ranking.yardsticks import COLUMNS, YARDSTICKS, Row, Yardstick
from tests.benchmarks.report import table

_OFF = "without"
_VARIANTS: dict[str, dict[str, float]] = {
    _OFF: {"history": 0.0},
    "as shipped": {},
    **{f"weight {weight}": {"history": weight} for weight in (0.2, 0.3, 0.4)},
}


class _Fixed(History):
    """A history with given subjects."""

    def __init__(self, subjects: Subjects) -> None:
        self._given = subjects

    def current(self) -> Subjects:
        """The given subjects."""
        return self._given


def measured(yardstick: Yardstick, project: Project, mirrors: Path, work: Path) -> Iterator[Row]:
    """The rows of one project; each weight is treated as a tool."""
    root = layout.tree(project, mirrors, work)
    program = program_for(root)
    assert program is not None
    commits = Git(program, (f"--git-dir={layout.mirror_of(project, mirrors)}",)).log(project.revision)
    print(f"{project.name}: {len(commits or ())} commits", file=sys.stderr, flush=True)
    engine = Sightline(root, work, {}, Landing())
    search = engine.in_mode("hybrid")
    engine.use_history(_Fixed(Subjects(commits or (), project.revision)))
    for name, tuning in _VARIANTS.items():
        engine.configure({"tuning": tuning})
        for task in project.tasks:
            yield from yardstick.rows(name, search, project.name, task)
    engine.use_history(_Fixed(NOTHING))
    engine.close()


def shown(rows: list[Row]) -> str:
    """A table of the figures without history and the differences to them."""
    names = list(dict.fromkeys(row.tool for row in rows))
    of = {name: [row for row in rows if row.tool == name] for name in names}
    lines: list[tuple[object, ...]] = [(_OFF, *(mean(of[_OFF], column) for column in COLUMNS))]
    lines += [(name, *(difference(of[name], of[_OFF], column) for column in COLUMNS)) for name in names[1:]]
    return table(("history", *COLUMNS), lines)


def main() -> None:
    """Measure and print the table."""
    parser = options.with_mirrors(__doc__)
    with_log = ("changes", "development", "searches", "questions")
    parser.add_argument("--yardstick", choices=with_log, default="changes", help="whose tasks to search for")
    parser.add_argument("--only", nargs="*", default=(), help="names of projects")
    given = parser.parse_args()
    rows: list[Row] = []
    for project in tasks.load(given.yardstick):
        if not given.only or project.name in given.only:
            rows += measured(YARDSTICKS[given.yardstick], project, given.mirrors, given.work.resolve())
    print(shown(rows))


if __name__ == "__main__":
    main()
