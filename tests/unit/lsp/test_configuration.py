"""Settings are found in every wrapping that clients send."""

from __future__ import annotations

import pytest

from sightline.lsp.configuration import merged, section, without_nulls


@pytest.mark.parametrize(
    ("pushed", "tree"),
    [
        ({"sightline": {"search": {"limit": 5}}}, {"search": {"limit": 5}}),
        ({"search": {"limit": 5}}, {"search": {"limit": 5}}),
        ({"sightline": 3}, {}),
        (None, {}),
        ([], {}),
    ],
)
def test_pushed_settings_are_unwrapped(pushed: object, tree: object) -> None:
    assert section(pushed) == tree


def test_the_second_tree_overrides_the_first_value_by_value() -> None:
    below = {"search": {"limit": 5, "mode": "keyword"}, "hover": {"enabled": False}}
    assert merged(below, {"search": {"limit": 7}}) == {
        "search": {"limit": 7, "mode": "keyword"},
        "hover": {"enabled": False},
    }


def test_unset_members_are_omitted() -> None:
    assert without_nulls({"search": {"limit": None, "mode": "hybrid"}, "store": None}) == {
        "search": {"mode": "hybrid"}
    }
