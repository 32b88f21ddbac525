"""What each stage of the search is worth: each off, every fusion, every selection, on any repositories.

    python -m tests.benchmarks.ablation --repos DIR --tasks DIR [--only NAME ...] [--markdown FILE]

Each repository is indexed once; the stages are switched by settings. A difference is given with its standard
error over repositories and with how many gain and lose: a gain that lives in two of them is none.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sightline.search.constants import DEFAULTS
from sightline.search.noise import ROLES
from sightline.types import Mode, SearchRequest
from sightline.workspace import Workspace
from tests.benchmarks import options
from tests.benchmarks.ndcg import Score, Task, by_category, by_repository, files_below, load_tasks
from tests.benchmarks.quality import answer_of, opened

_BALANCE = DEFAULTS.keyword + DEFAULTS.semantic
_NOTICED = 1e-4


@dataclass(frozen=True, slots=True)
class Variant:
    """One row: what is changed."""

    name: str
    tuning: Mapping[str, float] = field(default_factory=dict)
    search: Mapping[str, object] = field(default_factory=dict)
    mode: Mode | None = None
    one_per_file: bool | None = None

    def settings(self) -> dict[str, object]:
        """The editor's settings that make this variant."""
        return {"search": {"cache_ttl_hours": 0, **self.search, "tuning": dict(self.tuning)}}


def _off(*names: str) -> dict[str, float]:
    return dict.fromkeys(names, 0.0)


def _alpha(share: float) -> Variant:
    return Variant(f"alpha {share:.1f}", {"keyword": _BALANCE * (1 - share), "semantic": _BALANCE * share})


VARIANTS = (
    Variant("everything"),
    Variant("keyword mode", mode="keyword"),
    Variant("semantic mode", mode="semantic"),
    Variant("no file vector", _off("signature")),
    Variant("no coverage", _off("coverage")),
    Variant("no path signals", _off("path_share", "stem_precision", "stem_order")),
    Variant(
        "no definitions",
        _off("definition_symbol", "definition_sentence", "definition_stem", "chunk_definition"),
    ),
    Variant("no definitions in sentences", _off("definition_sentence", "definition_stem")),
    Variant("no usage", _off("usage")),
    Variant("no penalties", _off(*(f"penalty_{role}" for role in ROLES))),
    *(Variant(f"no penalty: {role}", _off(f"penalty_{role}")) for role in ROLES),
    Variant("no query kinds", {"symbol_semantic": 1, "question_keyword": 1, "question_signature": 1}),
    Variant("factual: keyword x1.5", {"factual_keyword": 1.5}),
    Variant("exploratory: semantic x1.3", {"exploratory_semantic": 1.3}),
    Variant("files by their best chunk only", {"keyword_chunks": 1, "semantic_chunks": 1}),
    Variant("no files brought in by name", _off("path_pool")),
    Variant("pool 100", {"pool": 100}),
    Variant("pool 1000", {"pool": 1000}),
    Variant("reciprocal rank, k=60", {"fusion": 1}),
    Variant("reciprocal rank, k=10", {"fusion": 1, "rrf_k": 10}),
    Variant("z-score", {"fusion": 2}),
    *(_alpha(share / 10) for share in (2, 4, 5, 6, 7, 8)),
    Variant("select: files first", search={"select": "files"}),
    Variant("select: MMR 0.7", search={"select": "mmr"}),
    Variant("one per file", one_per_file=True),
    Variant("no per-file cap", search={"per_file": 0}),
    Variant("near-copies out, 3-grams 0.7", {"duplicate_grams": 0.7}),
    Variant("near-copies out, cosine 0.85", {"duplicate_cosine": 0.85}),
    Variant("query expansion", search={"expand_query": True}),
    Variant("graph neighbours 0.5", {"graph": 0.5}, {"graph": True}),
)


def _scores(
    workspace: Workspace, variant: Variant, repo: str, tasks: list[Task], files: list[str]
) -> list[Score]:
    workspace.configure(variant.settings())
    found = []
    for task in tasks:
        request = SearchRequest(
            task.query, mode=variant.mode, one_per_file=variant.one_per_file, context="none"
        )
        answer = answer_of(workspace, request, task, repo, files)
        if answer:
            found.append(answer.score)
    return found


def measure(repos: Path, tasks: Path, only: set[str]) -> dict[str, list[Score]]:
    """The scores of every query under every variant."""
    found: dict[str, list[Score]] = {variant.name: [] for variant in VARIANTS}
    for name, queries in load_tasks(tasks).items():
        root = repos / name
        if not root.is_dir() or (only and name not in only):
            continue
        files = files_below(root)
        with opened(root, VARIANTS[0].settings()) as workspace:
            for variant in VARIANTS:
                found[variant.name] += _scores(workspace, variant, name, queries, files)
    return found


def row(name: str, scores: list[Score], base: list[Score]) -> str:
    """One line of the table."""
    mine, theirs = by_repository(scores), by_repository(base)
    changes = [mine[repo] - theirs[repo] for repo in mine]
    error = statistics.stdev(changes) / len(changes) ** 0.5 if len(changes) > 1 else 0.0
    gained = sum(change > _NOTICED for change in changes)
    lost = sum(change < -_NOTICED for change in changes)
    categories = by_category(scores)
    shown = " | ".join(f"{categories.get(each, 0.0):.3f}" for each in ("symbol", "semantic", "architecture"))
    change = statistics.fmean(changes)
    return (
        f"| {name} | {statistics.fmean(mine.values()):.4f} | {change:+.4f} ± {error:.4f} | {gained} / {lost} "
        f"| {shown} |"
    )


def table(found: Mapping[str, list[Score]]) -> str:
    """The ablation as a Markdown table."""
    base = found[VARIANTS[0].name]
    head = "| variant | NDCG@10 | change ± s.e. | repositories + / - | symbol | semantic | architecture |"
    rows = [row(name, scores, base) for name, scores in found.items()]
    return "\n".join([head, "|---|---|---|---|---|---|---|", *rows])


def main() -> None:
    """Measure and print."""
    parser = options.with_tasks(__doc__)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--markdown", type=Path, help="write the table here too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["SIGHTLINE_CACHE_DIR"] = temporary
        shown = table(measure(given.repos, given.tasks, set(given.only)))
    print(shown)
    if given.markdown:
        given.markdown.write_text(shown + "\n", "utf-8")


if __name__ == "__main__":
    main()
