"""Finds past commits by their subjects, and through them the files that such changes touch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sightline.history.log import Commit
from sightline.stores.memory.keywords import Keywords
from sightline.words import counted

_BEST = 40
_DECAY = 0.85
# A commit that changes more files than this is too broad: it says nothing about any of them.
_MOST_FILES = 300


class Touch(NamedTuple):
    """The score of a file from past commits, and the commit that contributes most."""

    score: float
    commit: Commit


class Subjects:
    """BM25 over the subjects of some commits; immutable."""

    def __init__(self, commits: Sequence[Commit] = (), head: str = "") -> None:
        self.head = head
        self.commits = tuple(commits)
        self._informative = [commit for commit in commits if 0 < len(commit.files) <= _MOST_FILES]
        self._vocabulary: dict[str, int] = {}
        self._keywords = Keywords()
        self._fill()

    def touched(self, terms: Iterable[str]) -> dict[str, Touch]:
        """By path, the scores of the files touched by the commits whose subjects match a query best."""
        wanted = {self._vocabulary[term]: 1.0 for term in terms if term in self._vocabulary}
        if not wanted:
            return {}
        scores = self._keywords.scores(wanted, len(self._informative))
        best = [int(at) for at in np.argsort(-scores, kind="stable")[:_BEST] if scores[at] > 0]
        found: dict[str, Touch] = {}
        for rank, at in enumerate(best):
            commit = self._informative[at]
            share = float(scores[at]) * _DECAY**rank / math.sqrt(len(commit.files))
            for path in commit.files:
                known = found.get(path)
                # Commits come best first, but a smaller commit further down may say more about its files.
                found[path] = Touch(known.score + share, known.commit) if known else Touch(share, commit)
        return found

    def _fill(self) -> None:
        known = self._vocabulary
        terms = [counted(commit.subject) for commit in self._informative]
        ids = [known.setdefault(term, len(known)) for each in terms for term in each]
        counts = [min(count, 65535) for each in terms for count in each.values()]
        lengths = np.array([len(each) for each in terms], np.int64)
        slots = np.arange(len(terms), dtype=np.int64)
        self._keywords.add_many(slots, lengths, np.array(ids, np.uint32), np.array(counts, np.uint16))


NOTHING = Subjects()
