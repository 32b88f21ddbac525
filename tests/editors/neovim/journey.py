"""Helpers for what a user does and sees in Neovim."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.editors.neovim.harness import Neovim
from tests.editors.screen import eventually

READY = "return require('sightline').statusline() == 'Sightline: ready'"
NO_FLOATS = """
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then return false end
end
return true
"""
CLIENT = "local client = vim.lsp.get_clients({ name = 'sightline' })[1]\n"


def ask(editor: Neovim, method: str, params: str) -> Any:
    """Send a request over the editor's own connection to the server."""
    return editor.lua(
        f"{CLIENT} local answer = client:request_sync('{method}', {params}, 60000)\n"
        "return answer.err and { error = answer.err.message } or answer.result"
    )


def search(editor: Neovim, query: str) -> Any:
    """Return the server's answer to the request that the live search sends for a query."""
    return ask(
        editor, "workspace/semanticSearch", f"{{ query = [[{query}]], limit = 30, context = 'smart' }}"
    )


def place_of(hit: dict[str, Any]) -> str:
    """Return path:line of the position that a hit opens."""
    landing = hit.get("selectionRange") or hit["range"]
    return f"{hit['path']}:{landing['start']['line'] + 1}"


def places(editor: Neovim, query: str) -> list[str]:
    """Return path:line of the server's hits for a query, in the server's order."""
    return [place_of(hit) for hit in search(editor, query)["results"]]


def where(editor: Neovim) -> str:
    """Return path:line of the cursor, relative to the project."""
    return str(editor.lua("return vim.fn.expand('%:p') .. ':' .. vim.fn.line('.')"))


def open_search(editor: Neovim, query: str) -> None:
    """Open the live search, type a query and wait for its results, not those of a part of it."""
    expected = places(editor, query)
    editor.command("SightlineSearch")
    editor.sees("Describe what the code does")
    editor.keys(query)
    shows(editor, expected)


def shows(editor: Neovim, expected: list[str]) -> None:
    """Wait until the rows of the live search are the first of a list."""
    eventually(f"{expected[:3]} on top", lambda: is_prefix_of(listed(editor.screen()), expected))


def close_search(editor: Neovim) -> None:
    """Close the live search and wait until it is closed: keys reach the editor later than requests."""
    editor.keys("Escape")
    editor.until(NO_FLOATS)


def listed(screen: str) -> list[str]:
    """Return path:line of the live search's rows on a screen."""
    return re.findall(r"│(\S+\.\w+:\d+)  ", screen)


def is_prefix_of(shown: list[str], expected: list[str]) -> bool:
    """Whether the rows on the screen, whose paths may be truncated at the left, are the first of a list."""
    return len(shown) >= 5 and all(
        place.endswith(row.removeprefix("…")) for row, place in zip(shown, expected, strict=False)
    )


def server_pid(editor: Neovim) -> int:
    owner = editor.lua("return vim.fn.getpid()")
    children = Path(f"/proc/{owner}/task/{owner}/children").read_text().split()
    return next(
        int(child) for child in children if b"sightline" in Path(f"/proc/{child}/cmdline").read_bytes()
    )


def quickfix(editor: Neovim, project: Path, getter: str = "vim.fn.getqflist()") -> list[str]:
    place = "function(i) return vim.api.nvim_buf_get_name(i.bufnr) .. ':' .. i.lnum end"
    items = editor.lua(f"return vim.tbl_map({place}, {getter})")
    return [item.removeprefix(f"{project}/") for item in items]


def plugin_folders(picker: str, programs: Path) -> str:
    """Return the folders of a picker plugin: Debian's Telescope, else those in SIGHTLINE_NVIM_PLUGINS."""
    names = {
        "snacks": ["snacks.nvim"],
        "telescope": ["neovim-plenary", "neovim-telescope"],
        "fzf-lua": ["fzf-lua"],
    }
    packages = programs.parent / "usr" / "share"
    shelf = packages if picker == "telescope" else Path(os.environ.get("SIGHTLINE_NVIM_PLUGINS", "missing"))
    folders = [shelf / name for name in names[picker]]
    if not all(folder.is_dir() for folder in folders):
        pytest.skip(
            f"{picker.upper()} NOT TESTED: SIGHTLINE_NVIM_PLUGINS names no folder with {names[picker]}"
        )
    return ":".join(map(str, folders))
