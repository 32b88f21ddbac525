"""Globs over posix paths relative to a folder, and over names; matching takes time linear in the text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from sightline.errors import InvalidRequest

_CACHE_SIZE = 512
# Far above what people write; together they bound the size of the compiled expression.
_MOST_CHARACTERS = 2000
_MOST_STARS = 32
_MOST_BRACES = 32
_MOST_ALTERNATIVES = 256
_MOST_GLOBS = 100
_SHOWN_CHARACTERS = 60
# Enough for as many globs as are allowed; RE2 gets slower, not wrong, if its states need more.
_MOST_BYTES = 1 << 26
_NOT_SLASH = "[^/]"
_NOTHING = r"[^\x00-\x{10FFFF}]"
_AFTER_SLASH, _BEFORE_SLASH = "0", "."


class Pattern(NamedTuple):
    """A compiled glob; `re` would take exponential time for some globs, and holds the GIL."""

    expression: Any
    ignore_case: bool = False

    def fullmatch(self, text: str) -> bool:
        """Whether the glob matches the whole text."""
        text = text.lower() if self.ignore_case else text
        return self.expression.fullmatch(text.encode("utf-8", "replace")) is not None


@lru_cache(maxsize=_CACHE_SIZE)
def path_pattern(*globs: str) -> Pattern:
    """Matches a whole path that matches any of the globs."""
    if len(globs) > _MOST_GLOBS:
        raise InvalidRequest(f"A filter has {len(globs)} globs; at most {_MOST_GLOBS} are allowed.")
    return Pattern(_compiled("|".join(map(_path_expression, globs)) or _NOTHING))


@lru_cache(maxsize=_CACHE_SIZE)
def name_pattern(glob: str) -> Pattern:
    """Matches a whole symbol name; without an upper-case letter, case does not matter."""
    _check_limits(glob)
    return Pattern(_compiled(_expression(glob)), ignore_case=not any(char.isupper() for char in glob))


def literal_glob(path: str) -> str:
    """A glob that matches exactly this path."""
    return "".join(f"[{char}]" if char in "*?[{" else char for char in path)


def _compiled(expression: str) -> Any:
    # Imported here because few searches need it.
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_BYTES
    return re2.compile(f"(?s){expression}".encode(), options)


def _path_expression(glob: str) -> str:
    """A glob without a slash matches at any depth; a folder matches everything below it."""
    _check_limits(glob)
    anchored = glob.removeprefix("./").replace("\\", "/")
    body = anchored.strip("/")
    if not body:
        raise InvalidRequest(f"The glob '{glob}' matches nothing.")
    anywhere = "" if "/" in anchored.rstrip("/") else "(?:.*/)?"
    return f"{anywhere}{_expression(body)}(?:/.*)?"


def _expression(glob: str) -> str:
    """A glob as a regular expression; InvalidRequest if a bracket or brace is not closed."""
    parts, at, depth = [], 0, 0
    while at < len(glob):
        part, length = _next_part(glob, at, in_braces=depth > 0)
        depth += (glob[at] == "{") - (part == ")")
        parts.append(part)
        at += length
    if depth:
        raise InvalidRequest(f"The glob '{_shown(glob)}' has a '{{' without a '}}'.")
    return "".join(parts)


def _next_part(glob: str, at: int, *, in_braces: bool) -> tuple[str, int]:
    """The expression for what stands at a position of a glob, and its length in the glob."""
    char = glob[at]
    if char == "*":
        return _stars(glob, at)
    if char == "[":
        return _class(glob, at)
    if char == "{":
        return "(?:", 1
    if char in ",}" and in_braces:
        return "|" if char == "," else ")", 1
    return _NOT_SLASH if char == "?" else _escaped(char), 1


def _stars(glob: str, at: int) -> tuple[str, int]:
    """Only `**` crosses folders; as a whole path segment it can also match no folder."""
    if not glob.startswith("**", at):
        return f"{_NOT_SLASH}*", 1
    if glob.startswith("/", at + 2) and (at == 0 or glob[at - 1] == "/"):
        return f"(?:{_NOT_SLASH}+/)*", 3
    return ".*", 2


def _class(glob: str, start: int) -> tuple[str, int]:
    """A class such as `[a-z_]` or `[!a-z]`; it never matches a slash, which only separates."""
    negated = glob[start + 1 : start + 2] in ("!", "^")
    first = start + 2 if negated else start + 1
    # A `]` right at the start is a member of the class.
    end = glob.find("]", first + 1)
    if end < 0:
        raise InvalidRequest(f"The glob '{_shown(glob)}' has a '[' without a ']'.")
    ranges = _ranges(glob, glob[first:end])
    if negated:
        return f"[^/{''.join(_range(*each) for each in ranges)}]", end + 1 - start
    parts = [(low, min(high, _BEFORE_SLASH)) for low, high in ranges]
    parts += [(max(low, _AFTER_SLASH), high) for low, high in ranges]
    inside = "".join(_range(low, high) for low, high in parts if low <= high)
    return f"[{inside}]" if inside else _NOTHING, end + 1 - start


def _ranges(glob: str, members: str) -> list[tuple[str, str]]:
    """The members of a class as ranges of characters, each with its first and its last."""
    ranges, at = [], 0
    while at < len(members):
        is_range = members[at + 1 : at + 2] == "-" and at + 2 < len(members)
        low, high = members[at], members[at + 2] if is_range else members[at]
        if high < low:
            raise InvalidRequest(f"The glob '{_shown(glob)}' has the range '{low}-{high}', which is empty.")
        ranges.append((low, high))
        at += 3 if is_range else 1
    return ranges


def _range(low: str, high: str) -> str:
    return f"{_escaped(low)}-{_escaped(high)}"


def _escaped(char: str) -> str:
    return rf"\x{{{ord(char):x}}}"


def _shown(glob: str) -> str:
    return glob if len(glob) <= _SHOWN_CHARACTERS else glob[:_SHOWN_CHARACTERS] + "…"


def _check_limits(glob: str) -> None:
    """Reject a glob that exceeds a limit which no hand-written glob reaches."""
    for what, count, most in (
        ("characters", len(glob), _MOST_CHARACTERS),
        ("stars", glob.count("*"), _MOST_STARS),
        ("braces", glob.count("{"), _MOST_BRACES),
        ("alternatives", glob.count(",") if "{" in glob else 0, _MOST_ALTERNATIVES),
    ):
        if count > most:
            raise InvalidRequest(f"The glob '{_shown(glob)}' has {count} {what}; at most {most} are allowed.")
