"""The effect of each search stage at every yardstick: each stage off, every fusion, every selection.

    python -m tests.benchmarks.ranking.ablation --mirrors DIR --work DIR [--only NAME ...]

Each project is opened once; settings switch the stages. A difference is printed with its 95 % interval over
projects, in bold if it is significant.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sightline.file_roles import ROLES
from sightline.search.ranking.signals import FORM_SIGNALS, SIGNALS
from sightline.types import Mode
from tests.benchmarks import options
from tests.benchmarks.ranking import layout, sentences, tasks
from tests.benchmarks.ranking.landing import Landing
from tests.benchmarks.ranking.table import difference, mean
from tests.benchmarks.ranking.tasks import Project
from tests.benchmarks.ranking.tools import Sightline
from tests.benchmarks.ranking.yardsticks import (
    CHANGES,
    FILE_NDCG,
    PLACE_1,
    PLACE_MRR,
    SENTENCES,
    TOPICS,
    Row,
    Yardstick,
)
from tests.benchmarks.report import table

_COLUMNS = (
    ("topics", FILE_NDCG),
    ("changes", FILE_NDCG),
    ("changes", PLACE_MRR),
    ("doc sentences", PLACE_1),
)


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the table: the changed settings."""

    name: str
    tuning: Mapping[str, float] = field(default_factory=dict)
    search: Mapping[str, object] = field(default_factory=dict)
    mode: Mode = "hybrid"


def _off(*names: str) -> dict[str, float]:
    return dict.fromkeys(names, 0.0)


VARIANTS = (
    Variant("everything"),
    Variant("keyword mode", mode="keyword"),
    Variant("semantic mode", mode="semantic"),
    *(Variant(f"no {name}", _off(name)) for name in SIGNALS),
    Variant("no path signals", _off("path_share", "stem_precision", "stem_order")),
    Variant("no evidence of the file", _off(*(name for name in SIGNALS if name.startswith("file_")))),
    Variant("no definitions", _off("definition", "file_definition", "stem_definition")),
    Variant("no form of places", _off(*FORM_SIGNALS)),
    Variant("no penalties", _off(*(f"penalty_{role}" for role in ROLES))),
    *(Variant(f"no penalty: {role}", _off(f"penalty_{role}")) for role in ROLES),
    Variant("files by their best chunk only", {"file_chunks": 1, "file_vectors": 1}),
    Variant("no files brought in by name", _off("path_pool")),
    Variant("pool 100", {"pool": 100}),
    Variant("pool 1000", {"pool": 1000}),
    Variant("reciprocal rank, k=60", {"fusion": 1}),
    Variant("reciprocal rank, k=10", {"fusion": 1, "rrf_k": 10}),
    Variant("z-score", {"fusion": 2}),
    Variant("select: files first", search={"select": "files"}),
    Variant("select: MMR 0.7", search={"select": "mmr"}),
    Variant("no per-file cap", search={"per_file": 0}),
    Variant("near-copies out, 3-grams 0.7", {"duplicate_grams": 0.7}),
    Variant("near-copies out, cosine 0.85", {"duplicate_cosine": 0.85}),
    Variant("no wording", _off("wording")),
    Variant("query expansion", search={"expand_query": True}),
    Variant("query expansion, cosine 0.35", {"expansion_cosine": 0.35}, {"expand_query": True}),
    Variant("graph neighbours 0.5", {"graph": 0.5}, {"graph": True}),
    Variant("recency", search={"recency": True}),
)


def measured(
    project: Project, yardsticks: Sequence[Yardstick], variants: Sequence[Variant], root: Path, work: Path
) -> Iterator[Row]:
    """The rows of one project under every variant; each variant is treated as a tool."""
    engine = Sightline(root, work, {}, Landing())
    given = {
        each.name: sentences.tasks_of(root) if each is SENTENCES else project.tasks for each in yardsticks
    }
    for variant in variants:
        engine.configure({**variant.search, "tuning": dict(variant.tuning)})
        search = engine.in_mode(variant.mode)
        for yardstick in yardsticks:
            for task in given[yardstick.name]:
                yield from yardstick.rows(variant.name, search, project.name, task)
    engine.close()


def shown(rows: Sequence[Row], variants: Sequence[Variant]) -> str:
    """A table of the first variant's figures and the differences of the others to them."""
    of = {
        (variant.name, title): [row for row in rows if (row.tool, row.yardstick) == (variant.name, title)]
        for variant in variants
        for title, _ in _COLUMNS
    }
    base = variants[0].name
    lines: list[tuple[object, ...]] = [(base, *(mean(of[base, title], figure) for title, figure in _COLUMNS))]
    for variant in variants[1:]:
        cells = (difference(of[variant.name, title], of[base, title], figure) for title, figure in _COLUMNS)
        lines.append((variant.name, *cells))
    return table(("variant", *(f"{title}, {figure}" for title, figure in _COLUMNS)), lines)


def main() -> None:
    """Measure and print the table."""
    parser = options.with_mirrors(__doc__)
    parser.add_argument("--only", nargs="*", default=(), help="names of projects")
    parser.add_argument("--variants", nargs="*", default=(), help="names of variants; default: all")
    given = parser.parse_args()
    wanted = [each for each in VARIANTS[1:] if not given.variants or each.name in given.variants]
    variants = [VARIANTS[0], *wanted]
    rows: list[Row] = []
    for name, yardsticks in (("topics", (TOPICS, SENTENCES)), ("changes", (CHANGES,))):
        for project in tasks.load(name):
            if not given.only or project.name in given.only:
                root = layout.tree(project, given.mirrors, given.work.resolve())
                rows += measured(project, yardsticks, variants, root, given.work.resolve())
                print(project.name, file=sys.stderr, flush=True)
    print(shown(rows, variants))


if __name__ == "__main__":
    main()
