"""Globs over posix paths relative to a folder, and over names."""

from __future__ import annotations

import re
from functools import lru_cache

from sightline.errors import InvalidRequest

_CACHE_SIZE = 512


def _class_end(glob: str, start: int) -> int:
    """The index of the `]` that closes the character class opened at `start`."""
    end = glob.find("]", start + 2 if glob[start + 1 : start + 2] in ("!", "^", "]") else start + 1)
    if end < 0:
        raise InvalidRequest(f"The glob '{glob}' has a '[' without a ']'.")
    return end


def _star(glob: str, at: int) -> tuple[str, int]:
    """The pattern of the stars at `at`, and where the glob goes on: only `**` crosses folders."""
    if not glob.startswith("**", at):
        return "[^/]*", at + 1
    after = at + 2
    whole_part = at == 0 or glob[at - 1] == "/"
    if whole_part and glob.startswith("/", after):
        return "(?:[^/]+/)*", after + 1
    return ".*", after


def _translate(glob: str) -> str:
    out: list[str] = []
    at = depth = 0
    while at < len(glob):
        char = glob[at]
        if char == "*":
            piece, at = _star(glob, at)
            out.append(piece)
            continue
        if char == "[":
            end = _class_end(glob, at)
            inside = glob[at + 1 : end].replace("\\", "\\\\")
            out.append(f"[{'^' + inside[1:] if inside[:1] == '!' else inside}]")
            at = end + 1
            continue
        if char == "{":
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            out.append(")")
            at += 1
            continue
        special = {"{": "(?:", "?": "[^/]"}.get(char) or ("|" if char == "," and depth else re.escape(char))
        out.append(special)
        at += 1
    if depth:
        raise InvalidRequest(f"The glob '{glob}' has a '{{' without a '}}'.")
    return "".join(out)


def _compiled(glob: str, pattern: str, flags: int = 0) -> re.Pattern[str]:
    try:
        return re.compile(pattern, flags | re.DOTALL)
    except re.error as error:
        raise InvalidRequest(f"The glob '{glob}' cannot be read: {error}.") from error


@lru_cache(maxsize=_CACHE_SIZE)
def path_pattern(glob: str) -> re.Pattern[str]:
    """A full-match pattern: a glob without a slash matches at any depth, a folder matches all below it."""
    anchored = glob.removeprefix("./").replace("\\", "/")
    body = anchored.strip("/")
    if not body:
        raise InvalidRequest(f"The glob '{glob}' names nothing.")
    anywhere = "" if "/" in anchored.rstrip("/") else "(?:.*/)?"
    return _compiled(glob, f"{anywhere}{_translate(body)}(?:/.*)?")


@lru_cache(maxsize=_CACHE_SIZE)
def name_pattern(glob: str) -> re.Pattern[str]:
    """A full-match pattern for a symbol name; without an upper-case letter, case does not matter."""
    flags = 0 if any(char.isupper() for char in glob) else re.IGNORECASE
    return _compiled(glob, _translate(glob), flags)
