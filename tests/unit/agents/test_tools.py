"""The agents' tools, called on a real workspace."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.agents.tool_calls import ToolContext, call
from sightline.agents.tool_definitions import FILTERS, TOOLS
from sightline.errors import InvalidRequest
from sightline.location import CACHE_VARIABLE
from tests.files import write_files
from tests.unit.workspace.index_state import opened

_FILES = {
    "src/basket.py": (
        '"""Baskets."""\n\n\ndef charge_credit_card(number, amount):\n'
        '    """Take money from a card."""\n    return len(number) == 16 and amount > 0\n'
    ),
    "src/shop.py": (
        "from src.basket import charge_credit_card\n\n\nclass Shop:\n    def sell(self, card):\n"
        "        return charge_credit_card(card, 1)\n"
    ),
    "lib/session.go": (
        "package lib\n\n// RefreshSession renews a token.\nfunc RefreshSession(token string) string {\n"
        "\treturn token\n}\n"
    ),
    "tests/test_basket.py": (
        "from src.basket import charge_credit_card\n\n\ndef test_charge_credit_card():\n"
        "    assert charge_credit_card('4' * 16, 1)\n"
    ),
    "README.md": "# Shop\n\nHow a customer pays for a basket with a credit card.\n",
}
_QUERY = "take money from a credit card"
_AUTHOR = {
    f"GIT_{role}_{what}": "someone@example.org"
    for role in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL")
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolContext]:
    home = tmp_path_factory.mktemp("agents").resolve()
    (home / "outside.py").write_text("def secret_outside():\n    return 1\n")
    root = write_files(home / "project", _FILES)
    (root / "link.py").symlink_to(home / "outside.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(home / "cache"))
        workspace, _ = opened(root)
        yield ToolContext(workspace)
        workspace.close(30)


def test_a_search_reports_its_confidence_and_the_location(asked: ToolContext) -> None:
    text = call("search", {"query": _QUERY, "limit": 2}, asked)
    first, _, place, *code = text.split("\n")
    assert re.fullmatch(r"confidence 0\.\d\d, 2 of \d+ places, index ready, 5 of 5 files", first)
    assert re.match(
        r"1\. src/basket\.py:4 \(lines 1-6\)  function charge_credit_card  0\.\d\d  \(.+\)", place
    )
    assert "   4| def charge_credit_card(number, amount):" in code[:4]


def test_weak_results_are_marked_as_weak(asked: ToolContext) -> None:
    text = call("search", {"query": "zebra quantum tectonics"}, asked)
    assert float(text.split()[1].rstrip(",")) < 0.25
    assert "Nothing close" in text
    assert "  weak" in text


def test_a_search_without_results_suggests_what_to_try(asked: ToolContext) -> None:
    text = call("search", {"query": _QUERY, "paths": ["nowhere/**"]}, asked)
    assert text.startswith("confidence 0.00, nothing was found")
    assert text.endswith("Try fewer or other words, or remove a filter.")


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"languages": ["go"]}, {"lib/session.go"}),
        ({"paths": ["src/**"]}, {"src/basket.py", "src/shop.py"}),
        ({"languages": ["python"], "excludePaths": ["src/**"]}, {"tests/test_basket.py"}),
        ({"kinds": ["class"]}, {"src/shop.py"}),
        ({"name": "Refresh*"}, {"lib/session.go"}),
    ],
)
def test_every_filter_is_applied_in_searches(
    asked: ToolContext, filters: dict[str, object], paths: set[str]
) -> None:
    text = call("search", {"query": "credit card session basket shop", **filters}, asked)
    assert set(re.findall(r"(?m)^\d+\. (\S+?):\d+", text)) == paths


def test_the_next_page_continues_the_numbering(asked: ToolContext) -> None:
    first = call("search", {"query": _QUERY, "limit": 1}, asked)
    second = call("search", {"query": _QUERY, "limit": 1, "offset": 1}, asked)
    assert "\n2. " in second
    assert re.findall(r"(?m)^\d\. (\S+)", first) != re.findall(r"(?m)^\d\. (\S+)", second)


@pytest.mark.parametrize("limit", [500, 700, 1000, 3000])
@pytest.mark.parametrize("each", [0, 40, 200, 5000])
def test_an_answer_is_never_longer_than_its_limit(asked: ToolContext, limit: int, each: int) -> None:
    sizes = {"maxCharacters": limit, "maxCharactersPerHit": each}
    text = call("search", {"query": "credit card basket shop session token", **sizes}, asked)
    assert len(text) <= limit
    blocks = re.split(r"(?m)^\d+\. .*$", text)[1:]
    assert blocks
    for block in blocks:
        code = "\n".join(line for line in block.split("\n") if re.match(r"\s+\d+\|", line))
        assert len(code) <= each


def test_results_that_do_not_fit_are_counted(asked: ToolContext) -> None:
    text = call("search", {"query": "credit card basket", "maxCharacters": 500}, asked)
    assert re.search(r"\(no room for .*(\d+) places; raise maxCharacters\)$", text)
    assert "no room" not in call("search", {"query": "credit card basket"}, asked)


def test_related_code_is_grouped_with_its_certainty(asked: ToolContext) -> None:
    text = call("related", {"path": "src/basket.py", "line": 4}, asked)
    assert re.search(r"called by:\n- src/shop\.py:6 \(lines 5-6\)  method Shop\.sell  resolved\n", text)
    assert re.search(r"test of:\n- tests/test_basket\.py:5 ", text)
    only = call("related", {"path": "src/basket.py", "line": 4, "excludePaths": ["tests/**"]}, asked)
    assert "called by:" in only
    assert "tests/" not in only


def test_a_place_may_be_given_by_its_absolute_path(asked: ToolContext) -> None:
    absolute = str(asked.roots[0] / "src" / "basket.py")
    relative = call("related", {"path": "src/basket.py", "line": 4}, asked)
    assert call("related", {"path": absolute, "line": 4}, asked) == relative


def test_symbols_are_found_by_parts_of_their_names(asked: ToolContext) -> None:
    assert call("symbols", {"query": "RefSess"}, asked) == "lib/session.go:4-6  function RefreshSession"
    assert call("symbols", {"query": "charge", "paths": ["src/**"]}, asked) == (
        "src/basket.py:4-6  function charge_credit_card"
    )
    assert "No definition" in call("symbols", {"query": "charge", "kinds": ["class"]}, asked)


def test_the_status_reports_what_is_indexed(asked: ToolContext) -> None:
    text = call("status", {}, asked)
    assert text.startswith(f"{asked.roots[0]}: ready\n  5 of 5 files")
    assert "languages: python 3, go 1, markdown 1" in text
    assert "written by this process" in text


@pytest.mark.parametrize(
    "path",
    [
        "../outside.py",
        "link.py",
        "/etc/passwd",
        "src/../../outside.py",
        "src",
        "nothing.py",
        "a\0b",
        "~/.profile",
        "a" * 5000,
    ],
)
def test_a_path_outside_the_folders_is_refused(asked: ToolContext, path: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        call("related", {"path": path, "line": 1}, asked)
    assert "secret_outside" not in str(refused.value)


def test_a_folder_that_is_not_open_cannot_be_searched(asked: ToolContext) -> None:
    root = asked.roots[0]
    assert call("search", {"query": _QUERY, "folder": str(root)}, asked)
    assert call("search", {"query": _QUERY, "folder": root.name}, asked)
    for other in (str(root.parent), "/", "", "..", "a\0b"):
        with pytest.raises(InvalidRequest, match="not an open folder"):
            call("search", {"query": _QUERY, "folder": other}, asked)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("find", {}, "use one of search, related, symbols, status"),
        ("search", {}, "query is missing"),
        ("search", {"query": 1}, "must be a string"),
        ("search", {"query": "a", "language": "go"}, "arguments.language is not known"),
        ("search", {"query": "a", "languages": ["klingon"]}, "no known language"),
        ("search", {"query": "a", "limit": 0}, "from 1 to"),
        ("search", {"query": "a", "maxCharacters": 1}, "from 500"),
        ("search", [], "must be an object"),
        ("related", {"path": "README.md", "line": 99}, "there is no line 99"),
        ("related", {"path": "README.md", "line": 1, "column": 99}, "has 6 columns"),
        ("related", {"path": "README.md"}, "line is missing"),
        ("symbols", {"query": "a", "kinds": ["thing"]}, "no known kind"),
    ],
)
def test_an_invalid_call_is_refused_with_the_reason(
    asked: ToolContext, name: str, arguments: object, message: str
) -> None:
    with pytest.raises(InvalidRequest, match=re.escape(message)):
        call(name, arguments, asked)


def test_invisible_characters_of_a_file_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    root = write_files(tmp_path / "project", {"a.py": f"def pay():\n    return '{hidden}\u202e\x1b[2J'\n"})
    workspace, _ = opened(root)
    text = call("search", {"query": "pay"}, ToolContext(workspace))
    workspace.close(30)
    assert "\\u{e006f}" in text
    assert "\\u{202e}\\x1b[2J" in text


def test_results_of_several_folders_are_distinguished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    home = tmp_path.resolve()
    one = write_files(home / "one", {"a.py": "def pay_one():\n    pass\n"})
    two = write_files(home / "two", {"a.py": "def pay_two():\n    pass\n"})
    workspace, _ = opened(one)
    assert workspace.add_folder(two).wait_idle(60)
    asked = ToolContext(workspace)
    assert f"{one}{os.sep}a.py:1" in call("symbols", {"query": "pay_one"}, asked)
    assert "pay_two" not in call("symbols", {"query": "pay", "folder": str(one)}, asked)
    assert "pay_one" not in call("search", {"query": "pay", "folder": "two"}, asked)
    workspace.close(30)


def test_the_schemas_are_valid_json_and_name_every_filter() -> None:
    for tool in TOOLS.values():
        schema = json.loads(json.dumps(tool.schema))
        assert set(tool.required) <= set(schema["properties"])
        if tool.name != "status":
            assert FILTERS.keys() <= schema["properties"].keys()


def test_a_search_can_be_narrowed_to_changed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_files((tmp_path / "project").resolve(), _FILES)
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "First"]):
        subprocess.run(["git", *command], cwd=root, env={**os.environ, **_AUTHOR}, check=True)
    (root / "src/shop.py").write_text(_FILES["src/shop.py"] + "\n\ndef pay():\n    return 1\n")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    workspace, _ = opened(root)
    try:
        changed = call("search", {"query": _QUERY, "scope": ["changed"]}, ToolContext(workspace))
        others = call("search", {"query": _QUERY, "scope": ["-changed"]}, ToolContext(workspace))
    finally:
        workspace.close(30)
    assert "src/shop.py" in changed
    assert "src/basket.py" not in changed
    assert "src/basket.py" in others
    assert "src/shop.py" not in others
