"""The tools as agents see them: names, descriptions and JSON schemas of the arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sightline.search.query.parse_query import KINDS

MOST_RESULTS = 100
MOST_CHARACTERS = 200_000
# About 2,500 tokens per answer and 200 per place.
CHARACTERS = 10_000
CHARACTERS_PER_HIT = 800

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `required` lists the mandatory arguments."""

    name: str
    title: str
    description: str
    properties: Mapping[str, Schema]
    required: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return {
            "type": "object",
            "properties": {name: dict(each) for name, each in self.properties.items()},
            "required": list(self.required),
            "additionalProperties": False,
        }


def _texts(description: str, **more: Any) -> Schema:
    return {"type": "array", "items": {"type": "string", **more}, "description": description}


def _whole(description: str, low: int, high: int, default: int) -> Schema:
    bounds = {"minimum": low, "maximum": high, "default": default}
    return {"type": "integer", "description": description, **bounds}


FILTERS: Mapping[str, Schema] = {
    "languages": _texts("Only files in these languages, such as python or go."),
    "paths": _texts("Only paths that match one of these globs, relative to the folder, such as src/**."),
    "excludePaths": _texts("No paths that match one of these globs, such as **/tests/**."),
    "kinds": _texts("Only definitions of these kinds.", enum=sorted(KINDS)),
    "name": {"type": "string", "description": "Only definitions whose name matches this glob: User*."},
}
_FOLDER: Schema = {
    "type": "string",
    "description": "Only this open folder, by its path, if several are open.",
}
_SIZES: Mapping[str, Schema] = {
    "maxCharactersPerHit": _whole(
        "The maximum length of the code of each place; 0 shows none.", 0, MOST_CHARACTERS, CHARACTERS_PER_HIT
    ),
    "maxCharacters": _whole("The maximum length of the answer.", 500, MOST_CHARACTERS, CHARACTERS),
}


def _limit(default: int) -> Schema:
    return _whole("The maximum number of places.", 1, MOST_RESULTS, default)


SEARCH = Tool(
    "search",
    "Search code by meaning",
    "Find code in the open folders by what it does, by name or by keywords, in any words. Better than grep"
    " when the exact text is not known. Each place has the line to go to, why it was found, and the code"
    " there. The confidence from 0 to 1 says how sure the best place is; weak places only fill the page.",
    {
        "query": {
            "type": "string",
            "description": "What the code does, a name, an error message or a stack trace.",
        },
        **FILTERS,
        "scope": _texts(
            "Only files that differ from the last commit (changed), or only those that do not (-changed).",
            enum=["changed", "-changed"],
        ),
        "folder": _FOLDER,
        "limit": _limit(10),
        "offset": _whole("Skip this many places, to get the next page.", 0, 10_000, 0),
        **_SIZES,
    },
    ("query",),
)
RELATED = Tool(
    "related",
    "Find related code",
    "Show what calls a definition, what it calls, its tests, what it implements and code like it, for a"
    " place in a file. `resolved` follows from scopes, imports and types; `likely` means"
    " that only one candidate is left.",
    {
        "path": {"type": "string", "description": "The file, absolute or relative to an open folder."},
        "line": _whole("The line, counted from 1.", 1, 2**31 - 1, 1),
        "column": _whole("The column in that line, counted from 1.", 1, 2**31 - 1, 1),
        **FILTERS,
        "limit": _limit(20),
        **_SIZES,
    },
    ("path", "line"),
)
SYMBOLS = Tool(
    "symbols",
    "Find definitions by name",
    "Find definitions by their name or parts of it: HttpReq finds HttpRequest, Server.start a method.",
    {
        "query": {"type": "string", "description": "The name, or parts of it."},
        **FILTERS,
        "folder": _FOLDER,
        "limit": _limit(30),
        "maxCharacters": _SIZES["maxCharacters"],
    },
    ("query",),
)
STATUS = Tool(
    "status",
    "State of the index",
    "Report for each open folder whether its index is complete, what it contains and which problems it has.",
    {},
)

TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in (SEARCH, RELATED, SYMBOLS, STATUS)}
