"""How widely the names that a file defines are used: users search for what other code builds on."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask
from sightline.stores.catalog.vocabulary import Vocabulary
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.keywords import Keywords
from sightline.stores.memory.snapshot import Array
from sightline.stores.memory.strings import flattened, spread_ranges
from sightline.stores.memory.symbol_table import SymbolTable
from sightline.words import rare_stem, tokens

# Of a file with more names than this, only the first ones are considered.
_MAX_NAMES = 40
# Longer names may be truncated.
_MAX_PLAIN = 64
# Ids begin at 1.
_UNKNOWN = 0


class Usage:
    """For each file, in how many chunks the most used of its top-level names occurs."""

    def __init__(self, names: Interner, symbols: SymbolTable) -> None:
        self._names = names
        self._symbols = symbols
        self._lock = threading.Lock()
        self._vocabulary = Vocabulary()
        # The terms of the files that existed at the start; a file with an unknown term is not `whole`.
        self._mapped_vocabulary = ("", 0)
        self._mapped_terms = np.zeros(0, np.uint32)
        self._mapped_starts = np.zeros(1, np.int64)
        self._whole = np.zeros(0, np.bool_)
        # The symbol rows of a file and the terms of their names: rows never change, new symbols are new rows.
        # An unknown term may still get an id later: in that case the size of the vocabulary is kept too.
        self._terms: dict[int, tuple[range, list[int], int | None]] = {}
        # The counts of files that were asked for, and the generation of the index that they are true of.
        self._counts = -1, np.zeros(0, np.int32)

    def use(self, arrays: Mapping[str, Array], vocabulary: Vocabulary) -> None:
        """Restore what `arrays` returned for this vocabulary."""
        # The one before may be all that was read in this process.
        self._vocabulary = vocabulary
        self._mapped_vocabulary = vocabulary.epoch, len(vocabulary)
        self._mapped_terms, self._mapped_starts = arrays["terms"], arrays["starts"]
        self._whole = arrays["whole"]
        self._terms = {}

    def arrays(self, files: int, vocabulary: Vocabulary) -> dict[str, Array]:
        """What `use` takes, for all files up to a number."""
        with self._lock:
            self._follow(vocabulary)
            terms = self._terms_of(range(files))
        flat, starts = flattened(terms, np.uint32)
        whole = np.fromiter((_UNKNOWN not in each for each in terms), np.bool_, files)
        return {"terms": flat, "starts": starts, "whole": whole}

    def of(self, files: Integers, vocabulary: Vocabulary, keywords: Keywords, generation: int) -> Floats:
        """Log-scaled usage of some ascending files, 0 to 1 within them, in an index of this generation."""
        known = self._known(generation, int(files[-1]) + 1 if len(files) else 0)
        counts = known.take(files)
        unknown = (counts < 0).nonzero()[0]
        if len(unknown):
            wanted = files.take(unknown)
            counts[unknown] = known[wanted] = self._counted(wanted, vocabulary, keywords)
        logs = np.log1p(counts.astype(np.float32))
        return (logs / max(float(logs.max(initial=0.0)), 1e-6)).astype(np.float32)

    def _known(self, generation: int, files: int) -> NDArray[np.int32]:
        """The counts of at least so many files in an index of this generation; -1 if not counted yet."""
        of, counts = self._counts
        if of != generation or len(counts) < files:
            larger = np.full(2 * files, -1, np.int32)
            if of == generation:
                larger[: len(counts)] = counts
            self._counts = generation, larger
            return larger
        return counts

    def _counted(self, files: Integers, vocabulary: Vocabulary, keywords: Keywords) -> Integers:
        counts = np.zeros(len(files), np.int64)
        mapped = self._are_mapped(files, vocabulary)
        for at, (owners, ids) in (
            (np.flatnonzero(mapped), self._stored(files[mapped])),
            (np.flatnonzero(~mapped), self._looked_up(files[~mapped], vocabulary)),
        ):
            np.maximum.at(counts, at[owners], keywords.frequencies(ids))
        return counts

    def _are_mapped(self, files: Integers, vocabulary: Vocabulary) -> Mask:
        """Which files still have the names that they had at the start."""
        epoch, size = self._mapped_vocabulary
        known = files < len(self._whole)
        if vocabulary.epoch != epoch:
            known[:] = False
        elif len(vocabulary) != size:
            known[known] = self._whole[files[known]]
        return known & self._symbols.unchanged(files)

    def _stored(self, files: Integers) -> tuple[Integers, Integers]:
        """The terms of mapped files, each with the index of its file."""
        owners, places = spread_ranges(self._mapped_starts[files], self._mapped_starts[files + 1])
        return owners, self._mapped_terms[places].astype(np.int64)

    def _looked_up(self, files: Integers, vocabulary: Vocabulary) -> tuple[Integers, Integers]:
        """The same for files that were added or changed since."""
        with self._lock:
            self._follow(vocabulary)
            terms = self._terms_of(files.tolist())
        owners = np.repeat(np.arange(len(files)), [len(each) for each in terms])
        return owners, np.fromiter(chain.from_iterable(terms), np.int64, len(owners))

    def _follow(self, vocabulary: Vocabulary) -> None:
        if self._vocabulary is not vocabulary:
            # The vocabulary was read again, and ids may have changed.
            self._vocabulary = vocabulary
            self._terms.clear()

    def _terms_of(self, files: Sequence[int]) -> list[list[int]]:
        # Every search asks for hundreds of files, nearly all of them cached.
        known, of_file, size = self._terms, self._symbols.of_file, len(self._vocabulary)
        found = []
        for file in files:
            rows = of_file(file)
            kept = known.get(file)
            valid = kept is not None and kept[0] == rows and kept[2] in (None, size)
            found.append(kept[1] if kept and valid else self._look_up(file, rows))
        return found

    def _look_up(self, file: int, rows: range) -> list[int]:
        terms = list(filter(None, map(whole_term, self._top_level_names(rows[:_MAX_NAMES]))))
        ids = [self._vocabulary.get(term) or _UNKNOWN for term in terms]
        self._terms[file] = (rows, ids, len(self._vocabulary) if _UNKNOWN in ids else None)
        return ids

    def _top_level_names(self, rows: range) -> list[str]:
        columns = self._symbols.columns
        names = columns["name"][rows.start : rows.stop].tolist()
        containers = columns["container"][rows.start : rows.stop].tolist()
        # The empty name has the code 0.
        return [self._names[name] for name, container in zip(names, containers, strict=True) if not container]


def whole_term(name: str) -> str:
    """The first of a name's terms, which is the whole name; empty if it has none."""
    if name.isascii() and name.isidentifier() and len(name) < _MAX_PLAIN:
        # The whole term can be computed without splitting the name, in a tenth of the time.
        return rare_stem(name.replace("_", "").lower())
    terms = tokens(name)
    return terms[0] if terms else ""
