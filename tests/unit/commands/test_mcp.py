"""`sightline mcp install` adds an entry to a client's configuration and damages nothing in it."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline.cli import main
from sightline.commands.arguments import MCP_CLIENTS
from sightline.commands.mcp_clients import CLIENTS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Run = Callable[..., tuple[int, str, str]]
_IN_PROJECT = {
    "claude-code": (".mcp.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "vscode": (".vscode/mcp.json", "servers"),
}
_CODEX = ".codex/config.toml"
in_every_json_client = pytest.mark.parametrize("client", _IN_PROJECT)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return tmp_path


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, with the working directory one folder below its root."""
    folder = home / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    monkeypatch.chdir(folder / "src")
    return folder


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> tuple[int, str, str]:
        code = main(["mcp", "install", *map(str, arguments)])
        return (code, *capsys.readouterr())

    return command


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_every_client_of_the_command_line_is_known() -> None:
    assert set(MCP_CLIENTS) == CLIENTS.keys()


@in_every_json_client
def test_an_entry_is_added_to_a_new_file(run: Run, project: Path, client: str) -> None:
    name, table = _IN_PROJECT[client]
    code, out, _ = run("--client", client, "--yes")
    assert code == 0
    assert name in out
    entry = json.loads((project / name).read_text())[table]["sightline"]
    assert "mcp" in entry["args"]
    assert entry["type"] == "stdio"
    assert ("--folder" in entry["args"]) == (client != "claude-code")
    assert not any(each.endswith((".new", ".backup")) for each in _names((project / name).parent))


@in_every_json_client
def test_other_entries_stay_and_the_old_file_is_backed_up(run: Run, project: Path, client: str) -> None:
    name, table = _IN_PROJECT[client]
    file = project / name
    file.parent.mkdir(exist_ok=True)
    before = f'{{"other": [1, "ä"],\n "{table}": {{"theirs": {{"command": "x"}}}}}}'
    file.write_text(before, encoding="utf-8")
    file.chmod(0o640)
    assert run("--client", client, "--yes")[0] == 0
    after = json.loads(file.read_text(encoding="utf-8"))
    assert after["other"] == [1, "ä"]
    assert after[table]["theirs"] == {"command": "x"}
    assert set(after[table]) == {"theirs", "sightline"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.with_name(f"{file.name}.backup").read_text(encoding="utf-8") == before


def test_the_toml_file_of_codex_keeps_its_comments_and_order(run: Run, home: Path) -> None:
    file = home / _CODEX
    file.parent.mkdir()
    before = '# mine\nmodel = "x"\n\n[mcp_servers.theirs]\ncommand = "y" # why\n'
    file.write_text(before)
    assert run("--client", "codex", "--yes")[0] == 0
    text = file.read_text()
    assert text.startswith(before)
    servers = tomllib.loads(text)["mcp_servers"]
    assert servers["theirs"] == {"command": "y"}
    assert servers["sightline"]["args"][-1] == "mcp"


def test_codex_without_a_file_gets_one(run: Run, home: Path) -> None:
    assert run("--client", "codex", "--yes")[0] == 0
    assert "sightline" in tomllib.loads((home / _CODEX).read_text())["mcp_servers"]


def test_codex_may_keep_its_files_elsewhere(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(home / "agents"))
    assert run("--client", "codex", "--yes")[0] == 0
    assert "sightline" in tomllib.loads((home / "agents" / "config.toml").read_text())["mcp_servers"]
    assert not (home / _CODEX).exists()


def test_an_entry_of_codex_for_one_folder_belongs_to_its_project(run: Run, project: Path, home: Path) -> None:
    assert run("--client", "codex", "--yes", "--folder", project / "src")[0] == 0
    entry = tomllib.loads((project / _CODEX).read_text())["mcp_servers"]["sightline"]
    assert entry["args"][-2:] == ["--folder", str(project / "src")]
    assert not (home / _CODEX).exists()


@pytest.mark.parametrize("client", MCP_CLIENTS)
def test_a_second_install_changes_nothing(run: Run, project: Path, home: Path, client: str) -> None:
    run("--client", client, "--yes")
    file = home / _CODEX if client == "codex" else project / _IN_PROJECT[client][0]
    before = file.read_bytes()
    code, out, _ = run("--client", client, "--yes")
    assert code == 0
    assert "already" in out
    assert file.read_bytes() == before
    assert not any("backup" in name for name in _names(file.parent))


@pytest.mark.parametrize(
    ("client", "text", "message"),
    [
        ("claude-code", '{"mcpServers": {', "not plain JSON"),
        ("vscode", '{ // mine\n "servers": {} }', "not plain JSON"),
        ("cursor", "[]", "does not contain an object"),
        ("cursor", '{"mcpServers": []}', "not an object"),
        ("claude-code", '{"mcpServers": {"sightline": {"command": "mine"}}}', "another entry"),
        ("codex", "model = ", "not TOML"),
        ("codex", "mcp_servers = { a = { command = 'x' } }", "not TOML that can be added to"),
        ("codex", "mcp_servers = 1", "not a table"),
        ("codex", "[mcp_servers.sightline]\ncommand = 'mine'\n", "another entry"),
    ],
)
def test_a_file_that_cannot_be_extended_is_not_changed(
    run: Run, project: Path, home: Path, client: str, text: str, message: str
) -> None:
    file = home / _CODEX if client == "codex" else project / _IN_PROJECT[client][0]
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    code, _, error = run("--client", client, "--yes")
    assert code == 2
    assert message in error
    assert str(file) in error
    assert file.read_text() == text
    assert not any("backup" in name or ".new" in name for name in _names(file.parent))


def test_a_file_that_is_not_text_is_not_changed(run: Run, project: Path) -> None:
    (project / ".mcp.json").write_bytes(b'{"a": "\xff"}')
    code, _, error = run("--client", "claude-code", "--yes")
    assert code == 2
    assert "not UTF-8" in error


def test_a_symbolic_link_stays_a_symbolic_link(run: Run, project: Path, home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text("{}")
    (project / ".mcp.json").symlink_to(real)
    assert run("--client", "claude-code", "--yes")[0] == 0
    assert (project / ".mcp.json").is_symlink()
    assert "sightline" in real.read_text()


def test_printing_changes_nothing(run: Run, project: Path) -> None:
    code, out, error = run("--client", "claude-code", "--print")
    assert code == 0
    assert "sightline" in json.loads(out)["mcpServers"]
    assert str(project / ".mcp.json") in error
    assert not (project / ".mcp.json").exists()
    code, out, error = run("--print")
    assert code == 0
    assert json.loads(out)["mcpServers"]["sightline"]["args"][-1] == "mcp"
    assert error == ""


def test_the_entry_serves_the_folder_given_as_an_argument(run: Run, project: Path) -> None:
    _, out, _ = run("--print", "--folder", project / "src")
    assert json.loads(out)["mcpServers"]["sightline"]["args"][-2:] == ["--folder", str(project / "src")]


@pytest.mark.parametrize("client", MCP_CLIENTS)
def test_any_folder_name_can_be_read_back(run: Run, project: Path, client: str) -> None:
    folder = project / 'a "día" 😀'
    folder.mkdir()
    assert run("--client", client, "--yes", "--folder", folder)[0] == 0
    file = project / (_CODEX if client == "codex" else _IN_PROJECT[client][0])
    text = file.read_text(encoding="utf-8")
    whole = tomllib.loads(text) if client == "codex" else json.loads(text)
    (servers,) = whole.values()
    assert servers["sightline"]["args"][-1] == str(folder)


def test_the_shown_entry_is_valid_in_every_encoding_of_the_console(run: Run, project: Path) -> None:
    (project / "día 😀").mkdir()
    _, out, _ = run("--print", "--folder", project / "día 😀")
    assert out.isascii()
    assert json.loads(out)["mcpServers"]["sightline"]["args"][-1].endswith("día 😀")


@pytest.mark.usefixtures("project")
def test_a_file_that_a_client_is_reading_is_replaced_a_moment_later(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced = []
    monkeypatch.setattr("sightline.commands.mcp.replace_file", lambda *paths: replaced.append(paths))
    assert run("--client", "claude-code", "--yes")[0] == 0
    assert [target.name for _, target in replaced] == [".mcp.json"]


def test_without_a_terminal_there_is_no_prompt(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    code, _, error = run("--client", "claude-code")
    assert code == 2
    assert "--yes" in error
    assert not (project / ".mcp.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(("typed", "added"), [(b"y\n", True), (b"\n", False), (b"no\n", False)])
def test_the_user_is_asked_on_the_terminal(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, typed: bytes, added: bool
) -> None:
    master, slave = os.openpty()
    os.write(master, typed)
    with os.fdopen(slave, "r") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        code, out, _ = run("--client", "claude-code")
    os.close(master)
    assert '"mcpServers"' in out
    assert code == (0 if added else 1)
    assert (project / ".mcp.json").exists() is added


def test_the_client_argument_is_required(run: Run) -> None:
    code, _, error = run()
    assert code == 2
    assert "--client" in error
    assert "claude-code" in error


def test_options_of_installing_are_refused_when_serving(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--yes"]) == 2
    assert "install" in capsys.readouterr().err
    assert main(["mcp", "--folder", "nowhere"]) == 2
    assert "not a folder" in capsys.readouterr().err
