"""Expands the query by words of the folder's vocabulary with a similar meaning."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from sightline.arrays import Floats, distinct
from sightline.embedding.embedder import Embedder
from sightline.search.ranking import fuse, retrieve
from sightline.search.ranking.constants import Tuning
from sightline.search.ranking.pipeline import Ranking
from sightline.search.ranking.retrieve import Term
from sightline.search.stages.stage import StageInput, rescored
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.words import split, stem

# The words in names, most frequent first; each costs one embedding, once.
_MAX_WORDS = 1500
_MIN_LENGTH = 4


class WordVectors:
    """Vectors of the words in symbol names; rebuilt when the number of names has doubled."""

    def __init__(self, embedder: Callable[[], Embedder | None]) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._built_at = 0
        self._words: list[str] = []
        self._vectors: Floats = np.zeros((0, 0), np.float32)

    def near(self, memory: MemoryIndex, vector: Floats, tuning: Tuning) -> list[str]:
        """The nearest words to a query's vector, best first."""
        with self._lock:
            if len(memory.names) > 2 * self._built_at:
                self._build(memory)
        if not self._words:
            return []
        cosines = self._vectors @ vector
        best = np.argsort(-cosines, kind="stable")[: 4 * int(tuning.expansion_terms)]
        return [self._words[at] for at in best if cosines[at] >= tuning.expansion_cosine]

    def _build(self, memory: MemoryIndex) -> None:
        self._built_at = len(memory.names)
        codes = distinct(memory.symbols.columns["name"][memory.symbols.alive()])
        counts = Counter(word for code in codes.tolist() for word in set(split(memory.names[code])))
        words = [
            word for word, count in counts.most_common(_MAX_WORDS) if len(word) >= _MIN_LENGTH and count > 1
        ]
        embedder = self._embedder()
        if embedder is not None and words:
            self._words, self._vectors = words, embedder.embed(words)


def expanded(
    memory: MemoryIndex, words: WordVectors, terms: Sequence[Term], vector: Floats, tuning: Tuning
) -> list[Term]:
    """Terms to add to a query: related, known to the index, and not yet in the query."""
    seen = {term.text for term in terms}
    added: list[Term] = []
    for word in words.near(memory, vector, tuning):
        text = stem(word)
        id = memory.vocabulary.get(text)
        if text in seen or id is None or not memory.keywords.df(id):
            continue
        seen.add(text)
        added.append(Term(text, id, memory.keywords.idf(id), len(terms)))
    return added[: int(tuning.expansion_terms)]


class Expansion:
    """Scores related words of the folder in addition to those of the query."""

    def __init__(self, embedder: Callable[[], Embedder | None]) -> None:
        self._words = WordVectors(embedder)

    def __call__(self, ranking: Ranking, inputs: StageInput) -> Ranking:
        """Raise places that contain related words; a query for a name is not expanded."""
        first = ranking.evidence[0]
        if first.part.vector is None or ranking.kind == "symbol":
            return ranking
        added = expanded(inputs.memory, self._words, ranking.terms, first.part.vector, inputs.tuning)
        if not added:
            return ranking
        slots = ranking.candidates.slots
        matching = retrieve.matching(inputs.memory, added)
        found = matching.scores(slots, matching.counts(slots))
        weight = np.float32(inputs.tuning.expansion_weight * first.weights["bm25"])
        return rescored(ranking, ranking.scores + weight * fuse.scaled(found))
