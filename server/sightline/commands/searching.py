"""`sightline search`, `related` and `symbols`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sightline.commands.console import paint, print_json, warn
from sightline.commands.opening import opened
from sightline.errors import SightlineError
from sightline.search.trace import Trace
from sightline.types import Hit, SearchRequest, SearchResult, SymbolHit

_SNIPPET_LINES = 6


def search(options: argparse.Namespace) -> int:
    """Index what changed, search, and show the places."""
    request = SearchRequest(
        query=options.query,
        limit=options.limit,
        offset=options.offset,
        mode=options.mode,
        min_score=options.min_score,
        one_per_file=options.one_per_file,
        context=options.context,
        explain=options.explain,
    )
    with opened(options.folders) as workspace, _trace(options.trace) as trace:
        found = workspace.search(request, trace=trace)
    if options.json:
        print_json(found)
        return 0
    _print_hits(found.hits, many=len(options.folders) > 1)
    _print_end(found)
    return 0


def related(options: argparse.Namespace) -> int:
    """Show what is related to a place in a file."""
    path, line, column = _place(options.place)
    with opened([options.folder]) as workspace:
        found = workspace.related(path.resolve(), line, column, options.limit)
    if options.json:
        print_json(found)
    else:
        _print_hits(found, many=False)
        if not found:
            warn("nothing related was found; try a line inside a function.")
    return 0


def symbols(options: argparse.Namespace) -> int:
    """Show definitions by name."""
    with opened([options.folder]) as workspace:
        found = workspace.symbols(options.query, options.limit)
    if options.json:
        print_json(found)
    else:
        for hit in found:
            _print_symbol(hit)
        if not found:
            warn(f"no definition is called anything like {options.query!r}.")
    return 0


def _place(text: str) -> tuple[Path, int, int]:
    """FILE:LINE[:COLUMN], counted from 1 by people and from 0 here."""
    parts = text.rsplit(":", 2)
    numbers = [int(part) for part in parts[1:] if part.isdecimal()]
    if not numbers or min(numbers) < 1:
        raise SightlineError(f"{text!r} is not FILE:LINE or FILE:LINE:COLUMN, counted from 1.")
    path = Path(":".join(parts[: len(parts) - len(numbers)]))
    if not path.is_file():
        raise SightlineError(f"{path} is not a file.")
    return path, numbers[0] - 1, numbers[1] - 1 if len(numbers) > 1 else 0


@contextmanager
def _trace(target: Path | None) -> Iterator[Trace | None]:
    """Where the stages of a search are written, a line each."""
    if target is None:
        yield None
    elif str(target) == "-":
        yield lambda line: print(line, file=sys.stderr)
    else:
        with target.open("w", encoding="utf-8") as file:
            yield lambda line: print(line, file=file)


def _print_hits(hits: Sequence[Hit], *, many: bool) -> None:
    for hit in hits:
        where = f"{Path(hit.folder).name}/{hit.path}" if many else hit.path
        name = f"  {hit.symbol.kind} {paint(hit.symbol.name, 'symbol')}" if hit.symbol else ""
        why = f"  {paint(hit.reason or hit.match, 'dim')}"
        print(f"{paint(where, 'path')}:{paint(str(hit.start_line + 1), 'line')}{name}  {hit.score:.2f}{why}")
        for line in hit.snippet.text.splitlines()[:_SNIPPET_LINES]:
            print(f"    {paint(line, 'dim')}")
        if hit.explain:
            print(f"    {paint('because', 'warn')} {json.dumps(hit.explain, default=str)}")


def _print_end(found: SearchResult) -> None:
    if not found.hits:
        warn("nothing was found; try fewer or other words, or drop a filter.")
    if found.coverage.state != "ready":
        warn(found.coverage.reason or f"{found.coverage.files_indexed} of {found.coverage.files_total} files")


def _print_symbol(hit: SymbolHit) -> None:
    symbol = hit.symbol
    container = f"{symbol.container}." if symbol.container else ""
    place = f"{paint(hit.path, 'path')}:{paint(str(symbol.name_line + 1), 'line')}"
    print(f"{place}  {symbol.kind} {container}{paint(symbol.name, 'symbol')}")
