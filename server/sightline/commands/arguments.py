"""Defines the command line; the manual page and the shell completions are generated from it too."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from sightline import __version__
from sightline.names import COMMAND
from sightline.types import MODES

SHELLS = ("bash", "zsh", "fish")
MCP_CLIENTS = ("claude-code", "codex", "cursor", "vscode")
DESCRIPTION = "Find code by meaning, by name and by keyword; offline."

_MOST_RESULTS = 1000
_FURTHEST_OFFSET = 100_000
_MOST_CONTEXT = 500
_LAST_PORT = 65535
_PATH_HELP = "a folder or file; its whole project is indexed, but only results inside PATH are shown"
_PROJECT_HELP = "a folder in the project (the working directory)"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of one command; exits with the usage message if they are invalid."""
    known = parser()
    options, rest = known.parse_known_args(arguments)
    if rest and options.command == "search" and not any(text.startswith("-") for text in rest):
        # argparse does not accept positional arguments that follow an option.
        options.paths += map(Path, rest)
    elif rest:
        known.error(f"unrecognized arguments: {' '.join(rest)}")
    return options


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(prog=COMMAND, description=DESCRIPTION)
    top.add_argument(
        "--version", action="version", version=f"{COMMAND} {__version__}", help="say the version"
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")

    _add_search(add("search", "find code by meaning, names and words; changed files are indexed first"))
    _add_related(add("related", "show callers, callees, tests and similar code of a place in a file"))
    _add_symbols(add("symbols", "find definitions by name"))
    index = add("index", "bring the index of a project up to date")
    _add_project(index)
    index.add_argument("--force", action="store_true", help="read every file again, including unchanged ones")
    _add_project(add("status", "show what the index of a project contains; does not create one"))
    _add_project(add("clear", "delete the index of a project"))
    _add_json(add("doctor", "check this installation and report problems"))
    _add_serve(add("serve", "run the language server on stdin and stdout"))
    _add_mcp(add("mcp", "serve searches to coding agents over the Model Context Protocol"))
    completions = add("completions", "print the completion script of a shell")
    completions.add_argument("shell", choices=SHELLS, help="the shell to complete for")
    return top


def _add_search(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "query",
        type=_query,
        help="words, a name, or both, with filters such as lang:go path:src/** in:changed",
    )
    # Without a default, argparse would name it among the required arguments that are missing.
    command.add_argument("paths", nargs="*", type=Path, default=[], metavar="PATH", help=_PATH_HELP)
    _add_limit(command, 10)
    command.add_argument(
        "--offset",
        type=_whole(0, _FURTHEST_OFFSET),
        default=0,
        metavar="N",
        help="skip the first N results",
    )
    command.add_argument("--mode", choices=MODES, help="by meaning and keywords, or by one of them only")
    command.add_argument(
        "--min-score", type=_share, metavar="0..1", help="leave out results with a lower score"
    )
    command.add_argument(
        "--one-per-file", action="store_true", default=None, help="show only the best result of each file"
    )
    command.add_argument(
        "-C",
        "--context",
        type=_whole(0, _MOST_CONTEXT),
        metavar="N",
        help="show N lines before and after the place instead of the best lines",
    )
    shape = command.add_mutually_exclusive_group()
    shape.add_argument("--oneline", action="store_true", help="one line per result: PATH:LINE: definition")
    shape.add_argument("--vimgrep", action="store_true", help="one line per result: PATH:LINE:COLUMN:text")
    _add_json(shape)
    command.add_argument("--explain", action="store_true", help="explain the rank of each result")
    command.add_argument(
        "--trace", type=Path, metavar="FILE", help="write one JSON line per stage of the search (- is stderr)"
    )


def _add_related(command: argparse.ArgumentParser) -> None:
    command.add_argument("place", metavar="FILE:LINE[:COLUMN]", help="lines and columns count from 1")
    command.add_argument(
        "--folder", type=Path, metavar="PATH", help="the project of a file that is in no known project"
    )
    _add_limit(command, 10)
    _add_json(command)


def _add_symbols(command: argparse.ArgumentParser) -> None:
    command.add_argument("query", type=_query, help="a name or parts of it: `HttpReq`, `Server.start`")
    command.add_argument("path", nargs="?", type=Path, metavar="PATH", help=_PATH_HELP)
    _add_limit(command, 20)
    _add_json(command)


def _add_serve(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--tcp", type=_port, metavar="PORT", help="listen on a loopback port instead, for debugging"
    )
    # Clients such as vscode-languageclient pass the transport explicitly, although it is the only one.
    command.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def _add_mcp(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "action",
        nargs="?",
        choices=("serve", "install"),
        default="serve",
        help="serve the protocol on stdin and stdout (the default), or install it in an agent's client",
    )
    command.add_argument(
        "--folder",
        action="append",
        type=Path,
        default=[],
        metavar="PATH",
        help="a folder that may be searched, instead of those that the client names; may be repeated",
    )
    command.add_argument("--client", choices=MCP_CLIENTS, help="the client to configure")
    command.add_argument("--print", action="store_true", help="only show what would be added, and where")
    command.add_argument("--yes", action="store_true", help="add it without confirmation")


def _add_project(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", nargs="?", type=Path, metavar="PATH", help=_PROJECT_HELP)
    _add_json(command)


def _add_limit(command: argparse.ArgumentParser, count: int) -> None:
    command.add_argument(
        "-n",
        "--limit",
        type=_whole(1, _MOST_RESULTS),
        default=count,
        metavar="N",
        help=f"show at most N results ({count})",
    )


def _add_json(command: argparse._ActionsContainer) -> None:
    command.add_argument("--json", action="store_true", help="print JSON; lines and columns count from 1")


def _query(text: str) -> str:
    """Parses a query; rejects bytes that are not valid text."""
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty: describe what the code does, or give its name")
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _whole(low: int, high: int) -> Callable[[str], int]:
    """Parses an integer within bounds."""

    def read(text: str) -> int:
        # A longer number is out of bounds anyway, and Python refuses to parse thousands of digits.
        number = int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
        if number is None or not low <= number <= high:
            raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r}")
        return number

    return read


def _share(text: str) -> float:
    """Parses a number from 0 to 1; every comparison with NaN is false, so NaN is rejected too."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 1, not {text!r}")
    return number


def _port(text: str) -> tuple[str, int]:
    return "127.0.0.1", _whole(0, _LAST_PORT)(text)
