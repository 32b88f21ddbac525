"""Formats hits: for users, for editors that read lines, and for programs that read JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sightline.commands.console import mark, paint
from sightline.commands.project_root import from_here
from sightline.types import Hit, SearchResult, Snippet, SymbolHit, SymbolInfo
from sightline.visible import quoted, visible

_MOST_LINES = 4
_INDENT = "    "
_TAB = "\t"


def print_hit(hit: Hit, context: int | None = None) -> None:
    """A hit on several lines: place, symbol, signature, and the best lines."""
    name = f"  {_named(hit.symbol)}" if hit.symbol else ""
    print(f"{_place(hit)}{name}  {hit.score:.2f}  {paint(_why(hit), 'dim')}")
    lines = _numbered(hit)
    shown = _context(lines, hit.line, context) if context is not None else _best(hit, lines)
    signature = hit.symbol.signature if hit.symbol else ""
    if signature and not any(_contains_signature(lines[number], signature) for number in shown):
        print(f"{_INDENT}{paint(signature, 'symbol')}")
    width = len(str(max(shown, default=0) + 1))
    for number in shown:
        print(f"{_INDENT}{paint(str(number + 1).rjust(width), 'dim')}  {_marked(hit, number, lines[number])}")


def print_group(reason: str, hits: Iterable[Hit]) -> None:
    """Related code of one group under its heading, each with the relevant line."""
    print(paint(f"{reason}:", "symbol"))
    for hit in hits:
        name = f"  {_named(hit.symbol)}" if hit.symbol else ""
        sure = {"resolved": "", "likely": "  likely"}.get(hit.confidence, f"  {hit.score:.2f}")
        print(f"  {_place(hit)}{name}{paint(sure, 'dim')}")
        print(f"{_INDENT}{visible(_text(hit).strip())}")


def print_line(hit: Hit) -> None:
    """A hit on one line."""
    shown = hit.symbol.signature if hit.symbol and hit.symbol.signature else _text(hit)
    kind = f" {_named(hit.symbol)}:" if hit.symbol else ""
    print(f"{_place(hit)}:{kind} {visible(' '.join(shown.split()))}")


def print_vimgrep(hit: Hit) -> None:
    """A hit in the format of ripgrep and vim's errorformat `%f:%l:%c:%m`."""
    where = quoted(from_here(hit.folder, hit.path))
    print(f"{where}:{hit.line + 1}:{_column(hit) + 1}:{visible(_text(hit), keep=_TAB)}")


def print_symbol(hit: SymbolHit) -> None:
    """A definition on one line."""
    symbol = hit.symbol
    where = quoted(from_here(hit.folder, hit.path))
    container = visible(f"{symbol.container}." if symbol.container else "")
    place = f"{paint(where, 'path')}:{paint(str(symbol.name_line + 1), 'line')}"
    print(f"{place}  {symbol.kind} {container}{paint(symbol.name, 'symbol')}")


def print_explanation(explain: Mapping[str, Any]) -> None:
    """Why a hit is at its rank, one part per line."""
    rows = list(_rows(explain))
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        print(f"{_INDENT}{paint(name.ljust(width), 'dim')}  {visible(value)}")


def result_json(found: SearchResult) -> dict[str, Any]:
    """A search result for programs; lines and columns count from 1, as in all user-facing output."""
    return {
        "hits": [hit_json(hit) for hit in found.hits],
        "total": found.total,
        "took_ms": found.took_ms,
        "cached": found.cached,
        "confidence": found.confidence,
        "note": found.note,
        "coverage": found.coverage,
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit for programs; `file` opens it, `path` is relative to `folder`."""
    return {
        "file": str(Path(hit.folder, hit.path)),
        "folder": hit.folder,
        "path": hit.path,
        "line": hit.line + 1,
        "column": _column(hit) + 1,
        "cell": None if hit.cell is None else hit.cell + 1,
        "start_line": hit.start_line + 1,
        "end_line": hit.end_line + 1,
        "language": hit.language,
        "symbol": hit.symbol,
        "score": hit.score,
        "weak": hit.weak,
        "match": hit.match,
        "why": hit.why,
        "reason": hit.reason,
        "snippet": _snippet_json(hit.snippet),
        "explain": hit.explain,
    }


def _snippet_json(snippet: Snippet) -> dict[str, Any]:
    first = snippet.start_line + 1
    highlights = [
        {"line": first + each.line, "column": each.start + 1, "end_column": each.end + 1}
        for each in snippet.highlights
    ]
    return {
        "text": snippet.text,
        "start_line": first,
        "truncated": snippet.truncated,
        "highlights": highlights,
    }


def symbol_json(hit: SymbolHit) -> dict[str, Any]:
    """A definition for programs."""
    symbol = hit.symbol
    return {
        "file": str(Path(hit.folder, hit.path)),
        "folder": hit.folder,
        "path": hit.path,
        "line": symbol.name_line + 1,
        "column": symbol.name_column + 1,
        "start_line": symbol.start_line + 1,
        "end_line": symbol.end_line + 1,
        "language": hit.language,
        "name": symbol.name,
        "kind": symbol.kind,
        "container": symbol.container,
        "signature": symbol.signature,
        "score": hit.score,
    }


def _column(hit: Hit) -> int:
    return hit.selection.start if hit.selection else 0


def _why(hit: Hit) -> str:
    return hit.why or hit.reason or hit.match


def _place(hit: Hit) -> str:
    where = quoted(from_here(hit.folder, hit.path))
    cell = "" if hit.cell is None else f" (cell {hit.cell + 1})"
    return f"{paint(where, 'path')}:{paint(str(hit.line + 1), 'line')}{cell}"


def _named(symbol: SymbolInfo) -> str:
    container = visible(f"{symbol.container}." if symbol.container else "")
    return f"{symbol.kind} {container}{paint(symbol.name, 'symbol')}"


def _numbered(hit: Hit) -> dict[int, str]:
    """The lines of the snippet by their number, from 0."""
    return dict(enumerate(hit.snippet.text.split("\n") if hit.snippet.text else [], hit.snippet.start_line))


def _text(hit: Hit) -> str:
    """The text of the landing line; in a notebook, as its cell shows it."""
    shown = _numbered(hit).get(hit.line, "")
    return hit.selection.text if hit.selection and hit.cell is None else shown


def _context(lines: Mapping[int, str], line: int, context: int) -> list[int]:
    return [number for number in lines if abs(number - line) <= context]


def _best(hit: Hit, lines: Mapping[int, str]) -> list[int]:
    """The landing line and those with the most matches, or else the ones after it, in their order."""
    matches = Counter(each.line + hit.snippet.start_line for each in hit.snippet.highlights)
    candidates = [
        number for number, text in lines.items() if text.strip() and (number > hit.line or matches[number])
    ]
    candidates.sort(key=lambda number: (-matches[number], number))
    return sorted(
        [*([hit.line] if hit.line in lines else []), *(each for each in candidates if each != hit.line)][
            :_MOST_LINES
        ]
    )


def _contains_signature(line: str, signature: str) -> bool:
    return " ".join(signature.split()) in " ".join(line.split())


def _marked(hit: Hit, number: int, text: str) -> str:
    places = (each for each in hit.snippet.highlights if each.line + hit.snippet.start_line == number)
    return mark(text, sorted((each.start, each.end) for each in places))


def _rows(explain: Mapping[str, Any], above: str = "") -> Iterable[tuple[str, str]]:
    """The parts of an explanation with their names; nested parts follow their parent."""
    for name, value in explain.items():
        full = f"{above}{name}".replace("_", " ")
        if isinstance(value, Mapping):
            yield from _rows(value, f"{full}: ")
        elif isinstance(value, (list, tuple)):
            yield full, ", ".join(map(str, value)) or "none"
        else:
            yield full, f"{value:.3f}" if isinstance(value, float) else str(value)
