"""docs/protocol.md matches the messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from sightline.agents.tool_definitions import TOOLS
from sightline.lsp import wire
from sightline.lsp.features import commands
from sightline.requests.read_requests import read_place, read_search

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8")
EXAMPLES: list[dict[str, Any]] = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
]


def _optional(shape: Any) -> set[str]:
    return set(getattr(shape, "__optional_keys__", ()))


def _check(value: Any, shape: Any) -> None:
    """Check that a value has all members its shape requires and no unknown ones."""
    hints = get_type_hints(shape)
    assert set(hints) - _optional(shape) <= set(value) <= set(hints)
    for name, member in value.items():
        hint = hints[name]
        inner = getattr(hint, "__args__", (None,))[0] if isinstance(member, list) else hint
        if hasattr(inner, "__required_keys__"):
            for each in member if isinstance(member, list) else [member]:
                _check(each, inner)


def test_the_example_requests_can_be_parsed() -> None:
    read: dict[str, Callable[[Any], object]] = {
        wire.SEMANTIC_SEARCH: read_search,
        wire.RELATED: read_place,
        wire.CALL_TOOL: lambda params: TOOLS[params["name"]],
    }
    asked = [example for example in EXAMPLES if "method" in example]
    assert {example["method"] for example in asked} == set(read)
    for example in asked:
        read[example["method"]](example["params"])


def test_the_example_results_have_the_shape_of_real_ones() -> None:
    results = [example["result"] for example in EXAMPLES if "result" in example]
    shapes = [wire.WireSearchResult if "results" in result else wire.WireStatus for result in results]
    assert set(shapes) == {wire.WireSearchResult, wire.WireStatus}
    for result, shape in zip(results, shapes, strict=True):
        _check(result, shape)


@pytest.mark.parametrize("shape", [wire.WireHit, wire.WireSearchResult, wire.WireFolder, wire.WireStatus])
def test_every_member_is_described(shape: Any) -> None:
    for name in get_type_hints(shape):
        assert f"`{name}`" in PAGE or f"`{name}." in PAGE, name


@pytest.mark.parametrize(
    "name",
    [commands.REINDEX, commands.CLEAR, commands.FIND_RELATED, commands.SHOW_STATUS, wire.STATUS_CHANGED],
)
def test_every_command_and_notification_is_described(name: str) -> None:
    assert name in PAGE


def test_every_link_inside_the_page_has_a_heading() -> None:
    headings = {
        re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in PAGE.splitlines()
        if line.startswith("#")
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
