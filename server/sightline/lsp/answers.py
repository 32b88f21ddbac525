"""Converts the workspace's answers to the protocol's types."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, SupportsFloat

from sightline import __version__
from sightline.lsp.positions import Encoding, to_client
from sightline.lsp.wire import (
    WireCoverage,
    WireFolder,
    WireHit,
    WireRange,
    WireSearchResult,
    WireSnippet,
    WireStatus,
    WireSymbol,
)
from sightline.names import PRODUCT
from sightline.requests.uris import Roots
from sightline.types import Coverage, FolderStatus, Hit, SearchResult, Selection, Snippet, SymbolInfo


def search_result(result: SearchResult, roots: Roots, encoding: Encoding) -> WireSearchResult:
    """The answer to a search."""
    wire: WireSearchResult = {
        "results": hits(result.hits, roots, encoding),
        "total": result.total,
        "tookMs": round(result.took_ms, 3),
        "cached": result.cached,
        "confidence": plain(result.confidence),
        "coverage": _coverage(result.coverage),
    }
    if result.note:
        wire["note"] = result.note
    return wire


def hits(found: Iterable[Hit], roots: Roots, encoding: Encoding) -> list[WireHit]:
    """A list of hits, in their order."""
    return [_hit(hit, roots, encoding) for hit in found]


def status(folders: Iterable[FolderStatus], roots: Roots) -> WireStatus:
    """The state of every folder."""
    return {"folders": [_folder(folder, roots) for folder in folders], "version": __version__}


def line_range(first: int, last: int) -> WireRange:
    """Whole lines, ending at the start of the line after: right in every position encoding."""
    return {"start": {"line": first, "character": 0}, "end": {"line": last + 1, "character": 0}}


def plain(value: object) -> Any:
    """A value as JSON: stages explain themselves with numpy numbers, and NaN is not valid JSON."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each) for each in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    # The most common types first: an isinstance check for a protocol is as slow as the rest of an answer.
    if isinstance(value, (float, SupportsFloat)):
        number = float(value)
        return round(number, 6) if math.isfinite(number) else None
    return str(value)


def _hit(hit: Hit, roots: Roots, encoding: Encoding) -> WireHit:
    wire: WireHit = {
        "uri": roots.uri(hit.folder, hit.path),
        "range": line_range(hit.start_line, hit.end_line),
        "folder": roots.folder_uri(hit.folder),
        "path": hit.path,
        "language": hit.language,
        "score": plain(hit.score) or 0.0,
        "match": hit.match,
        "contextRange": line_range(hit.context_start, hit.context_end),
        "snippet": _snippet(hit.snippet, encoding),
    }
    if hit.selection is not None:
        wire["selectionRange"] = _selection(hit.selection, encoding)
    if hit.why:
        wire["why"] = hit.why
    if hit.weak:
        wire["weak"] = True
    if hit.cell is not None:
        wire["cell"] = hit.cell
    if hit.symbol is not None:
        wire["symbol"] = _symbol(hit.symbol)
    if hit.explain is not None:
        wire["explain"] = {str(key): plain(value) for key, value in hit.explain.items()}
    if hit.reason:
        wire["reason"] = hit.reason
    if hit.confidence:
        wire["confidence"] = hit.confidence
    return wire


def _selection(selection: Selection, encoding: Encoding) -> WireRange:
    return _stretch(selection.line, selection.text, selection.start, selection.end, encoding)


def _snippet(snippet: Snippet, encoding: Encoding) -> WireSnippet:
    wire: WireSnippet = {
        "text": snippet.text,
        "startLine": snippet.start_line,
        "truncated": snippet.truncated,
    }
    if snippet.highlights and (encoding == "utf-32" or snippet.text.isascii()):
        # Hundreds of columns that are the client's as they are.
        wire["highlights"] = [
            {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
            for line, start, end in snippet.highlights
        ]
    elif snippet.highlights:
        lines = snippet.text.split("\n")
        wire["highlights"] = [
            _stretch(each.line, lines[each.line], each.start, each.end, encoding)
            for each in snippet.highlights
        ]
    return wire


def _stretch(line: int, text: str, start: int, end: int, encoding: Encoding) -> WireRange:
    return {
        "start": {"line": line, "character": to_client(text, start, encoding)},
        "end": {"line": line, "character": to_client(text, end, encoding)},
    }


def _symbol(symbol: SymbolInfo) -> WireSymbol:
    wire: WireSymbol = {"name": symbol.name, "kind": symbol.kind, "signature": symbol.signature}
    if symbol.container:
        wire["container"] = symbol.container
    return wire


def _coverage(coverage: Coverage) -> WireCoverage:
    wire: WireCoverage = {
        "state": coverage.state,
        "filesIndexed": coverage.files_indexed,
        "filesTotal": coverage.files_total,
    }
    if coverage.reason:
        wire["reason"] = coverage.reason
    return wire


def _folder(folder: FolderStatus, roots: Roots) -> WireFolder:
    wire: WireFolder = {
        "uri": roots.folder_uri(folder.root),
        "state": folder.state,
        "filesIndexed": folder.files_indexed,
        "filesTotal": folder.files_total,
        "chunks": folder.chunks,
        "chunksEmbedded": folder.chunks_embedded,
        "generation": folder.generation,
        "model": folder.model,
        "parse": dict(folder.parse),
        "languages": dict(folder.languages),
        "skipped": dict(folder.skipped),
        "diskBytes": folder.disk_bytes,
        "writer": folder.writer,
        "notes": list(folder.notes),
    }
    if folder.last_error:
        wire["lastError"] = folder.last_error
    return wire


def status_line(status: WireStatus) -> str:
    """The state of every folder in one line for the user."""
    folders = [
        f"{folder['uri'].rstrip('/').rsplit('/', 1)[-1]}: {folder['state']}, "
        f"{folder['filesIndexed']} of {folder['filesTotal']} files, {folder['chunks']} chunks"
        for folder in status["folders"]
    ]
    return f"{PRODUCT} {status['version']}: " + ("; ".join(folders) or "no folder is open")
