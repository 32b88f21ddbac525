"""`sightline mcp`: serves coding agents, and registers itself with their clients."""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from sightline.commands.console import warn
from sightline.commands.mcp_clients import CLIENTS, Entry, McpClient, generic
from sightline.commands.project_root import current_target, project
from sightline.errors import SightlineError
from sightline.names import COMMAND, PRODUCT
from sightline.platforms import replace_file
from sightline.visible import quoted, visible

_MISSING = (
    f"`{COMMAND} mcp` needs the package mcp, which cannot be loaded here ({{error}}). Install it beside"
    f" {PRODUCT}: pip install '{COMMAND}[mcp]', uv tool install '{COMMAND}[mcp]' or pipx inject"
    f" {COMMAND} 'mcp>=2.3,<3'."
)


def mcp(options: argparse.Namespace) -> int:
    """Serve an agent, or register the server with the agent's client."""
    return _install(options) if options.action == "install" else _serve(options)


def _serve(options: argparse.Namespace) -> int:
    if options.client or options.print or options.yes:
        raise SightlineError(f"--client, --print and --yes are for `{COMMAND} mcp install`.")
    try:
        from sightline.mcp.mcp_server import serve
    except ImportError as error:
        raise SightlineError(_MISSING.format(error=error)) from error
    return serve([_folder(each) for each in options.folder], lambda: current_target().root)


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise SightlineError(f"{path} is not a folder.")
    return path.resolve()


def _install(options: argparse.Namespace) -> int:
    if importlib.util.find_spec("mcp_types") is None:
        raise SightlineError(_MISSING.format(error="there is no mcp_types"))
    if options.client is None and not options.print:
        raise SightlineError(f"name the client with --client: {', '.join(CLIENTS)}; or use --print.")
    client = CLIENTS[options.client] if options.client else generic()
    entry = Entry(*_command(), tuple(str(_folder(each)) for each in options.folder))
    file = client.file(_project(options), entry) if client.file else None
    if options.print or file is None:
        if file is not None:
            warn(f"add this to {file}:")
        print(client.shown(entry))
        return 0
    return _add(client, entry, file, ask=not options.yes)


def _add(client: McpClient, entry: Entry, file: Path, *, ask: bool) -> int:
    new = client.added(file, entry)
    if new is None:
        print(f"{quoted(str(file))} has this entry already")
        return 0
    if ask and not _confirmed(client.shown(entry), file):
        warn("nothing was changed.")
        return 1
    backup = _write(file, new)
    kept = f"; the previous version is {quoted(str(backup))}" if backup else ""
    print(f"added {COMMAND} to {quoted(str(file))}{kept}")
    return 0


def _confirmed(shown: str, file: Path) -> bool:
    if not sys.stdin.isatty():
        raise SightlineError("stdin is not a terminal; use --yes to add the entry, or --print to see it.")
    print(visible(shown, keep="\n"))
    return input(f"Add this to {quoted(str(file))}? [y/N] ").strip().lower() in ("y", "yes")


def _write(file: Path, text: str) -> Path | None:
    """Replace the file atomically; returns the path of the backup, if there was a file."""
    # A symbolic link, common for dotfiles, stays a link.
    real = file.resolve()
    real.parent.mkdir(parents=True, exist_ok=True)
    new = real.with_name(f"{real.name}.{os.getpid()}.new")
    backup = _free_name(real) if real.exists() else None
    try:
        new.write_text(text, encoding="utf-8")
        if backup:
            shutil.copy2(real, backup)
            shutil.copymode(real, new)
        replace_file(new, real)
    finally:
        new.unlink(missing_ok=True)
    return backup


def _free_name(file: Path) -> Path:
    names = (file.with_name(f"{file.name}.backup{number or ''}") for number in range(1000))
    return next(name for name in names if not name.exists())


def _project(options: argparse.Namespace) -> Path:
    return project(options.folder[0] if options.folder else None)


def _command() -> tuple[str, tuple[str, ...]]:
    """The command that starts this installation: its name if the PATH leads to it."""
    found = shutil.which(COMMAND)
    if found and Path(found).resolve().parent == Path(sys.executable).parent.resolve():
        return COMMAND, ()
    return sys.executable, ("-m", COMMAND)
