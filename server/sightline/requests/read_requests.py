"""Parses the params of Sightline's custom requests; raises InvalidRequest with a helpful message."""

from __future__ import annotations

from dataclasses import dataclass

from sightline.errors import InvalidRequest
from sightline.requests.fields import Fields
from sightline.types import MODES, Context, Filters, Mode, SearchRequest

MOST_RESULTS = 1000
# How many places are related code, unless the client says otherwise.
_RELATED = 10
_FURTHEST_OFFSET = 100_000
_MOST_CONTEXT = 500
_LAST_LINE = 2**31 - 1

Token = str | int


@dataclass(frozen=True, slots=True)
class SearchParams:
    """The params of workspace/semanticSearch."""

    request: SearchRequest
    folders: tuple[str, ...] | None
    work_done: Token | None
    partial: Token | None
    current: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentPosition:
    """A document and a position in it, in the client's units."""

    uri: str
    line: int
    character: int
    limit: int


def read_search(params: object, limit: int = 10) -> SearchParams:
    """Parse the params of workspace/semanticSearch; `limit` is the default limit."""
    fields = Fields.of(params)
    return SearchParams(
        request=_request(fields, limit),
        folders=fields.texts("folders") if fields.has("folders") else None,
        work_done=_token(fields, "workDoneToken"),
        partial=_token(fields, "partialResultToken"),
        current=fields.text("currentDocument") if fields.has("currentDocument") else None,
    )


def read_place(params: object) -> DocumentPosition:
    """Parse the params of textDocument/related."""
    fields = Fields.of(params)
    position = fields.inner("position")
    return DocumentPosition(
        uri=fields.inner("textDocument").text("uri"),
        line=position.integer("line", 0, _LAST_LINE),
        character=position.integer("character", 0, _LAST_LINE),
        limit=fields.integer("limit", 1, MOST_RESULTS) if fields.has("limit") else _RELATED,
    )


def _request(fields: Fields, limit: int) -> SearchRequest:
    default = SearchRequest(query="")
    return SearchRequest(
        query=fields.text("query"),
        limit=fields.integer("limit", 1, MOST_RESULTS) if fields.has("limit") else limit,
        offset=fields.integer("offset", 0, _FURTHEST_OFFSET) if fields.has("offset") else default.offset,
        mode=_mode(fields) if fields.has("mode") else None,
        filters=_filters(fields.inner("filters")) if fields.has("filters") else default.filters,
        min_score=fields.number("minScore", 0, 1) if fields.has("minScore") else None,
        one_per_file=fields.flag("onePerFile") if fields.has("onePerFile") else None,
        context=_context(fields) if fields.has("context") else default.context,
        explain=fields.flag("explain") if fields.has("explain") else default.explain,
    )


def _mode(fields: Fields) -> Mode:
    mode = fields.text("mode")
    if mode not in MODES:
        raise InvalidRequest(f"params.mode must be one of {', '.join(MODES)}, not {mode!r}")
    return mode


def _filters(fields: Fields) -> Filters:
    fields.known(("languages", "paths", "excludePaths", "kinds", "name", "scope"))

    def texts(name: str) -> tuple[str, ...]:
        return fields.texts(name) if fields.has(name) else ()

    return Filters(
        languages=texts("languages"),
        paths=texts("paths"),
        exclude_paths=texts("excludePaths"),
        kinds=texts("kinds"),
        name=fields.text("name") if fields.has("name") else "",
        scope=texts("scope"),
    )


def _context(fields: Fields) -> Context:
    value = fields.values["context"]
    if value == "smart":
        return "smart"
    if value == "none":
        return "none"
    if isinstance(value, str):
        raise InvalidRequest('params.context must be "smart", "none" or an object with before and after')
    lines = fields.inner("context")
    before, after = (
        lines.integer(name, 0, _MOST_CONTEXT) if lines.has(name) else 0 for name in ("before", "after")
    )
    return before, after


def _token(fields: Fields, name: str) -> Token | None:
    value = fields.values.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise InvalidRequest(f"params.{name} must be a string or a number")
    return value
