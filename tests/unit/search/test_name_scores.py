"""Names scored as arrays get the scores that the matcher gives each of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import Cancelled
from sightline.search.matcher import match, match_start
from sightline.search.name_scores import NameScores
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.name_text import NameRun, NameText

_LETTERS = st.text(alphabet="abAB_1x.", max_size=12)
_NAMES = st.lists(st.one_of(_LETTERS, st.text(alphabet="aB_", min_size=120, max_size=140)), max_size=30)


def _runs(mapped: list[str], added: list[str]) -> tuple[Interner, tuple[NameRun, NameRun]]:
    first, names = Interner(), Interner()
    first.codes(mapped)
    names.use(first.arrays())
    text = NameText(names)
    text.runs()
    for name in added:
        names.code(name)
    return names, text.runs()


def _scores(pattern: str, run: NameRun) -> tuple[list[float], list[float]]:
    scores = NameScores(pattern, run, np.arange(len(run.ends)))
    return scores.starts().tolist(), scores.all(None).tolist()


@given(pattern=st.text(alphabet="abAB_1", min_size=1, max_size=70), mapped=_NAMES, added=_NAMES)
def test_names_get_the_scores_of_the_matcher(pattern: str, mapped: list[str], added: list[str]) -> None:
    names, runs = _runs(mapped, added)
    assert sum(len(run.ends) for run in runs) == len(names)
    for run in runs:
        starts, scores = _scores(pattern, run)
        known = [names[run.first + number] for number in range(len(run.ends))]
        assert starts == pytest.approx([match_start(pattern, name) for name in known], abs=1e-12)
        assert scores == pytest.approx([match(pattern, name) for name in known], abs=1e-12)


def test_text_follows_names_that_are_mapped_anew() -> None:
    names = Interner()
    text = NameText(names)
    names.codes(["alpha", "beta"])
    before = text.runs()
    assert [len(run.ends) for run in before] == [0, 3]
    names.use(names.arrays())
    names.code("gamma")
    mapped, added = text.runs()
    assert bytes(mapped.text) == b"alphabeta"
    assert bytes(added.text) == b"gamma"
    assert added.first == 3


def test_scoring_stops_when_it_is_cancelled() -> None:
    _, (_, run) = _runs([], ["xaxb"])
    with pytest.raises(Cancelled):
        NameScores("ab", run, np.arange(len(run.ends))).all(lambda: True)
