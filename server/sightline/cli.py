"""The command line: serve, search, related, symbols, index, status, doctor, clear."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sightline import __version__
from sightline.errors import SightlineError
from sightline.types import MODES

_EXIT_ERROR = 1
_EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code; what a person can act on is one line on stderr."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except SightlineError as error:
        print(f"sightline: {error}", file=sys.stderr)
        return _EXIT_ERROR
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; keep Python from complaining when it flushes.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (lives until exit)
        return 0


def _run(options: argparse.Namespace) -> int:
    """Import only what the command needs: a server start must not pay for the terminal's commands."""
    if options.command == "serve":
        from sightline.lsp.serve import serve

        return serve(options.tcp)
    from sightline import commands

    run: dict[str, commands.Command] = {
        "search": commands.search,
        "related": commands.related,
        "symbols": commands.symbols,
        "index": commands.index,
        "status": commands.status,
        "doctor": commands.doctor,
        "clear": commands.clear,
    }
    return run[options.command](options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sightline", description="Find code by meaning, by name and by keyword; offline."
    )
    parser.add_argument("--version", action="version", version=f"sightline {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_serve(commands.add_parser("serve", help="speak the language server protocol on stdin and stdout"))
    _add_search(commands.add_parser("search", help="search a folder, indexing it first where needed"))
    _add_related(commands.add_parser("related", help="code related to a place in a file"))
    _add_symbols(commands.add_parser("symbols", help="definitions by name"))
    for name, text in (
        ("index", "bring the index of a folder up to date"),
        ("status", "what the index of a folder holds"),
        ("clear", "delete the index of a folder"),
    ):
        command = commands.add_parser(name, help=text)
        _add_folder(command)
        _add_json(command)
    commands.choices["index"].add_argument("--force", action="store_true", help="read every file again")
    _add_json(commands.add_parser("doctor", help="check this installation and say what is wrong with it"))
    return parser


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tcp", type=_port, metavar="PORT", help="listen on a loopback port instead, for debugging"
    )
    # Clients such as vscode-languageclient name the transport that is the only one here anyway.
    parser.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", help="words, a name, or both, with filters such as lang:go path:src/**")
    parser.add_argument("folders", nargs="*", type=Path, default=[Path()], metavar="PATH")
    parser.add_argument("-n", "--limit", type=_count, default=10, help="how many results (10)")
    parser.add_argument("--offset", type=_natural, default=0, help="how many results to pass over")
    parser.add_argument("--mode", choices=MODES)
    parser.add_argument("--min-score", type=float, metavar="0..1")
    parser.add_argument("--one-per-file", action="store_true", default=None)
    parser.add_argument("--context", choices=("smart", "none"), default="smart")
    parser.add_argument("--explain", action="store_true", help="why each result is where it is")
    parser.add_argument(
        "--trace", type=Path, metavar="FILE", help="write one JSON line a stage (- is stderr)"
    )
    _add_json(parser)


def _add_related(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="FILE:LINE[:COLUMN]", help="lines and columns count from 1")
    parser.add_argument("--folder", type=Path, default=Path(), metavar="PATH")
    parser.add_argument("-n", "--limit", type=_count, default=10)
    _add_json(parser)


def _add_symbols(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", help="a name or parts of it: `HttpReq`, `Server.start`")
    _add_folder(parser)
    parser.add_argument("-n", "--limit", type=_count, default=20)
    _add_json(parser)


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="PATH")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return int(text)


def _count(text: str) -> int:
    number = _natural(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 is needed")
    return number


def _port(text: str) -> tuple[str, int]:
    return "127.0.0.1", _natural(text)
