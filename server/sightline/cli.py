"""The command line: runs one command and turns every failure into one line and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from sightline.commands.arguments import parse
from sightline.commands.streams import discard_output, open_streams
from sightline.errors import SightlineError
from sightline.interpreter import tune_interpreter
from sightline.names import COMMAND
from sightline.visible import visible

# As in grep, 1 means a search without a result.
_EXIT_ERROR = 2
_EXIT_INTERRUPTED = 130
# The module of each command, which has a function of the command's name.
_MODULES = {
    "search": "search_commands",
    "related": "search_commands",
    "symbols": "search_commands",
    "index": "index_commands",
    "status": "index_commands",
    "clear": "index_commands",
    "doctor": "doctor",
    "mcp": "mcp",
    "completions": "completions",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; an error that the user can act on is one line on stderr."""
    tune_interpreter()
    open_streams()
    try:
        code = _run(parse(arguments))
        # Flush here and not at exit, where Python can only print a warning.
        sys.stdout.flush()
        return code
    except SightlineError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            # The terminal has printed `^C` where the prompt will be.
            print(end="\r\x1b[2K", file=sys.stderr, flush=True)
        return _EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe.
        discard_output()
        return 0
    except OSError as error:
        discard_output()
        return _fail(_describe_os_error(error))


def _fail(sentence: str) -> int:
    print(f"{COMMAND}: {visible(sentence)}", file=sys.stderr)
    return _EXIT_ERROR


def _describe_os_error(error: OSError) -> str:
    """A system error as one line that names its subject."""
    if isinstance(error, FileNotFoundError) and error.filename is None and _working_directory_is_gone():
        return "The working directory no longer exists; change to one that does."
    about = f"{error.filename}: " if error.filename is not None else ""
    return f"{about}{error.strerror or error}."


def _working_directory_is_gone() -> bool:
    try:
        os.getcwd()
    except OSError:
        return True
    return False


def _run(options: argparse.Namespace) -> int:
    """Import only what the command needs: the server must not load the other commands at startup."""
    if options.command == "serve":
        from sightline.lsp.serve import serve

        return serve(options.tcp)
    run = getattr(import_module(f"sightline.commands.{_MODULES[options.command]}"), options.command)
    code: int = run(options)
    return code
