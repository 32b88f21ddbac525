"""Exact text and expressions must match the place of every hit, in the current text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from sightline.errors import Cancelled
from sightline.indexing.content import digest_of
from sightline.search.engine import FolderAnswer
from sightline.search.query.parse_query import parse
from sightline.search.query.scopes import SearchScope
from sightline.search.text_filter import SECONDS, TextFilter
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import Hit, SearchRequest, Source
from tests.unit.search.small_index import PROJECT, SmallSearcher, build_memory, make_searcher, reader


def _search(searcher: SmallSearcher, query: str, limit: int = 50) -> FolderAnswer:
    return searcher.search(SearchRequest(query, limit=limit))


def _text(hit: Hit) -> str:
    return "\n".join(PROJECT[hit.path].split("\n")[hit.start_line : hit.end_line + 1])


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ('"issue_token"', lambda text: "issue_token" in text),
        ('"sue_tok"', lambda text: "sue_tok" in text),
        ('make a token "issue_token"', lambda text: "issue_token" in text),
        (r"re:/def \w+\(self, \w+\)/", lambda text: "(self, " in text),
        ("re:/TOKENSTORE/i sign", lambda text: "TokenStore" in text),
        ('"Tokens prove" re:/s.mebody/', lambda text: "somebody" in text),
    ],
)
def test_every_hit_has_the_text(searcher: SmallSearcher, query: str, matches: Callable[[str], bool]) -> None:
    answer = _search(searcher, query)
    assert answer.hits
    assert all(matches(_text(hit)) for hit in answer.hits)


def test_quoted_text_is_case_sensitive(searcher: SmallSearcher) -> None:
    assert _search(searcher, '"TokenStore"').hits
    assert not _search(searcher, '"tokenstore"').hits


def test_a_query_of_exact_text_alone_lists_its_places_in_order(searcher: SmallSearcher) -> None:
    hits = _search(searcher, '"token"').hits
    places = [(hit.path, hit.start_line) for hit in hits]
    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_the_rest_of_the_query_determines_the_order(searcher: SmallSearcher) -> None:
    assert (
        _search(searcher, '"token" forget it so that nobody can use it').hits[0].path == "src/auth/token.py"
    )


def test_a_hit_selects_and_highlights_the_match(searcher: SmallSearcher) -> None:
    hit = _search(searcher, 'look an entry up "move_to_end"').hits[0]
    assert hit.selection is not None
    assert hit.selection.text[hit.selection.start : hit.selection.end] == "move_to_end"
    lines = hit.snippet.text.split("\n")
    assert "move_to_end" in [lines[each.line][each.start : each.end] for each in hit.snippet.highlights]


def test_no_match_is_reported(searcher: SmallSearcher) -> None:
    answer = _search(searcher, '"no such text" token')
    assert (answer.hits, answer.total) == ((), 0)
    assert '"no such text"' in answer.note


def test_filters_apply_too(searcher: SmallSearcher) -> None:
    assert {hit.path for hit in _search(searcher, '"issue_token" path:tests').hits} == {"tests/test_token.py"}


def test_a_text_in_two_chunks_of_a_function_is_one_place(tmp_path: Path) -> None:
    body = "\n".join(f"    step_{number} = prepare(number={number})" for number in range(70))
    text = f"def long_one():\n    alpha_mark = 1\n{body}\n    omega_mark = 2\n    return omega_mark\n"
    memory = build_memory(tmp_path / "project", {"long.py": text}, vectors=False)
    try:
        assert len(memory.files[0].slots) > 1
        hits = _search(make_searcher(memory, tmp_path / "project"), '"alpha_mark" "omega_mark"').hits
        assert [(hit.path, hit.start_line) for hit in hits] == [("long.py", 0)]
    finally:
        memory.catalog.close()


def _edited(folder: Path, texts: dict[str, str]) -> Callable[[str], Source | None]:
    saved = reader(folder)
    return lambda path: Source(texts[path], digest_of(texts[path])) if path in texts else saved(path)


def test_unsaved_text_is_matched(memory: MemoryIndex, project_folder: Path) -> None:
    old = PROJECT["src/storage/disk.py"]
    new = old.replace("Read a whole file.", "Slurp everything.").replace('"""Reading', '\n\n\n"""Reading', 1)
    read = _edited(project_folder, {"src/storage/disk.py": new})
    searcher = replace(make_searcher(memory, project_folder), read_source=read)
    scope = SearchScope(open_files=frozenset({"src/storage/disk.py"}))
    (hit,) = searcher.search(SearchRequest('"Slurp everything"'), scope=scope).hits
    shown = new.split("\n")[hit.start_line : hit.end_line + 1]
    assert any("Slurp everything." in line for line in shown)
    assert hit.selection is not None
    assert new.split("\n")[hit.selection.line] == hit.selection.text
    assert not searcher.search(SearchRequest('"Read a whole file"'), scope=scope).hits


def test_the_next_answer_is_not_taken_from_the_cache(memory: MemoryIndex, project_folder: Path) -> None:
    texts: dict[str, str] = {}
    searcher = replace(make_searcher(memory, project_folder), read_source=_edited(project_folder, texts))
    assert _search(searcher, '"popitem"').total == 1
    texts["src/storage/cache.py"] = PROJECT["src/storage/cache.py"].replace("popitem", "other")
    answer = _search(searcher, '"popitem"')
    assert (answer.total, answer.cached) == (0, False)


def test_time_is_bounded_and_the_answer_reports_it(memory: MemoryIndex, project_folder: Path) -> None:
    ticks = count(step=SECONDS / 3)
    text_filter = TextFilter(memory, clock=lambda: float(next(ticks)))
    found = text_filter.find(parse('"token"').patterns, (), reader(project_folder))
    assert found.note.startswith(f"Only 3 of {len(PROJECT)} files")
    assert found.matches.starts


def test_a_cancelled_search_stops_reading(memory: MemoryIndex, project_folder: Path) -> None:
    patterns = parse('"token"').patterns
    with pytest.raises(Cancelled):
        TextFilter(memory).find(patterns, (), reader(project_folder), cancelled=lambda: True)


def test_only_files_with_the_words_of_a_text_are_read(memory: MemoryIndex, project_folder: Path) -> None:
    read: list[str] = []

    def note(path: str) -> Source | None:
        read.append(path)
        return reader(project_folder)(path)

    open_files = frozenset({"README.md", "gone.py"})
    TextFilter(memory).find(parse('"the most recent."').patterns, (), note, open_files)
    assert read == ["README.md", "src/storage/cache.py"]


def test_a_deleted_file_does_not_match(memory: MemoryIndex) -> None:
    assert not TextFilter(memory).find(parse('"token"').patterns, (), lambda _: None).matches.starts


def test_expressions_work_with_every_mode(searcher: SmallSearcher) -> None:
    for mode in ("hybrid", "semantic", "keyword"):
        request = replace(SearchRequest("token re:/sign_p\\w+/"), mode=mode)
        assert {hit.path for hit in searcher.search(request).hits} == {"src/auth/token.py"}
