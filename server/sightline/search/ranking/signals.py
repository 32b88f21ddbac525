"""All signals of a place: its own, then those of its file; from 0 to 1, gaps from -1 to 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, distinct_codes
from sightline.history.subjects import Touch
from sightline.search.ranking import definitions, fuse
from sightline.search.ranking.constants import Tuning
from sightline.search.ranking.definitions import FUNCTIONS, TYPES, VALUES, NameMatch
from sightline.search.ranking.file_signals import (
    Grouped,
    PathSignals,
    behind_best,
    best_of_files,
    best_scores,
)
from sightline.search.ranking.fuse import Scale
from sightline.search.ranking.retrieve import Candidates
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.path_table import folded_stem
from sightline.wordlist import words
from sightline.words import name_stems

_PROSE = words("section text")
_KINDS = {"function": FUNCTIONS | {"test"}, "type": TYPES, "value": VALUES, "prose": _PROSE}
# The form of a place, whatever the query: its kind of code, its length, and how often it branches.
FORM_SIGNALS = frozenset((*_KINDS, "length", "branches"))
# The length of most chunks of the largest size, as a power of two, and the values of all sizes up to it.
_LOG_LARGEST = 6
_SIZES = np.minimum(np.log2(np.arange(2**_LOG_LARGEST) + 1) / _LOG_LARGEST, 1.0).astype(np.float32)
# From the scores of the retrievers. A gap is how far a place is below the best of its file: this separates
# the places of a file and says little about which file is the right one.
_BY_SCORES = ("bm25", "cosine", "bm25_gap", "cosine_gap", "file_bm25", "file_cosine", "file_names")
SIGNALS = (
    "bm25",
    "cosine",
    "coverage",
    "bm25_gap",
    "cosine_gap",
    "coverage_gap",
    "definition",
    "name_share",
    "name_precision",
    *_KINDS,
    "length",
    "branches",
    "file_bm25",
    "file_cosine",
    "file_names",
    "file_definition",
    "stem_definition",
    "path_share",
    "stem_precision",
    "stem_order",
    "usage",
    "history",
)


def of_retrievers(
    memory: MemoryIndex,
    vector: Floats | None,
    candidates: Candidates,
    grouped: Grouped,
    tuning: Tuning,
    keyword_scale: Scale = fuse.min_max,
    cosine_scale: Scale = fuse.window,
) -> dict[str, Floats]:
    """The signals from the scores of the retrievers, of each candidate and of its file, on a common scale."""
    if not len(candidates.slots):
        return dict.fromkeys(_BY_SCORES, np.zeros(0, np.float32))
    weights = _rank_weights(int(tuning.file_chunks), tuning.file_decay, int(tuning.file_vectors))
    best = best_of_files(grouped, np.array((candidates.keyword, candidates.cosine)), weights)
    bm25 = fuse.scaled(candidates.keyword, keyword_scale)
    cosine, none = np.zeros(len(candidates.slots), np.float32), np.zeros(len(grouped.files), np.float32)
    by_file = {
        "file_bm25": fuse.scaled(best.sums[0].astype(np.float32), keyword_scale),
        "file_cosine": none,
        "file_names": none,
    }
    if vector is not None and memory.space is not None and candidates.has_vectors:
        cosine = fuse.scaled_cosines(candidates.cosine, cosine_scale)
        means = best.sums[1] / np.minimum(np.bincount(grouped.owner), int(tuning.file_vectors))
        by_file["file_cosine"] = fuse.scaled_cosines(means.astype(np.float32), cosine_scale)
        names = memory.space.files.cosines(vector, grouped.files)
        by_file["file_names"] = fuse.scaled_cosines(names, cosine_scale)
    return {
        "bm25": bm25,
        "cosine": cosine,
        "bm25_gap": behind_best(grouped, bm25, bm25.take(best.tops[0])),
        "cosine_gap": behind_best(grouped, cosine, cosine.take(best.tops[1])),
        **_of_each(by_file, grouped),
    }


@lru_cache(maxsize=1)
def _rank_weights(chunks: int, decay: float, vectors: int) -> NDArray[np.float64]:
    """What each of a file's best keyword scores counts, and each of its best cosines; at last nothing."""
    weights = np.zeros((2, max(chunks, vectors) + 1))
    weights[0, :chunks] = decay ** np.arange(chunks)
    weights[1, :vectors] = 1.0
    return weights


def of_places(
    slots: Integers, grouped: Grouped, coverage: Floats, found: Sequence[NameMatch]
) -> dict[str, Floats]:
    """The other signals of each candidate itself, except its form and the names in it."""
    best = {each.slot: each.worth for each in sorted(found, key=attrgetter("worth"))}
    return {
        "coverage": coverage,
        "coverage_gap": behind_best(grouped, coverage, best_scores(grouped, coverage)),
        "definition": spread(best, slots),
    }


def of_forms(memory: MemoryIndex, slots: Integers) -> dict[str, Floats]:
    """The signals from the form of each candidate."""
    lines = memory.rows["end_line"].take(slots) - memory.rows["start_line"].take(slots) + 1
    # What decides and repeats does something; declarations and documentation do not.
    branches = memory.rows["branches"].take(slots)
    return {**_kinds(memory, slots), "length": _sizes(lines), "branches": _sizes(branches)}


def _of_each(by_file: Mapping[str, Floats], grouped: Grouped) -> dict[str, Floats]:
    """Signals of each candidate from those of its file."""
    return {name: values.take(grouped.owner) for name, values in by_file.items()}


def of_files(memory: MemoryIndex, grouped: Grouped, paths: PathSignals) -> dict[str, Floats]:
    """The other signals of each candidate's file, except the definitions in it."""
    files = grouped.files
    precision, order = paths.of_stems(files)
    by_file = {
        "path_share": paths.share.take(files),
        "stem_precision": precision,
        "stem_order": order,
        "usage": memory.usage.of(files, memory.vocabulary, memory.keywords, memory.generation),
    }
    return _of_each(by_file, grouped)


def of_definitions(
    memory: MemoryIndex, grouped: Grouped, found: Sequence[NameMatch], *, symbol: bool
) -> dict[str, Floats]:
    """The signals from the definitions in each candidate's file."""
    names = {name: "".join(name_stems(name)) for name in {each.name for each in found}}
    stems = {file: folded_stem(memory.files.path(file)) for file in {each.file for each in found}}
    own = [each for each in found if names[each.name] == stems[each.file]]
    by_file = {
        "file_definition": definitions.best_by_file(found) if symbol else _shares(found),
        "stem_definition": definitions.best_by_file(own),
    }
    return _of_each({name: spread(values, grouped.files) for name, values in by_file.items()}, grouped)


def of_history(grouped: Grouped, touched: Mapping[int, Touch]) -> dict[str, Floats]:
    """The signal from past commits for each candidate's file, relative to the file with the strongest one."""
    most = max((touch.score for touch in touched.values()), default=1.0)
    shares = {file: touch.score / most for file, touch in touched.items()}
    return _of_each({"history": spread(shares, grouped.files)}, grouped)


def _shares(found: Sequence[NameMatch]) -> dict[int, float]:
    """By file, the share of the query covered by the names it defines."""
    best = {(each.file, each.name): each.worth for each in sorted(found, key=attrgetter("worth"))}
    of_file: dict[int, float] = {}
    for (file, _), value in best.items():
        of_file[file] = min(1.0, of_file.get(file, 0.0) + value)
    return of_file


def _kinds(memory: MemoryIndex, slots: Integers) -> dict[str, Floats]:
    """Whether each chunk is a function, a type, a value or prose."""
    # There are a dozen kinds: what is compared are their names, not those of all chunks.
    distinct, place = distinct_codes(memory.rows["kind"].take(slots), len(memory.names))
    names = [memory.names[code] for code in distinct.tolist()]
    table = np.array([[name in kinds for name in names] for kinds in _KINDS.values()], np.float32)
    return dict(zip(_KINDS, table.take(place, axis=1), strict=True))


def _sizes(counts: NDArray[np.int32]) -> Floats:
    """Counts on a logarithmic scale; one above the table has the value of the largest."""
    sizes: Floats = _SIZES.take(counts, mode="clip")
    return sizes


def spread(by_place: Mapping[int, float], places: Integers) -> Floats:
    """A value for each place; the places are ascending, and only a few have one."""
    values = np.zeros(len(places), np.float32)
    if by_place and len(places):
        wanted = np.fromiter(by_place, np.int64, len(by_place))
        at = places.searchsorted(wanted)
        found = places.take(at, mode="clip") == wanted
        values[at[found]] = np.fromiter(by_place.values(), np.float32, len(by_place))[found]
    return values
