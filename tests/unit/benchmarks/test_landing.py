"""Which results select the name they are labelled with."""

from pathlib import Path

import pytest

from sightline.types import Hit, Selection, Snippet, SymbolInfo
from tests.benchmarks.ranking.landing import Landing

_TEXT = "# Opens the gate.\ndef open_gate():\n    pass\n"


def _hit(name: str, selection: Selection | None = None) -> Hit:
    symbol = SymbolInfo(name, "function", "", "") if name else None
    return Hit(
        "", "a.py", "python", 0, 2, 1.0, "both", symbol, 0, 2, Snippet("", 0, False), selection=selection
    )


@pytest.mark.parametrize(
    ("hit", "named", "landed"),
    [
        (_hit(""), 0, 0),
        (_hit("open_gate"), 1, 0),
        (_hit("open_gate", Selection(1, 4, 13, "def open_gate():")), 1, 1),
        (_hit("close_gate", Selection(1, 4, 13, "def open_gate():")), 1, 0),
        (_hit("open_gate", Selection(9, 0, 0, "")), 1, 0),
    ],
)
def test_a_result_with_a_name_selects_that_name(tmp_path: Path, hit: Hit, named: int, landed: int) -> None:
    (tmp_path / "a.py").write_text(_TEXT)
    landing = Landing()
    landing.count(tmp_path, hit)
    assert (landing.named, landing.landed) == (named, landed)
