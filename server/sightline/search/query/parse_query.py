"""Splits the user's input into inline filters and the remaining free text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sightline.errors import InvalidRequest
from sightline.languages import table
from sightline.search.query.message import is_message
from sightline.search.query.path_globs import name_pattern, path_pattern
from sightline.search.query.report import read_report
from sightline.search.query.scopes import checked_scopes
from sightline.search.query.text_patterns import MOST_PATTERNS, ExactText, TextPattern, read_expression
from sightline.types import Filters
from sightline.wordlist import words

KINDS = words(
    "function method class struct interface trait enum type module namespace constant variable field "
    "property macro impl object constructor test section block text"
)

FILTER_KEYS = ("lang", "path", "kind", "name", "in")
_NEGATABLE = ("path", "in")
# Common mistakes for a filter's name: report them instead of searching for them as text.
_NEAR_MISSES = {
    "language": "lang",
    "languages": "lang",
    "langs": "lang",
    "ext": "lang",
    "paths": "path",
    "file": "path",
    "files": "path",
    "dir": "path",
    "folder": "path",
    "kinds": "kind",
    "names": "name",
    "symbol": "name",
    "scope": "in",
}
# A quoted text that stands alone must match, and so must an expression. A quote inside a word and a text in
# backticks are plain text. `a::b` and `http://` are not filters.
_PIECE = re.compile(
    r'(?<!\S)"(?P<exact>(?:\\"|[^"])+)"(?!\S)|"[^"]*"|`[^`]*`'
    r"|(?<!\S)re:/(?P<expression>(?:\\.|[^\\]){0,2000}?)/(?P<flags>[A-Za-z]*)(?!\S)|(?<!\S)(?P<open>-?re:/\S*)"
    r'|(?<!\S)(?P<minus>-?)(?P<key>[A-Za-z]+):(?!:|//)(?P<value>"[^"]*"|[^\s"]*)'
)
_SIGN = re.compile(r'["`:]')
_SPACES = re.compile(r"\s+")
# Control characters have no meaning in a query and would end up in logs and terminals. Line ends are kept:
# they distinguish pasted text from a question.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]+")
_MAX_CHARACTERS = 10_000
_ANY = Filters()


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The free text on one line, all conditions a hit must satisfy, and the text with its lines."""

    text: str
    filters: tuple[Filters, ...] = ()
    lines: str = ""
    patterns: tuple[TextPattern, ...] = ()


def _languages(values: list[str], piece: str) -> tuple[str, ...]:
    found: list[str] = []
    for value in values:
        language = table.resolve(value)
        if language is None:
            near = ", ".join(table.nearest(value))
            hint = f" Did you mean {near}?" if near else ""
            raise InvalidRequest(f"The filter '{piece}' names no known language.{hint}")
        found.append(language.id)
    return tuple(found)


def _kinds(values: list[str], piece: str) -> tuple[str, ...]:
    for value in values:
        if value.lower() not in KINDS:
            near = get_close_matches(value.lower(), sorted(KINDS), n=2)
            hint = f" Did you mean {' or '.join(near)}?" if near else f" Known: {', '.join(sorted(KINDS))}."
            raise InvalidRequest(f"The filter '{piece}' names no known kind.{hint}")
    return tuple(value.lower() for value in values)


def checked(filters: Filters) -> Filters:
    """The filters of a request with language aliases resolved; raises on the first invalid one."""
    if filters == _ANY:
        return filters
    path_pattern(*filters.paths)
    path_pattern(*filters.exclude_paths)
    if filters.name:
        name_pattern(filters.name)
    return Filters(
        languages=_languages(list(filters.languages), "languages"),
        paths=filters.paths,
        exclude_paths=filters.exclude_paths,
        kinds=_kinds(list(filters.kinds), "kinds"),
        name=filters.name,
        scope=checked_scopes(filters.scope, "scope"),
    )


def _filter_key(match: re.Match[str]) -> str | None:
    """The filter key of a piece, None for free text; raises for a malformed filter."""
    key, value, piece = match["key"].lower(), match["value"], match.group()
    if key not in FILTER_KEYS:
        if key in _NEAR_MISSES and value:
            raise InvalidRequest(f"There is no filter '{key}:' (in '{piece}'); it is '{_NEAR_MISSES[key]}:'.")
        return None
    if not value.strip('"'):
        raise InvalidRequest(
            f"The filter '{piece}' needs a value right after the colon; to search for it as text, put it in"
            " backticks."
        )
    if match["minus"] and key not in _NEGATABLE:
        raise InvalidRequest(f"The filter '{piece}' cannot be negated; only '-path:' and '-in:' can.")
    return key


def _pattern(match: re.Match[str]) -> TextPattern | None:
    """The pattern that a piece requires to match; raises for a malformed expression."""
    if match["open"]:
        if match["open"].startswith("-"):
            raise InvalidRequest(f"The expression '{match['open']}' cannot be negated.")
        raise InvalidRequest(f"The expression '{match['open']}' has no '/' at its end.")
    if match["expression"] is not None:
        return read_expression(match["expression"], match["flags"], match.group())
    exact = (match["exact"] or "").replace('\\"', '"')
    return ExactText(exact) if exact.strip() else None


def _collect(found: dict[str, list[str]], match: re.Match[str], key: str) -> None:
    value, piece = match["value"].strip('"'), match.group()
    values = [part for part in value.split(",") if part]
    if key == "lang":
        found["languages"].extend(_languages(values, piece))
    elif key == "kind":
        found["kinds"].extend(_kinds(values, piece))
    elif key == "path":
        path_pattern(value)
        found["exclude_paths" if match["minus"] else "paths"].append(value)
    elif key == "in":
        found["scope"].extend(match["minus"] + name for name in checked_scopes(values, piece))
    elif found["name"]:
        raise InvalidRequest(f"The filter '{piece}' is a second 'name:'; one query can have one.")
    else:
        name_pattern(value)
        found["name"].append(value)


def _inline(found: Mapping[str, Sequence[str]]) -> Filters:
    return Filters(
        languages=tuple(found["languages"]),
        paths=tuple(found["paths"]),
        exclude_paths=tuple(found["exclude_paths"]),
        kinds=tuple(found["kinds"]),
        name="".join(found["name"]),
        scope=tuple(found["scope"]),
    )


def parse(query: str, request_filters: Filters = _ANY) -> ParsedQuery:
    """Split a query into its filters and its free text; raises InvalidRequest naming a bad filter."""
    if len(query) > _MAX_CHARACTERS:
        raise InvalidRequest(
            f"The query has {len(query)} characters; at most {_MAX_CHARACTERS} are searched."
        )
    found: dict[str, list[str]] = {
        name: [] for name in ("languages", "paths", "exclude_paths", "kinds", "name", "scope")
    }
    patterns: list[TextPattern] = []

    def consume(match: re.Match[str]) -> str:
        pattern = None if pasted else _pattern(match)
        if pattern is not None:
            patterns.append(pattern)
            return " "
        key = _filter_key(match) if match["key"] and (match["value"] or not pasted) else None
        if key is None:
            return match.group()
        _collect(found, match, key)
        return " "

    # Filters come first; below its first line, pasted text has no filters.
    readable = _CONTROL.sub(" ", query.replace("\r\n", "\n"))
    first, line_end, rest = readable.partition("\n")
    # What a pasted report or message quotes is seldom in the code verbatim.
    pasted = read_report(readable) is not None or is_message(first)
    # The expression is tried at every character, and most queries have nothing that a piece has.
    lines = (_PIECE.sub(consume, first) if _SIGN.search(first) else first) + line_end + rest
    inline = _inline(found) if any(found.values()) else _ANY
    if len(patterns) > MOST_PATTERNS:
        raise InvalidRequest(
            f"The query has {len(patterns)} texts to match; at most {MOST_PATTERNS} are allowed."
        )
    wanted = tuple(filters for filters in (inline, checked(request_filters)) if filters != _ANY)
    return ParsedQuery(_SPACES.sub(" ", lines).strip(), wanted, lines.strip(), tuple(patterns))
