"""The scopes of a query: changed files, open files, or files near the current one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from sightline.errors import InvalidRequest
from sightline.types import Filters, ScopeFiles

SCOPES = ("changed", "here", "open")


@dataclass(frozen=True, slots=True)
class SearchScope:
    """What a search depends on besides the index: the files of each requested scope, and the open files."""

    scopes: Mapping[str, ScopeFiles] = field(default_factory=dict)
    open_files: frozenset[str] = frozenset()


def checked_scopes(values: Iterable[str], written: str) -> tuple[str, ...]:
    """The scope names in lower case; raises on the first unknown one."""
    found = []
    for value in values:
        name = value.lower()
        if name.removeprefix("-") not in SCOPES:
            near = get_close_matches(name.removeprefix("-"), SCOPES, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise InvalidRequest(
                f"The filter '{written}' names no known scope; use one of {', '.join(SCOPES)}.{hint}"
            )
        found.append(name)
    return tuple(found)


def asked_scopes(filters: Iterable[Filters]) -> set[str]:
    """The scopes that the filters include or exclude."""
    return {name.removeprefix("-") for each in filters for name in each.scope}


def resolved(filters: Iterable[Filters], scopes: Mapping[str, ScopeFiles]) -> tuple[Filters, ...]:
    """The filters with each scope name replaced by the scope's files."""
    return tuple(_resolved(each, scopes) if each.scope else each for each in filters)


def _resolved(filters: Filters, scopes: Mapping[str, ScopeFiles]) -> Filters:
    within = tuple(scopes[name] for name in filters.scope if not name.startswith("-"))
    outside = tuple(scopes[name[1:]] for name in filters.scope if name.startswith("-"))
    return replace(filters, scope=(), within=within, outside=outside)
