"""`sightline search`, `related` and `symbols`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from sightline.commands import printing
from sightline.commands.console import paint, print_json, warn
from sightline.commands.open_workspace import opened
from sightline.commands.project_root import SearchTarget, project_of, target, targets
from sightline.errors import SightlineError
from sightline.indexing.content import Content, read
from sightline.search.query.path_globs import literal_glob
from sightline.search.results.merge import merged
from sightline.search.trace import Trace
from sightline.types import Coverage, Filters, SearchRequest, SearchResult, SymbolHit
from sightline.visible import visible_json
from sightline.words import lines_of
from sightline.workspace import Workspace

_EXIT_NOTHING = 1
# No file has a line number with more digits.
_NUMBER = re.compile(r"[0-9]{1,9}")
_MOST_BYTES = 1 << 26
# How many definitions are fetched to find those in a part of the project.
_MOST_SYMBOLS = 1000


def search(options: argparse.Namespace) -> int:
    """Index what changed, search, and print the places."""
    wanted = targets(options.paths)
    request = SearchRequest(
        query=options.query,
        limit=options.limit,
        offset=options.offset,
        mode=options.mode,
        min_score=options.min_score,
        one_per_file=options.one_per_file,
        context="smart" if options.context is None else (options.context, options.context),
        explain=options.explain,
    )
    roots = list(dict.fromkeys(each.root for each in wanted))
    with _trace(options.trace) as trace, opened(roots) as workspace:
        found = _search(workspace, request, wanted, trace)
    if options.json:
        print_json(printing.result_json(found))
    else:
        _print_hits(found, options)
    return 0 if found.hits else _EXIT_NOTHING


def related(options: argparse.Namespace) -> int:
    """Print what is related to a place in a file."""
    place, line, column = _place(options.place, options.folder)
    with opened([place.root]) as workspace:
        found = workspace.related(place.root / place.part, line, column, options.limit)
    if options.json:
        print_json([printing.hit_json(hit) for hit in found])
    else:
        for reason, group in groupby(found, lambda hit: hit.reason):
            printing.print_group(reason, group)
        if not found:
            warn("nothing related was found; try a line inside a function.")
    return 0 if found else _EXIT_NOTHING


def symbols(options: argparse.Namespace) -> int:
    """Print definitions by name."""
    (wanted,) = targets([options.path] if options.path else [])
    with opened([wanted.root]) as workspace:
        found = _symbols(workspace, wanted.part, options)
    if options.json:
        print_json([printing.symbol_json(hit) for hit in found])
    else:
        for hit in found:
            printing.print_symbol(hit)
        if not found:
            warn(f"no definition has a name similar to {options.query!r}.")
    return 0 if found else _EXIT_NOTHING


def _search(
    workspace: Workspace, request: SearchRequest, wanted: Sequence[SearchTarget], trace: Trace | None
) -> SearchResult:
    """One search over all projects, or one per project if only parts of several are selected."""
    filters = {root: _filters(root, wanted) for root in dict.fromkeys(each.root for each in wanted)}
    if len(set(filters.values())) == 1:
        return workspace.search(
            replace(request, filters=next(iter(filters.values()))), trace=trace, here=Path.cwd()
        )
    whole = replace(request, offset=0, limit=request.offset + request.limit)
    answers = [
        workspace.search(replace(whole, filters=only), folders=[root], trace=trace, here=Path.cwd())
        for root, only in filters.items()
    ]
    return replace(
        answers[0],
        hits=merged([answer.hits for answer in answers], request.offset, request.limit),
        total=sum(answer.total for answer in answers),
        took_ms=sum(answer.took_ms for answer in answers),
        cached=all(answer.cached for answer in answers),
        coverage=_least([answer.coverage for answer in answers]),
    )


def _filters(root: Path, wanted: Sequence[SearchTarget]) -> Filters:
    """The selected parts of a project; no filter if one of the paths selects all of it."""
    parts = [each.part for each in wanted if each.root == root]
    return Filters() if "" in parts else Filters(paths=tuple(f"/{literal_glob(part)}" for part in parts))


def _least(coverages: Sequence[Coverage]) -> Coverage:
    worst = max(coverages, key=lambda coverage: ("ready", "indexing", "degraded").index(coverage.state))
    return replace(
        worst,
        files_indexed=sum(coverage.files_indexed for coverage in coverages),
        files_total=sum(coverage.files_total for coverage in coverages),
    )


def _symbols(workspace: Workspace, part: str, options: argparse.Namespace) -> list[SymbolHit]:
    if not part:
        return workspace.symbols(options.query, options.limit)
    found = workspace.symbols(options.query, _MOST_SYMBOLS)
    return [hit for hit in found if f"{hit.path}/".startswith(f"{part}/")][: options.limit]


def _place(text: str, folder: Path | None) -> tuple[SearchTarget, int, int]:
    """Parse FILE:LINE[:COLUMN], which counts from 1, to values that count from 0."""
    parts = text.rsplit(":", 2)
    numbers = [int(part) for part in parts[1:] if _NUMBER.fullmatch(part)]
    if not numbers or min(numbers) < 1 or not _NUMBER.fullmatch(parts[-1]):
        raise SightlineError(f"{text!r} is not FILE:LINE or FILE:LINE:COLUMN, counted from 1.")
    path = Path(":".join(parts[: len(parts) - len(numbers)]))
    if not path.is_file():
        raise SightlineError(f"{path} is not a file.")
    place = _in_project(path, folder)
    line, column = numbers[0] - 1, numbers[1] - 1 if len(numbers) > 1 else 0
    _check(path, place, line, column)
    return place, line, column


def _in_project(path: Path, folder: Path | None) -> SearchTarget:
    """The file in its project; never indexes a folder only because it contains the file."""
    real = path.resolve()
    if folder is not None:
        root = target(folder).root
        if not real.is_relative_to(root):
            raise SightlineError(f"{path} is not in {root}.")
        return SearchTarget(root, real.relative_to(root).as_posix())
    if project_of(real.parent) is None:
        raise SightlineError(
            f"{path} is in no project: there is no .git or .sightline.toml above it, and no index. Name"
            " the folder to index with --folder."
        )
    return target(path)


def _check(path: Path, place: SearchTarget, line: int, column: int) -> None:
    """Reject a line or a column that the file does not have."""
    content = read(place.root, place.part, _MOST_BYTES)
    if not isinstance(content, Content):
        raise SightlineError(f"{path} is not in the index: it is {content.reason}.")
    lines = lines_of(content.text)
    # What follows the last line feed does not count as a line.
    count = len(lines) - (lines[-1] == "")
    if line >= count:
        raise SightlineError(f"{path} has {count} lines; there is no line {line + 1}.")
    length = len(lines[line])
    if column > length:
        raise SightlineError(
            f"line {line + 1} of {path} has {length} columns; there is no column {column + 1}."
        )


@contextmanager
def _trace(file_name: Path | None) -> Iterator[Trace | None]:
    """Opens the file for the search stages, one line each."""
    if file_name is None:
        yield None
    elif str(file_name) == "-":
        yield lambda line: print(visible_json(line), file=sys.stderr)
    else:
        with file_name.open("w", encoding="utf-8") as file:
            yield lambda line: print(visible_json(line), file=file)


def _print_hits(found: SearchResult, options: argparse.Namespace) -> None:
    several_lines = not (options.vimgrep or options.oneline)
    weak_begin = next((at for at, hit in enumerate(found.hits) if hit.weak), None)
    for at, hit in enumerate(found.hits):
        if several_lines and at == weak_begin:
            print(paint("less likely:", "dim"))
        if options.vimgrep:
            printing.print_vimgrep(hit)
        elif options.oneline:
            printing.print_line(hit)
        else:
            printing.print_hit(hit, options.context)
        if hit.explain and several_lines:
            printing.print_explanation(hit.explain)
    if not found.hits:
        warn(found.note or "nothing was found; try fewer or other words, or remove a filter.")
    elif found.note:
        warn(found.note)
    if found.coverage.state != "ready":
        warn(found.coverage.reason or f"{found.coverage.files_indexed} of {found.coverage.files_total} files")
