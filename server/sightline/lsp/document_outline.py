"""Converts symbols to the protocol's types: ranges in the client's units, and a tree by nesting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from sightline.lsp.kinds import symbol_kind
from sightline.lsp.positions import Encoding, LineTable, to_client, units
from sightline.parsed_file import Symbol

_UNNAMED = "(unnamed)"


def name_range(symbol: Symbol, line: str | None, encoding: Encoding) -> types.Range:
    """The range of a symbol's name; without the line's text, every character counts as one unit."""
    column = symbol.name_column
    if line is None:
        start, end = column, column + len(symbol.name)
    else:
        start = to_client(line, column, encoding)
        end = to_client(line, column + len(symbol.name), encoding)
    at = symbol.name_line
    return types.Range(types.Position(at, start), types.Position(at, end))


def nested(symbols: Iterable[Symbol], lines: LineTable, encoding: Encoding) -> list[types.DocumentSymbol]:
    """The symbols as a tree: a symbol within another's lines is its child."""
    top: list[types.DocumentSymbol] = []
    around: list[types.DocumentSymbol] = []
    for symbol in sorted(symbols, key=lambda each: (each.start_line, -each.end_line, each.name_line)):
        entry = _entry(symbol, lines, encoding)
        while around and not _holds(around[-1].range, entry.range):
            around.pop()
        siblings = top if not around else _children(around[-1])
        siblings.append(entry)
        around.append(entry)
    return top


def flat(
    outline: Sequence[types.DocumentSymbol], uri: str, container: str = ""
) -> list[types.SymbolInformation]:
    """The same as a flat list, for clients without support for a tree."""
    result: list[types.SymbolInformation] = []
    for entry in outline:
        location = types.Location(uri, entry.range)
        result.append(
            types.SymbolInformation(location, entry.name, entry.kind, container_name=container or None)
        )
        result.extend(flat(entry.children or (), uri, entry.name))
    return result


def _entry(symbol: Symbol, lines: LineTable, encoding: Encoding) -> types.DocumentSymbol:
    last = min(symbol.end_line, len(lines) - 1)
    end = types.Position(last, units(lines.line(last), encoding))
    whole = types.Range(types.Position(min(symbol.start_line, last), 0), end)
    name = name_range(symbol, lines.line(symbol.name_line), encoding)
    return types.DocumentSymbol(
        name=symbol.name or _UNNAMED,
        kind=symbol_kind(symbol.kind),
        range=whole,
        # The protocol requires the name's range inside the full range; clients reject the outline otherwise.
        selection_range=name if _holds(whole, name) else types.Range(whole.start, whole.start),
        detail=symbol.signature or None,
    )


def _children(entry: types.DocumentSymbol) -> list[types.DocumentSymbol]:
    children = list(entry.children or ())
    entry.children = children
    return children


def _holds(outer: types.Range, inner: types.Range) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
