"""`sightline mcp` as a client of the official SDK sees it: a real process on stdin and stdout."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client import ClientRequestContext
from pydantic import FileUrl

from sightline.agents.tool_definitions import TOOLS
from sightline.location import CACHE_VARIABLE, index_dir
from sightline.mcp.mcp_session import McpSession
from sightline.stores.catalog.folder_lock import FolderLock
from tests.faults.harness import session
from tests.files import write_files
from tests.unit.workspace.index_state import TIMEOUT

Era = Literal["legacy", "auto"]
_FILES = {
    "src/basket.py": "def charge_credit_card(number, amount):\n    return amount\n",
    "src/session.go": "package src\n\nfunc RefreshSession(token string) string { return token }\n",
}
both_eras = pytest.mark.parametrize("era", ["legacy", "auto"])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return write_files((tmp_path / "project").resolve(), _FILES)


@asynccontextmanager
async def _client(
    *arguments: str | Path,
    era: Era = "auto",
    cwd: Path | None = None,
    roots: Sequence[Path] | None = None,
) -> AsyncIterator[Client]:
    async def list_roots(context: ClientRequestContext) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=FileUrl(root.as_uri())) for root in roots or ()])

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "sightline", "mcp", *map(str, arguments)],
        env=dict(os.environ),
        cwd=cwd,
    )
    callback = None if roots is None else list_roots
    async with Client(server, mode=era, list_roots_callback=callback, read_timeout_seconds=TIMEOUT) as client:
        yield client


async def _ask(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    assert not result.is_error, content.text
    return content.text


async def _refused(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    assert result.is_error
    return content.text


@both_eras
async def test_a_client_lists_the_tools_and_gets_answers(project: Path, era: Era) -> None:
    async with _client("--folder", project, era=era) as client:
        tools = (await client.list_tools()).tools
        assert {tool.name: tool.input_schema for tool in tools} == {
            name: tool.schema for name, tool in TOOLS.items()
        }
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
        found = await _ask(client, "search", query="take money from a credit card")
        assert "index ready, 2 of 2 files" in found
        assert "1. src/basket.py:1 " in found
        assert "RefreshSession" in await _ask(client, "symbols", query="refresh")
        assert await _ask(client, "related", path="src/basket.py", line=1)
        assert "written by this process" in await _ask(client, "status")


@both_eras
async def test_errors_are_reported_and_the_session_continues(project: Path, era: Era) -> None:
    async with _client("--folder", project, era=era) as client:
        assert "not known" in await _refused(client, "search", query="a", language="go")
        assert "unknown tool" in (await _refused(client, "delete")).lower()
        assert "basket.py" in await _ask(client, "search", query="credit card")


@both_eras
async def test_the_roots_of_the_client_are_searched_and_nothing_else(
    project: Path, tmp_path: Path, era: Era
) -> None:
    other = write_files((tmp_path / "other").resolve(), {"secret.py": "def other_secret():\n    pass\n"})
    async with _client(era=era, cwd=other, roots=[project]) as client:
        assert str(project) in await _ask(client, "status")
        assert "other_secret" not in await _ask(client, "search", query="other_secret")
        refused = await _refused(client, "related", path=str(other / "secret.py"), line=1)
        assert "There is no file" in refused


@both_eras
async def test_folders_of_the_command_line_override_the_clients_roots(
    project: Path, tmp_path: Path, era: Era
) -> None:
    other = write_files((tmp_path / "other").resolve(), {"secret.py": "def other_secret():\n    pass\n"})
    async with _client("--folder", project, era=era, roots=[other, tmp_path]) as client:
        assert str(other) not in await _ask(client, "status")
        assert "other_secret" not in await _ask(client, "search", query="other_secret")


async def test_without_folders_or_roots_the_current_project_is_searched(project: Path) -> None:
    (project / ".git").mkdir()
    async with _client(cwd=project / "src") as client:
        assert f"{project}: ready" in await _ask(client, "status")


async def test_text_that_the_agent_just_wrote_is_found(project: Path) -> None:
    async with _client("--folder", project) as client:
        assert "No definition" in await _ask(client, "symbols", query="written_just_now")
        write_files(project, {"src/new.py": "def written_just_now():\n    pass\n"})
        assert "src/new.py:1" in await _ask(client, "symbols", query="written_just_now")


async def test_answers_come_from_the_index_that_the_editor_writes(project: Path) -> None:
    with session(project) as editor:
        async with _client("--folder", project) as client:
            assert "written by another process" in await _ask(client, "status")
            found = await _ask(client, "search", query="take money from a credit card")
            assert "1. src/basket.py:1 " in found
            assert "index ready" in found
            editor.save("src/new.py", "def saved_in_the_editor():\n    pass\n")
            editor.settle()
            assert "src/new.py:1" in await _ask(client, "symbols", query="saved_in_the_editor")
            assert editor.folder.status().writer
        assert editor.messages == []


def _until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_when_idle_it_lets_an_editor_become_the_writer(project: Path) -> None:
    quiet = McpSession(quiet_seconds=0.1)
    assert quiet.ask([project], lambda workspace: workspace.status()[0].writer)
    lock = FolderLock(index_dir(project) / "lock")
    _until(lock.try_acquire)
    assert not quiet.ask([project], lambda workspace: workspace.status()[0].writer)
    lock.release()
    quiet.close()


def test_changed_roots_replace_the_first_ones(project: Path, tmp_path: Path) -> None:
    other = write_files((tmp_path / "other").resolve(), {"a.py": "def a():\n    pass\n"})
    asking = McpSession()
    for root in (project, other, project):
        assert asking.ask([root], lambda workspace: [f.root for f in workspace.folders]) == [root]
    asking.close()


def test_the_process_ends_with_its_client(project: Path) -> None:
    command = [sys.executable, "-m", "sightline", "mcp", "--folder", str(project)]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
    assert ended.returncode == 0
    assert ended.stdout == b""
    lock = FolderLock(index_dir(project) / "lock")
    assert lock.try_acquire()
    lock.release()


def test_without_the_sdk_the_message_says_how_to_install_it(project: Path) -> None:
    code = "import sys; sys.modules['mcp_types'] = None; from sightline.cli import main; sys.exit(main())"
    for arguments in (("mcp",), ("mcp", "install", "--print")):
        result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
        assert result.returncode == 2
        assert "pip install 'sightline[mcp]'" in result.stderr
        assert "Traceback" not in result.stderr
