"""Generates the manual page from the command line: `python -m sightline.commands.manual`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from sightline import __version__
from sightline.commands.arguments import DESCRIPTION, parser
from sightline.commands.completions import commands_of, options_of, takes_value
from sightline.names import COMMAND, FOLDER, PRODUCT

_ABOUT = """\
The project is the nearest folder that contains .git or .sightline.toml, or that was indexed before. The first
search indexes it, later ones only what changed. A PATH inside the project limits the search to that part.
Printed paths open from the working directory."""

_FILTERS = {
    "lang:go": "files of a language",
    "path:src/**": "paths that match the glob, relative to the project",
    "-path:**/tests/**": "paths that do not",
    "kind:method": "definitions of a kind: function, method, class, ...",
    "name:User*": "definitions whose name matches",
    "in:changed": "files that git shows as changed, staged or new",
    "in:here": "files below the working directory",
    "-in:changed": "files that are not in a scope",
    '"exact text"': "places that contain exactly this text",
    "re:/ex+p/i": "places that the expression (RE2) matches; i ignores case",
}
_STATUSES = {
    "0": "something was found, or the command succeeded",
    "1": "nothing was found; or the index is incomplete or does not exist; or doctor found a problem",
    "2": "the command failed; one line on stderr gives the reason",
    "130": "interrupted",
}
_FILES = {
    f"~/.cache/{FOLDER}": "the indexes; SIGHTLINE_CACHE_DIR moves them",
    f"~/.config/{FOLDER}/settings.toml": "the user's settings",
    ".sightline.toml": "settings of a project",
    ".sightlineignore": "files that are not indexed, in the syntax of .gitignore",
}


def manual() -> Iterator[str]:
    """The lines of the page."""
    top = parser()
    yield f'.TH {COMMAND.upper()} 1 "" "{PRODUCT} {__version__}" "User Commands"'
    yield from _section("NAME", f"{COMMAND} \\- {DESCRIPTION[0].lower()}{DESCRIPTION[1:-1]}")
    yield ".SH SYNOPSIS"
    for command in commands_of(top).values():
        yield ".br"
        yield _plain(_usage(command))
    yield from _section("DESCRIPTION", _plain(_ABOUT))
    yield ".SH COMMANDS"
    for name, command in commands_of(top).items():
        yield from _command(name, command)
    yield ".SH FILTERS"
    yield "Anywhere in a query:"
    for title, entries in (("", _FILTERS), ("EXIT STATUS", _STATUSES), ("FILES", _FILES)):
        if title:
            yield f".SH {title}"
        for name, text in entries.items():
            yield from (".TP", f".B {_plain(name)}", _plain(text))
    yield from _section("ENVIRONMENT", "NO_COLOR turns colours off.")


def _command(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    yield f".SS {name}"
    yield _plain(command.description or "")
    for action in command._actions:
        if not action.option_strings:
            yield from (".TP", f".I {_plain(_metavar(action))}", _plain(action.help or ""))
    for option in options_of(command):
        flags = ", ".join(option.option_strings)
        value = f" {_metavar(option)}" if takes_value(option) else ""
        yield from (".TP", f".B {_plain(flags + value)}", _plain((option.help or "").replace("%%", "%")))


def _metavar(action: argparse.Action) -> str:
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return str(action.metavar) if action.metavar else action.dest.upper()


def _usage(command: argparse.ArgumentParser) -> str:
    return " ".join(command.format_usage().removeprefix("usage: ").split())


def _section(title: str, text: str) -> Iterator[str]:
    yield f".SH {title}"
    yield text


def _plain(text: str) -> str:
    """Escape text so that troff prints it literally."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.splitlines())


if __name__ == "__main__":
    print("\n".join(manual()))
