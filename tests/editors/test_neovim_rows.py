"""The contents of the live window's rows, in a real Neovim without a server."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editors.neovim import harness
from tests.editors.neovim.programs import installed

pytestmark = [
    pytest.mark.editors,
    pytest.mark.xdist_group("editors"),
    pytest.mark.skipif(
        sys.platform != "linux", reason="NEOVIM NOT TESTED: its packages are unpacked on Linux only"
    ),
]

_ROWS = Path(__file__).parent / "neovim" / "rows.lua"


@pytest.fixture(scope="module")
def headless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[harness.Neovim]:
    home = tmp_path_factory.mktemp("home")
    editor = harness.start_headless(
        installed(), home, home, tmp_path_factory.mktemp("s") / f"rows-{os.getpid()}"
    )
    try:
        yield editor
    finally:
        editor.close()


def shown(editor: harness.Neovim, hits: str, note: str = "nil") -> Any:
    """Show hits and return the visible rows."""
    return editor.lua(
        f"local rows = dofile('{_ROWS}') local hit = rows.hit return rows.shown({hits}, {note})"
    )


def test_weak_hits_come_after_a_divider(headless: harness.Neovim) -> None:
    hits = "{ hit('a.py'), hit('b.py', { weak = true }), hit('c.py', { weak = true }) }"
    assert shown(headless, hits)["above"] == ["1 less likely"]


def test_a_note_replaces_the_divider_when_all_hits_are_weak(headless: harness.Neovim) -> None:
    assert shown(headless, "{ hit('b.py', { weak = true }) }", "'Nothing close.'")["above"] == [
        "0 Nothing close."
    ]


def test_groups_of_related_code_have_headings(headless: harness.Neovim) -> None:
    similar = "{ reason = 'similar' }"
    hits = f"{{ hit('a.py', {{ reason = 'test of' }}), hit('b.py', {similar}), hit('c.py', {similar}) }}"
    assert shown(headless, hits)["above"] == ["0 Tests", "1 Similar"]


@pytest.mark.parametrize(
    ("second", "right"), [("same words", ["defines x", "same words"]), ("defines x", ["", ""])]
)
def test_rows_show_why_they_were_found_unless_all_show_the_same(
    second: str, right: list[str], headless: harness.Neovim
) -> None:
    hits = f"{{ hit('a.py', {{ why = 'defines x, and more' }}), hit('b.py', {{ why = '{second}' }}) }}"
    assert shown(headless, hits)["right"] == right


def test_a_hit_in_a_notebook_shows_its_cell(headless: harness.Neovim) -> None:
    assert shown(headless, "{ hit('a.ipynb', { cell = 2 }) }")["rows"] == ["a.ipynb:5 cell 3  größe = open()"]


def test_a_row_without_room_for_the_signature_shows_the_name(headless: harness.Neovim) -> None:
    symbol = "{ name = 'Match', signature = 'func (m MatchersOfARequestByItsPathOrHost) Match(r *Request)' }"
    row = shown(headless, f"{{ hit('modules/caddyhttp/matchers.go', {{ symbol = {symbol} }}) }}")["rows"][0]
    assert "  …Match(r *Re" in row


def test_matched_words_are_highlighted(headless: harness.Neovim) -> None:
    words = "{ start = { line = 0, character = 8 }, ['end'] = { line = 0, character = 12 } }"
    snippet = f"{{ text = 'größe = open()', startLine = 4, truncated = false, highlights = {{ {words} }} }}"
    marked = shown(headless, f"{{ hit('a.py', {{ snippet = {snippet} }}) }}")
    assert marked["SightlineListMatch"] == ["open"]


def test_a_long_row_is_truncated_before_its_reason(headless: harness.Neovim) -> None:
    more = "{ why = '%s', symbol = { signature = 'def ' .. ('x'):rep(500) } }"
    row = shown(headless, f"{{ hit('a.py', {more % 'one'}), hit('b.py', {more % 'other'}) }}")["rows"][0]
    assert row.startswith("a.py:5  def xxx")
    assert row.endswith("…")
    assert len(row) < 100


def test_control_characters_of_a_name_are_escaped_in_every_list(headless: harness.Neovim) -> None:
    snippet = "{ text = 'call(\\27]52;c;x\\7)', startLine = 4, truncated = false }"
    odd = f"hit('a\\n\\27]0;x.py', {{ snippet = {snippet} }})"
    line = headless.lua(f"local hit = dofile('{_ROWS}').hit return require('sightline.hit').line({odd})")
    assert line == "a^@^[]0;x.py:5  call(^[]52;c;x^G)"
    assert shown(headless, f"{{ {odd} }}")["rows"] == [line]


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("open a file lang:", "open a file"),
        ("-in:", ""),
        ("open re:/def \\/(", "open"),
        ("open re:/def/", "open re:/def/"),
        ("what is lang: for", "what is lang: for"),
    ],
)
def test_a_filter_without_its_value_is_not_searched(
    typed: str, searched: str, headless: harness.Neovim
) -> None:
    script = f"return require('sightline.complete').without_unfinished([==[{typed}]==])"
    assert headless.lua(script) == searched


def test_hovers_of_other_servers_keep_their_keys(headless: harness.Neovim) -> None:
    mapped = headless.lua("""
        local function mapped(lines)
          local buf = vim.api.nvim_create_buf(false, true)
          vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
          require('sightline.hover').map_links(buf)
          local keys = vim.api.nvim_buf_get_keymap(buf, 'n')
          vim.api.nvim_buf_delete(buf, { force = true })
          return #keys
        end
        return { mapped({ 'See [the source](file:///a.py#L12)' }),
          mapped({ 'Related:', '- calls: [`open`](file:///a.py#L12) `a.py:12`' }) }
    """)
    assert mapped == [0, 1]
