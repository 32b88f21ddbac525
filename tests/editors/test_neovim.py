"""User scenarios in a real Neovim: headless through its socket, and on a real screen through tmux."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.words import tokens
from tests.editors.neovim import harness
from tests.editors.neovim.journey import (
    CLIENT,
    NO_FLOATS,
    READY,
    ask,
    close_search,
    is_prefix_of,
    listed,
    open_search,
    place_of,
    places,
    plugin_folders,
    quickfix,
    search,
    server_pid,
    shows,
    where,
)
from tests.editors.neovim.programs import installed
from tests.editors.screen import COLUMNS, LINES, eventually
from tests.editors.stdlib_project import copy_standard_library

pytestmark = [
    pytest.mark.editors,
    pytest.mark.xdist_group("editors"),
    pytest.mark.skipif(
        sys.platform != "linux", reason="NEOVIM NOT TESTED: its packages are unpacked on Linux only"
    ),
]

RELATED_REASONS = {
    "definition", "called by", "calls", "test of", "tested by", "implements", "same name", "similar"
}  # fmt: skip
RELATED_GROUPS = {
    "Definition", "Called by", "Calls", "Tests", "Tests this", "Implements", "Same name", "Similar"
}  # fmt: skip
ROWS = Path(__file__).parent / "neovim" / "rows.lua"


@pytest.fixture(scope="module")
def programs() -> Path:
    return installed()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_standard_library(tmp_path_factory.mktemp("work") / "library")


@pytest.fixture(scope="module")
def sockets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("s")


@pytest.fixture(scope="module")
def started(
    programs: Path, home: Path, project: Path, sockets: Path
) -> Iterator[tuple[harness.Neovim, list[str]]]:
    """An editor on a screen, and its screen contents from the first start until the index was ready."""
    editor = harness.start_on_screen(programs, home, project, sockets / f"screen-{os.getpid()}", "gzip.py")
    seen: list[str] = []

    def watch() -> bool:
        seen.append(editor.screen())
        return "Sightline: ready" in seen[-1]

    try:
        eventually("the first index is ready", watch, 180)
        yield editor, seen
    finally:
        editor.close()


@pytest.fixture
def screen(started: tuple[harness.Neovim, list[str]], project: Path) -> harness.Neovim:
    """The editor on a screen, reset to one window on gzip.py."""
    editor = started[0]
    editor.keys("Escape", "Escape")
    editor.until("return vim.api.nvim_get_mode().mode == 'n'")
    editor.command("silent! only | silent! cclose | silent! lclose | messages clear")
    editor.command(f"edit! {project}/gzip.py")
    editor.until(f"return vim.fn.expand('%:p') == '{project}/gzip.py'")
    editor.until(READY)
    return editor


@pytest.fixture(scope="module")
def headless(
    started: tuple[harness.Neovim, list[str]], programs: Path, home: Path, project: Path, sockets: Path
) -> Iterator[harness.Neovim]:
    """A second editor without a screen on the same, already indexed project."""
    editor = harness.start_headless(programs, home, project, sockets / f"headless-{os.getpid()}", "gzip.py")
    try:
        editor.until(READY)
        yield editor
    finally:
        editor.close()


def test_the_first_start_indexes_with_visible_progress(started: tuple[harness.Neovim, list[str]]) -> None:
    progress = [re.search(r"Sightline: indexing (\d+)/(\d+)", screen) for screen in started[1]]
    counted = [(int(match[1]), int(match[2])) for match in progress if match]
    assert counted
    assert counted == sorted(counted)
    assert "Sightline: ready" in started[1][-1]


def test_the_order_on_the_screen_is_the_order_of_the_server(screen: harness.Neovim) -> None:
    open_search(screen, "read a compressed file")
    screen.keep("neovim-live-search")
    assert is_prefix_of(listed(screen.screen()), places(screen, "read a compressed file"))


def test_enter_opens_the_chosen_hit(screen: harness.Neovim, project: Path) -> None:
    expected = places(screen, "read a compressed file")
    open_search(screen, "read a compressed file")
    screen.keys("Down", "Down", "Enter")
    eventually("the place is open", lambda: where(screen) == f"{project}/{expected[2]}")


@pytest.mark.parametrize(
    ("query", "right"),
    [("goroutine", ("asyncio/",)), ("unzip", ("gzip.py", "shutil.py", "tarfile.py", "zipfile"))],
)
def test_a_search_by_meaning_opens_the_right_line(
    query: str, right: tuple[str, ...], screen: harness.Neovim, project: Path
) -> None:
    first = search(screen, query)["results"][0]
    assert first["path"].startswith(right)
    assert not set(tokens(query)) & set(tokens(first["snippet"]["text"] + first["path"]))
    open_search(screen, query)
    screen.keys("Enter")
    place = f"{project}/{place_of(first)}"
    eventually("the place is open", lambda: where(screen) == place)


def test_typing_fast_leaves_no_stale_list(screen: harness.Neovim) -> None:
    screen.command("SightlineSearch")
    screen.sees("Describe what the code does")
    for part in ("send", " an", " email", " with", " attachments"):
        screen.keys(part)
    expected = places(screen, "send an email with attachments")
    shows(screen, expected)
    screen.lua("vim.wait(500)")
    assert is_prefix_of(listed(screen.screen()), expected)


def test_the_up_key_recalls_the_last_query(screen: harness.Neovim) -> None:
    open_search(screen, "parse command line")
    close_search(screen)
    screen.command("SightlineSearch")
    screen.sees("Up brings back “parse command line”")
    screen.keys("Up")
    assert "│parse command line " in screen.sees(" found in ")


def test_the_last_search_is_resumed_unchanged(screen: harness.Neovim, project: Path) -> None:
    expected = places(screen, "parse command line")
    open_search(screen, "parse command line")
    screen.keys("Down", "Down")
    close_search(screen)
    screen.command("SightlineResume")
    screen.sees("│parse command line ")
    shows(screen, expected)
    screen.keys("Enter")
    eventually("the third is open", lambda: where(screen) == f"{project}/{expected[2]}")


def test_tab_completes_a_filter_in_the_prompt(screen: harness.Neovim) -> None:
    screen.command("SightlineSearch")
    screen.sees("Describe what the code does")
    screen.keys("parse a date la", "Tab")
    screen.sees("│parse a date lang: ")
    screen.keys("Tab")
    screen.sees("lang:ada")
    screen.keep("neovim-completion")
    screen.keys("Tab", "Enter")
    screen.sees("│parse a date lang:python ")
    shows(screen, places(screen, "parse a date lang:python"))


def test_the_list_is_refreshed_when_the_index_becomes_ready(
    programs: Path, tmp_path: Path, sockets: Path
) -> None:
    project = copy_standard_library(tmp_path / "library")
    # Indexing takes ten times as long as its work until the file is removed.
    slow = project / ".sightline.toml"
    slow.write_text("[indexing]\ncpu_percent = 10\n")
    editor = harness.start_on_screen(programs, tmp_path, project, sockets / f"slow-{os.getpid()}", "gzip.py")
    try:
        editor.command("SightlineSearch")
        editor.sees("Describe what the code does")
        editor.keys("read a compressed file")
        editor.sees(" · indexing ")
        slow.unlink()
        editor.until(READY, 180)
        shows(editor, places(editor, "read a compressed file"))
        eventually("the answer of the whole index", lambda: " · indexing " not in editor.screen())
    finally:
        editor.close()


def test_the_preview_marks_the_words_that_matched(screen: harness.Neovim) -> None:
    open_search(screen, "read a compressed file")
    words = screen.until(f"""
        local rows, found = dofile('{ROWS}'), nil
        for _, win in ipairs(vim.api.nvim_list_wins()) do
          local title = vim.api.nvim_win_get_config(win).title
          if title and title[1][1]:find('.py:', 1, true) then
            found = rows.marks(vim.api.nvim_win_get_buf(win)).SightlineMatch
          end
        end
        return found
    """)
    assert {word.lower() for word in words} & {"read", "compressed", "file"}


def test_the_window_is_resized_with_the_terminal(screen: harness.Neovim) -> None:
    open_search(screen, "parse command line")
    screen.resize(80, 20)
    try:
        eventually("the window fits", lambda: (now := screen.screen()).count("╮") == 2 and listed(now))
    finally:
        screen.resize(COLUMNS, LINES)


def test_a_query_without_close_hits_shows_a_hint(screen: harness.Neovim) -> None:
    screen.command("SightlineSearch")
    screen.sees("Describe what the code does")
    screen.keys("name:qqxyzzyqq")
    screen.sees("Nothing found")
    screen.keep("neovim-nothing-found")


def test_a_bad_filter_is_explained_in_the_window(screen: harness.Neovim) -> None:
    screen.command("SightlineSearch")
    screen.sees("Describe what the code does")
    screen.keys("sort lang:klingon")
    eventually("the message", lambda: "klingon" in screen.screen().split("lang:klingon", 1)[-1])
    screen.keep("neovim-bad-filter")


def test_a_saved_function_is_found_immediately(screen: harness.Neovim, project: Path) -> None:
    screen.command(f"edit {project}/harvest.py")
    screen.keys(
        "i", "def pluck_ripe_mangoes(orchard):", "Enter", "return [tree.mango for tree in orchard]", "Escape"
    )
    screen.command("write")
    eventually("found", lambda: "harvest.py:1" in places(screen, "pluck ripe mangoes")[:1])


def test_a_file_written_by_another_program_is_found(screen: harness.Neovim, project: Path) -> None:
    (project / "json" / "walrus.py").write_text("def juggle_walrus_tusks(circus):\n    return circus\n")
    eventually("found", lambda: "json/walrus.py:1" in places(screen, "juggle walrus tusks")[:1])


def test_a_link_of_the_hover_opens_related_code(screen: harness.Neovim, project: Path) -> None:
    screen.lua("vim.fn.search('^def compress(')")
    screen.keys("w", "K")
    screen.until(
        "return vim.iter(vim.api.nvim_list_wins()):any(function(w) return vim.w[w]['textDocument/hover'] end)"
    )
    screen.keys("K")
    screen.until("return vim.w['textDocument/hover'] ~= nil")
    screen.keep("neovim-hover")
    assert screen.lua("return vim.fn.search('](file://')") > 0
    target = screen.lua("return vim.api.nvim_get_current_line():match('(file://[^)]+)')")
    screen.keys("Enter")
    path, line = re.fullmatch(r"file://(.+)#L(\d+).*", target).groups()  # type: ignore[union-attr]  # asserts by failing
    eventually("the link is open", lambda: where(screen) == f"{path}:{line}")


def test_hits_can_be_chosen_with_ui_select(screen: harness.Neovim, project: Path) -> None:
    expected = places(screen, "read a compressed file")
    screen.command("SightlineSearch read a compressed file")
    shown = screen.sees("Type number and <Enter>")
    screen.keep("neovim-ui-select")
    assert f"1: {expected[0]}" in shown
    screen.keys("2", "Enter")
    eventually("the second is open", lambda: where(screen) == f"{project}/{expected[1]}")


def test_a_killed_server_is_restarted_and_answers(screen: harness.Neovim) -> None:
    before = screen.lua(CLIENT + "return { client.id }")[0]
    pid = server_pid(screen)
    # Neovim's own message about the exit may be longer than the line; then Neovim would wait for a key.
    screen.lua("vim.o.messagesopt = 'wait:0,history:500'")
    os.kill(pid, signal.SIGKILL)
    screen.until(CLIENT + f"return client ~= nil and client.id ~= {before} and client.initialized")
    screen.until(READY)
    open_search(screen, "read a compressed file")


def _in_order(screen: str, expected: list[str]) -> bool:
    """Whether the rows of a picker are the first of a list, from the top or from the bottom."""
    shown = re.findall(r"[│ >▌](\S+\.py:\d+)[: ]", screen)
    return len(shown) >= 3 and shown[:3] in (expected[:3], expected[: len(shown)][::-1][:3])


@pytest.mark.parametrize("picker", ["snacks", "telescope", "fzf-lua"])
def test_an_installed_picker_shows_live_hits_in_order(
    picker: str,
    started: tuple[harness.Neovim, list[str]],
    programs: Path,
    home: Path,
    project: Path,
    sockets: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SIGHTLINE_TEST_PLUGINS", plugin_folders(picker, programs))
    editor = harness.start_on_screen(programs, home, project, sockets / f"{picker}-{os.getpid()}", "gzip.py")
    try:
        editor.until(READY)
        editor.lua(f"require('sightline').setup({{ picker = '{picker}' }})")
        expected = places(editor, "read a compressed file")
        editor.command("SightlineSearch")
        editor.sees(" Sightline ")
        editor.until("return vim.tbl_contains({ 'i', 't' }, vim.api.nvim_get_mode().mode)")
        editor.keys("read a compressed file")
        eventually("the hits in order", lambda: _in_order(editor.screen(), expected))
        editor.keep(f"neovim-{picker}")
        editor.keys("Enter")
        eventually("the first is open", lambda: where(editor) == f"{project}/{expected[0]}")
        editor.command("SightlineResume")
        editor.sees(expected[1])
        editor.keys("Escape", "Escape")
        # Keys reach the screen later than requests reach the editor.
        editor.until(NO_FLOATS)
        other = places(editor, "parse xml")
        editor.lua("require('sightline').search({ query = 'parse xml', live = true })")
        editor.sees(other[0])
    finally:
        editor.close()


def test_the_quickfix_list_keeps_the_order_of_the_server(headless: harness.Neovim, project: Path) -> None:
    headless.lua("vim.cmd('SightlineSearch! open a network connection')")
    headless.until("return vim.fn.getqflist({ title = 1 }).title == 'Sightline: open a network connection'")
    assert quickfix(headless, project) == places(headless, "open a network connection")


def test_the_location_list_can_be_filled_from_lua(headless: harness.Neovim, project: Path) -> None:
    headless.lua("vim.cmd('only') require('sightline').search({ query = 'parse xml', list = 'loclist' })")
    headless.until("return #vim.fn.getloclist(0) > 0")
    assert quickfix(headless, project, "vim.fn.getloclist(0)") == places(headless, "parse xml")


def test_the_selection_is_searched(headless: harness.Neovim) -> None:
    headless.lua("vim.cmd('only | edit gzip.py') vim.fn.search('^def compress(')")
    headless.lua("vim.cmd.normal({ 'wve\\27', bang = true }) vim.cmd(\"'<,'>SightlineSearch!\")")
    headless.until("return vim.fn.getqflist({ title = 1 }).title == 'Sightline: compress'")


def test_related_code_is_shown_with_its_reason(headless: harness.Neovim) -> None:
    headless.lua(
        "vim.cmd('only | edit gzip.py') vim.fn.search('^def compress(') vim.cmd('SightlineRelated!')"
    )
    headless.until("return vim.fn.getqflist({ title = 1 }).title == 'Sightline: related code'")
    texts = headless.lua("return vim.tbl_map(function(i) return i.text end, vim.fn.getqflist())")
    reasons = {text.split("]")[0].removeprefix("[") for text in texts}
    assert reasons <= RELATED_REASONS


def test_related_code_is_grouped_in_a_separate_window(headless: harness.Neovim) -> None:
    headless.lua("vim.cmd('only | edit gzip.py') vim.fn.search('^def compress(') vim.cmd('SightlineRelated')")
    headless.until("return vim.bo.filetype == 'sightline-prompt'")
    headings = headless.until(
        "local found = {}\n"
        "for _, buf in ipairs(vim.api.nvim_list_bufs()) do\n"
        "  local space = vim.api.nvim_create_namespace('sightline.rows')\n"
        "  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })) do\n"
        "    for _, line in ipairs(mark[4].virt_lines or {}) do table.insert(found, line[1][1]) end\n"
        "  end\n"
        "end\n"
        "return #found > 0 and found"
    )
    headless.lua("vim.api.nvim_input('<Esc>')")
    headless.until("return vim.bo.filetype ~= 'sightline-prompt'")
    assert "Calls" in headings
    assert set(headings) <= RELATED_GROUPS
    assert len(set(headings)) == len(headings)


def test_the_code_action_offers_related_code(headless: harness.Neovim) -> None:
    headless.lua("vim.cmd('only | edit gzip.py') vim.fn.search('^def compress(')")
    headless.until("return #vim.lsp.get_clients({ bufnr = 0, method = 'textDocument/codeAction' }) > 0")
    headless.lua(
        "vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title:find('related') end })"
    )
    headless.until("return vim.bo.filetype == 'sightline-prompt'")
    headless.lua("vim.api.nvim_input('<Esc>')")
    headless.until("return vim.bo.filetype ~= 'sightline-prompt'")


def test_the_code_action_searches_for_the_word_under_the_cursor(screen: harness.Neovim) -> None:
    screen.lua("vim.fn.search('^def compress(')")
    screen.keys("w")
    screen.until("return #vim.lsp.get_clients({ bufnr = 0, method = 'textDocument/codeAction' }) > 0")
    screen.lua(
        "vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title:find('Search') end })"
    )
    assert "│compress " in screen.sees(" found in ")


def test_workspace_symbols_match_names(headless: harness.Neovim) -> None:
    names = [symbol["name"] for symbol in ask(headless, "workspace/symbol", "{ query = 'GzipFile' }")]
    assert "GzipFile" in names


def test_the_status_page_names_the_folder_and_its_state(headless: harness.Neovim, project: Path) -> None:
    headless.lua("vim.cmd('only | SightlineStatus')")
    page = headless.until(
        "local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)\n"
        "local ready = vim.tbl_contains(lines, '  state    ready')\n"
        "return vim.bo.filetype == 'sightline-status' and ready and lines"
    )
    assert str(project) in page
    assert any(line.startswith("  skipped  ") for line in page)
    headless.lua("vim.cmd('close')")


def test_reindexing_ends_in_the_ready_state_with_the_same_hits(headless: harness.Neovim) -> None:
    before = places(headless, "open a network connection")
    headless.lua("_G.statuslines = {} vim.cmd('SightlineReindex')")
    headless.until("return #_G.statuslines > 0")
    headless.until(READY, 180)
    assert places(headless, "open a network connection") == before


def test_checkhealth_finds_nothing_wrong(headless: harness.Neovim) -> None:
    headless.lua("vim.cmd('checkhealth sightline')")
    report = "\n".join(headless.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))
    headless.lua("vim.cmd('bwipeout')")
    assert "positions in utf-8" in report
    assert "ERROR" not in report
    assert "WARNING" not in report


def test_help_works_from_the_documented_install(headless: harness.Neovim) -> None:
    commands = headless.lua("return vim.tbl_keys(vim.api.nvim_get_commands({}))")
    ours = [f":{name}" for name in commands if name.startswith("Sightline")]
    assert len(ours) == 5
    for topic in ("sightline", *ours):
        headless.lua(f"vim.cmd('help {topic}')")
        page = headless.lua("return { vim.fn.expand('%:t'), vim.api.nvim_get_current_line() }")
        headless.lua("vim.cmd('helpclose')")
        assert page[0] == "sightline.txt"
        assert f"*{topic}*" in page[1]


def test_the_help_tags_are_up_to_date(headless: harness.Neovim, tmp_path: Path) -> None:
    shutil.copy(harness.PLUGIN / "doc" / "sightline.txt", tmp_path)
    headless.lua(f"vim.cmd('helptags {tmp_path}')")
    generated = (tmp_path / "tags").read_text("utf-8")
    assert (harness.PLUGIN / "doc" / "tags").read_text("utf-8") == generated, "run: make docs"


def test_filters_are_completed_with_the_values_of_the_server(headless: harness.Neovim) -> None:
    completed = headless.lua("return vim.fn.getcompletion('SightlineSearch open lang:py', 'cmdline')")
    assert "lang:python" in completed
    assert "kind:struct" in headless.lua("return vim.fn.getcompletion('SightlineSearch kind:', 'cmdline')")
    assert headless.lua("return vim.fn.getcompletion('SightlineSearch -p', 'cmdline')") == ["-path:"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("", ["lang:", "path:", "-path:", "kind:", "name:", "in:", "-in:", "re:/", '"']),
        ("in:", ["in:changed", "in:open", "in:here"]),
        ("-in:h", ["-in:here"]),
        ("re:", ["re:/"]),
        ("path:json/de", ["path:json/decoder.py"]),
        ("-path:ema", ["-path:email/"]),
        ("lang:python,jso", ["lang:python,json"]),
        ("plain", []),
        ("https://", []),
    ],
)
def test_the_last_word_of_a_query_is_completed(
    word: str, expected: list[str], headless: harness.Neovim
) -> None:
    client = "vim.lsp.get_clients({ name = 'sightline' })[1]"
    assert headless.lua(f"return require('sightline.complete').candidates('{word}', {client})") == expected


def test_the_languages_of_the_project_are_offered_first(headless: harness.Neovim) -> None:
    offered = headless.lua(CLIENT + "return require('sightline.complete').candidates('lang:', client)")
    assert offered[0] == "lang:python"
    assert "lang:zig" in offered


def test_a_search_sends_the_current_document(headless: harness.Neovim, project: Path) -> None:
    asked = headless.lua(
        CLIENT
        + """
        vim.cmd('only | edit gzip.py')
        local request, asked = client.request, nil
        client.request = function(self, method, params, ...)
          asked = params
          return request(self, method, params, ...)
        end
        require('sightline').search({ query = 'x', list = 'quickfix' })
        client.request = nil
        return asked
        """
    )
    assert asked["currentDocument"] == (project / "gzip.py").as_uri()


def test_the_vocabulary_file_is_up_to_date() -> None:
    generated = subprocess.run(
        [sys.executable, str(harness.PLUGIN / "generate.py")], capture_output=True, text=True, check=True
    ).stdout
    assert (harness.PLUGIN / "lua" / "sightline" / "vocabulary.lua").read_text("utf-8") == generated, (
        "run: make docs"
    )


def test_an_unknown_option_is_reported_by_name(headless: harness.Neovim) -> None:
    problem = headless.lua("local ok, e = pcall(require('sightline').setup, { pickr = 'x' }) return e")
    assert "pickr" in problem
    assert "picker" in problem


def test_a_search_without_an_open_file_starts_only_one_server_for_the_project(
    headless: harness.Neovim, programs: Path, home: Path, project: Path, sockets: Path
) -> None:
    editor = harness.start_headless(programs, home, project, sockets / f"empty-{os.getpid()}")
    try:
        editor.lua("vim.cmd('SightlineSearch! parse xml')")
        editor.until("return #vim.fn.getqflist() > 0")
        editor.lua("vim.cmd('edit gzip.py')")
        editor.until("return #vim.lsp.get_clients({ name = 'sightline', bufnr = 0 }) == 1")
        assert editor.lua("return #vim.lsp.get_clients({ name = 'sightline' })") == 1
    finally:
        editor.close()


def test_the_home_folder_is_never_indexed(programs: Path, home: Path, sockets: Path) -> None:
    (home / "notes.py").write_text("x = 1\n")
    editor = harness.start_headless(programs, home, home, sockets / f"home-{os.getpid()}", "notes.py")
    try:
        editor.lua("_G.said = {} vim.notify = function(text) table.insert(_G.said, text) end")
        editor.lua("vim.cmd('SightlineSearch anything')")
        assert "is not a project" in editor.until("return _G.said[1]")
        assert editor.lua("return #vim.lsp.get_clients({ name = 'sightline' })") == 0
    finally:
        editor.close()


def test_a_missing_server_is_reported_in_one_sentence(
    programs: Path, home: Path, project: Path, sockets: Path
) -> None:
    editor = harness.start_headless(programs, home, project, sockets / f"missing-{os.getpid()}")
    try:
        editor.lua("vim.lsp.config('sightline', { cmd = { 'sightline-is-not-here', 'serve' } })")
        editor.lua("_G.said = {} vim.notify = function(text) table.insert(_G.said, text) end")
        editor.lua("vim.cmd('SightlineSearch anything')")
        assert "sightline-is-not-here" in editor.until("return _G.said[1]")
        editor.lua("vim.cmd('checkhealth sightline')")
        report = "\n".join(editor.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))
        assert "not on $PATH" in report
    finally:
        editor.close()
