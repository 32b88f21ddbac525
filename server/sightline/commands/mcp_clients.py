"""The configuration files of the agents' clients: where they are, and the format of an entry."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.errors import SightlineError
from sightline.names import COMMAND

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NAME = COMMAND
_OPEN_FOLDER = "${workspaceFolder}"


@dataclass(frozen=True, slots=True)
class Entry:
    """How to start the server; without folders, the client names them or starts the server in one."""

    program: str
    before: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    def arguments(self, default: tuple[str, ...] = ()) -> list[str]:
        """The arguments of the program; `default` is used for an entry without folders."""
        folders = self.folders or default
        return [*self.before, "mcp", *(word for folder in folders for word in ("--folder", folder))]


@dataclass(frozen=True, slots=True)
class McpClient:
    """A client: the file for an entry, given the project, and how to format and add an entry."""

    file: Callable[[Path, Entry], Path] | None
    shown: Callable[[Entry], str]
    added: Callable[[Path, Entry], str | None]


def generic() -> McpClient:
    """The format that most clients understand, without a file."""
    return _json_client("mcpServers")


def _json_client(table: str, name: str = "", folders: tuple[str, ...] = ()) -> McpClient:
    def file(project: Path, _entry: Entry) -> Path:
        return project / name

    def made(entry: Entry) -> dict[str, Any]:
        return {"type": "stdio", "command": entry.program, "args": entry.arguments(folders)}

    def shown(entry: Entry) -> str:
        # Escaped: the encoding of a console may lack a character of a path.
        return json.dumps({table: {_NAME: made(entry)}}, indent=2)

    def added(path: Path, entry: Entry) -> str | None:
        whole = _read_json(path)
        servers = whole.setdefault(table, {})
        if not isinstance(servers, dict):
            raise SightlineError(f"{path} was not changed: its {table!r} is not an object.")
        if not _is_new(path, servers, made(entry)):
            return None
        servers[_NAME] = made(entry)
        return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"

    return McpClient(file if name else None, shown, added)


def _toml_client(file: Callable[[Path, Entry], Path], table: str) -> McpClient:
    def shown(entry: Entry) -> str:
        # A JSON string is also a TOML string, and so is a list of strings, except for escaped surrogates.
        command = json.dumps(entry.program, ensure_ascii=False)
        arguments = json.dumps(entry.arguments(), ensure_ascii=False)
        return f"[{table}.{_NAME}]\ncommand = {command}\nargs = {arguments}"

    def added(path: Path, entry: Entry) -> str | None:
        text = _read(path)
        servers = _read_toml(path, text).get(table, {})
        if not isinstance(servers, dict):
            raise SightlineError(f"{path} was not changed: its {table!r} is not a table.")
        if not _is_new(path, servers, {"command": entry.program, "args": entry.arguments()}):
            return None
        # Append at the end: this keeps the comments and the order of the rest.
        new = f"{text.rstrip()}\n\n{shown(entry)}\n".lstrip()
        # Some tables cannot be extended, such as one written on a single line.
        _read_toml(path, new)
        return new

    return McpClient(file, shown, added)


def _read_toml(path: Path, text: str) -> dict[str, Any]:
    try:
        whole: dict[str, Any] = tomllib.loads(text)
        return whole
    except tomllib.TOMLDecodeError as error:
        raise SightlineError(
            f"{path} was not changed: it is not TOML that can be added to ({error})."
            " Add what --print shows by hand."
        ) from error


def _is_new(path: Path, servers: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether there is no such entry yet; a different entry under our name belongs to the user."""
    known = servers.get(_NAME)
    if known is None:
        return True
    if known == entry:
        return False
    raise SightlineError(f"{path} has another entry {_NAME!r}; remove it first, or see --print.")


def _read_json(path: Path) -> dict[str, Any]:
    text = _read(path)
    try:
        whole = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise SightlineError(
            f"{path} was not changed: it is not plain JSON ({error}). Add what --print shows by hand."
        ) from error
    if not isinstance(whole, dict):
        raise SightlineError(f"{path} was not changed: it does not contain an object.")
    return whole


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise SightlineError(f"{path} was not changed: it is not UTF-8.") from error


def _codex_file(project: Path, entry: Entry) -> Path:
    """An entry for certain folders belongs to their project; others serve any project that Codex runs in."""
    home = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    return (project / ".codex" if entry.folders else home) / "config.toml"


CLIENTS: Mapping[str, McpClient] = {
    "claude-code": _json_client("mcpServers", ".mcp.json"),
    "codex": _toml_client(_codex_file, "mcp_servers"),
    "cursor": _json_client("mcpServers", ".cursor/mcp.json", (_OPEN_FOLDER,)),
    "vscode": _json_client("servers", ".vscode/mcp.json", (_OPEN_FOLDER,)),
}
