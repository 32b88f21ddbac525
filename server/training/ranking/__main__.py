"""Learns the weights of the ranking and writes them into the package: `make train-ranking`.

    python -m training.ranking --mirrors DIR --work DIR [--out FILE]

MIRRORS/OWNER+NAME/repo are bare git repositories: those of the yardsticks and those of sources.json. WORK
caches mined tasks, trees and indexes; the first run creates them, a second one takes minutes on one core.
Delete WORK/mined when the miner changes. The figures are written to the header of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from sightline.search.ranking import weights
from tests.benchmarks import options
from tests.benchmarks.ranking.table import mean
from tests.benchmarks.ranking.yardsticks import FILE_NDCG, PLACE_1, PLACE_3, PLACE_10, PLACE_MRR, Row
from training.ranking import crossvalidate, table
from training.ranking.fit import Options, fit
from training.ranking.sets import SHARES, Gathered, gathered, weighted

# More candidates than the most promising ones do not change the weights, but cost time.
_MAX_CANDIDATES = 300
_FIGURES = (
    ("topics", FILE_NDCG),
    ("changes", FILE_NDCG),
    ("changes", PLACE_MRR),
    ("changes", PLACE_1),
    ("changes", PLACE_10),
    ("doc sentences", PLACE_MRR),
    ("doc sentences", PLACE_1),
    ("development questions", PLACE_MRR),
    ("development questions", PLACE_1),
    ("development questions", PLACE_3),
    ("short searches", PLACE_MRR),
    ("short searches", PLACE_1),
    ("short searches", PLACE_3),
)


def notes(found: Gathered, own: Sequence[Row], held: Sequence[Row], chosen: Options) -> Iterator[str]:
    """The lines of the file's header about the run."""
    yield "The learned weights of the ranking; docs/ranking.md explains them. Written by"
    yield "  make train-ranking MIRRORS=DIR WORK=DIR"
    yield ""
    yield f"{chosen}"
    yield ""
    yield f"{'learned from':18}{'projects':>9}{'tasks':>7}   each counts, as a lookup, within its files"
    for name, projects in found.items():
        share, count = SHARES[name], sum(map(len, projects.values()))
        counts = f"{share.description:.1f}, {share.lookup:.1f}, {share.within:.1f}"
        yield f"{name:18}{len(projects):9}{count:7}   {counts}"
    yield ""
    yield f"{'figure':34}{'cross-validated':17}on what was learned from"
    for title, figure in _FIGURES:
        cells = (mean([row for row in rows if row.yardstick == title], figure) for rows in (held, own))
        yield f"{title + ', ' + figure:34}" + "".join(f"{cell or '-':17}" for cell in cells)


def main() -> None:
    """Gather the examples, learn the weights, judge them and write them."""
    parser = options.with_mirrors(__doc__)
    parser.add_argument("--out", type=Path, default=Path(weights.__file__).with_name(weights.FILE))
    given = parser.parse_args()
    chosen = Options()
    found = gathered(given.mirrors, given.work.resolve())
    small = {
        name: {project: [each.reduced(_MAX_CANDIDATES) for each in of] for project, of in projects.items()}
        for name, projects in found.items()
    }
    held = list(crossvalidate.crossvalidated(found, small, SHARES, chosen))
    learned = fit(weighted(small, SHARES), chosen)
    own = list(crossvalidate.judged(found, learned, "learned"))
    text = table.written(learned, notes(found, own, held, chosen))
    given.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
