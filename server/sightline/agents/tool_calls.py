"""Executes the tools on a workspace and returns text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sightline.agents import text
from sightline.agents.paths import chosen, located
from sightline.agents.tool_definitions import (
    CHARACTERS,
    CHARACTERS_PER_HIT,
    FILTERS,
    MOST_CHARACTERS,
    RELATED,
    SEARCH,
    STATUS,
    SYMBOLS,
    TOOLS,
    Tool,
)
from sightline.errors import InvalidRequest
from sightline.names import COMMAND
from sightline.requests.fields import Fields
from sightline.requests.read_requests import read_search
from sightline.search.query.parse_query import checked
from sightline.search.query.path_globs import name_pattern, path_pattern
from sightline.types import Filters, Hit, SymbolHit
from sightline.workspace import Workspace

# How many results are fetched before the filters are applied to them.
_MAX_FETCHED = 1000


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The context of a call: the workspace, unsaved texts that override its files, and a cancel check."""

    workspace: Workspace
    overlays: Mapping[Path, str] = field(default_factory=dict)
    cancelled: Callable[[], bool] | None = None

    @property
    def roots(self) -> list[Path]:
        """The open folders."""
        return [folder.root for folder in self.workspace.folders]


def call(name: str, arguments: object, context: ToolContext) -> str:
    """The answer of a tool; raises InvalidRequest if the arguments are invalid."""
    tool = TOOLS.get(name)
    if tool is None:
        raise InvalidRequest(f"Unknown tool {name!r}; use one of {', '.join(TOOLS)}.")
    fields = Fields.of({} if arguments is None else arguments, "arguments")
    fields.known(tool.properties.keys())
    if not context.roots:
        raise InvalidRequest(f"No folder is open; start `{COMMAND} mcp --folder PATH`.")
    return _ANSWERS[tool.name](fields, context)


def _search(fields: Fields, context: ToolContext) -> str:
    request = read_search(
        {
            "query": fields.text("query"),
            "limit": _whole(fields, SEARCH, "limit"),
            "offset": _whole(fields, SEARCH, "offset"),
            "filters": _given(fields, *FILTERS, "scope"),
        }
    ).request
    folders = chosen(_optional(fields, "folder"), context.roots)
    found = context.workspace.search(request, folders, context.overlays, context.cancelled)
    return text.search(found, _room(fields), request.offset, several=len(context.roots) > 1)


def _related(fields: Fields, context: ToolContext) -> str:
    path = located(fields.text("path"), context.roots)
    line, column = (_whole(fields, RELATED, name) - 1 for name in ("line", "column"))
    unsaved = context.overlays.get(path)
    _check(context.workspace, path, line, column, unsaved)
    filters = _filters(fields)
    limit = _whole(fields, RELATED, "limit")
    reach = limit if filters == Filters() else _MAX_FETCHED
    hits = context.workspace.related(path, line, column, reach, unsaved, context.cancelled)
    kept = [hit for hit in hits if _passes(hit, filters)][:limit]
    return text.related(kept, _room(fields), several=len(context.roots) > 1)


def _symbols(fields: Fields, context: ToolContext) -> str:
    folders = chosen(_optional(fields, "folder"), context.roots)
    filters = _filters(fields)
    hits = context.workspace.symbols(fields.text("query"), _MAX_FETCHED, context.cancelled)
    inside = [hit for hit in hits if folders is None or Path(hit.folder) in folders]
    kept = [hit for hit in inside if _passes(hit, filters)][: _whole(fields, SYMBOLS, "limit")]
    return text.symbols(kept, _room(fields), several=len(context.roots) > 1)


def _status(_: Fields, context: ToolContext) -> str:
    return text.status(context.workspace.status())


_ANSWERS = {
    SEARCH.name: _search,
    RELATED.name: _related,
    SYMBOLS.name: _symbols,
    STATUS.name: _status,
}


def _given(fields: Fields, *names: str) -> dict[str, object]:
    return {name: fields.values[name] for name in names if fields.has(name)}


def _filters(fields: Fields) -> Filters:
    return checked(read_search({"query": "", "filters": _given(fields, *FILTERS)}).request.filters)


def _whole(fields: Fields, tool: Tool, name: str) -> int:
    """An integer argument within the bounds of its schema, or the schema's default."""
    schema = tool.properties[name]
    if not fields.has(name) and name not in tool.required:
        return int(schema["default"])
    return fields.integer(name, schema["minimum"], schema["maximum"])


def _optional(fields: Fields, name: str) -> str | None:
    return fields.text(name) if fields.has(name) else None


def _room(fields: Fields) -> text.Room:
    def size(name: str, low: int, default: int) -> int:
        return fields.integer(name, low, MOST_CHARACTERS) if fields.has(name) else default

    return text.Room(
        size("maxCharacters", 500, CHARACTERS), size("maxCharactersPerHit", 0, CHARACTERS_PER_HIT)
    )


def _check(workspace: Workspace, path: Path, line: int, column: int, unsaved: str | None) -> None:
    """Reject a position that the file does not have."""
    folder = workspace.folder_of(path)
    source = None
    if folder is not None:
        source = folder.sources({} if unsaved is None else {path: unsaved}).read(folder.relative(path))
    if source is None:
        raise InvalidRequest(f"{path} is not indexed: it is binary, too large, a secret or unreadable.")
    lines = source.lines
    if line >= len(lines):
        raise InvalidRequest(f"{path} has {len(lines)} lines; there is no line {line + 1}.")
    if column > len(lines[line]):
        raise InvalidRequest(f"Line {line + 1} of {path} has {len(lines[line])} columns.")


def _passes(hit: Hit | SymbolHit, filters: Filters) -> bool:
    if filters.languages and hit.language not in filters.languages:
        return False
    if filters.paths and not path_pattern(*filters.paths).fullmatch(hit.path):
        return False
    if path_pattern(*filters.exclude_paths).fullmatch(hit.path):
        return False
    symbol = hit.symbol
    if filters.kinds and (symbol is None or symbol.kind not in filters.kinds):
        return False
    return not filters.name or (
        symbol is not None and bool(name_pattern(filters.name).fullmatch(symbol.name))
    )
