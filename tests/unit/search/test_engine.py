"""Searches of a real index, from the query to the hit."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.errors import Cancelled, InvalidRequest
from sightline.indexing.parsing.parse_file import definitions_in
from sightline.languages.table import Language
from sightline.parsed_file import Symbol
from sightline.types import Filters, Mode, SearchRequest
from tests.unit.search.small_index import (
    PROJECT,
    SmallSearcher,
    build_memory,
    index_files,
    make_searcher,
)

MakeSearcher = Callable[..., SmallSearcher]


def paths(searcher: SmallSearcher, query: str, **options: object) -> list[str]:
    # Options are fields of SearchRequest; a wrong one is a TypeError here.
    return [hit.path for hit in searcher.search(SearchRequest(query, **options)).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_a_question_finds_its_file_first(searcher: SmallSearcher, mode: str) -> None:
    assert paths(searcher, "least recently used cache eviction", mode=mode)[0] == "src/storage/cache.py"
    assert paths(searcher, "check the password on login", mode=mode)[0] == "src/auth/session.py"


def test_a_name_finds_its_definition_before_its_uses(searcher: SmallSearcher) -> None:
    hit = searcher.search(SearchRequest("TokenStore")).hits[0]
    assert hit.path == "src/auth/token.py"
    assert hit.symbol is not None
    assert hit.symbol.name == "TokenStore"
    assert PROJECT[hit.path].splitlines()[hit.start_line].startswith("class TokenStore")


@pytest.mark.parametrize(
    "query", ["sign_payload", "sign payload", "signPayload", "`sign_payload`", "sign payloads"]
)
def test_a_name_is_found_in_every_naming_style(searcher: SmallSearcher, query: str) -> None:
    hit = searcher.search(SearchRequest(query)).hits[0]
    assert hit.symbol is not None
    assert hit.symbol.name == "sign_payload"


@pytest.mark.parametrize(
    ("query", "mode", "reason"),
    [
        ("verify_password", "hybrid", "defines verify_password"),
        ("least recently used", "keyword", "same words"),
        ("least recently used", "semantic", "close in meaning"),
    ],
)
def test_a_hit_says_why_it_was_found(searcher: SmallSearcher, query: str, mode: Mode, reason: str) -> None:
    assert searcher.search(SearchRequest(query, mode=mode)).hits[0].why.endswith(reason)


def test_a_qualified_name_means_the_member_of_that_container(searcher: SmallSearcher) -> None:
    hit = searcher.search(SearchRequest("LruCache.get")).hits[0]
    assert hit.path == "src/storage/cache.py"


def test_a_qualified_name_in_another_style_means_the_member_of_that_container(tmp_path: Path) -> None:
    method = "class {}:\n    def findShortest(self, start):\n        return start\n"
    # The other file is named after the method, too.
    files = {"find_shortest.py": method.format("Order"), "keys.py": method.format("KeyOrder")}
    memory = build_memory(tmp_path / "project", files)
    found = make_searcher(memory, tmp_path / "project").search(SearchRequest("KeyOrder.find_shortest"))
    memory.catalog.close()
    assert found.hits[0].path == "keys.py"


def test_tests_rank_below_production_code_unless_asked_for(searcher: SmallSearcher) -> None:
    assert paths(searcher, "issue a token")[0] == "src/auth/token.py"
    assert paths(searcher, "tests that issue a token")[0] == "tests/test_token.py"


def test_tests_inside_a_rust_file_rank_below_what_they_test_unless_asked_for(tmp_path: Path) -> None:
    # So much that the function and its test are not one place.
    steps = "\n".join(f"    let step_{at} = advance(last, {at});" for at in range(40))
    source = f"""
fn next_backup(last: u64, interval: u64) -> u64 {{
{steps}
    last + interval
}}

#[cfg(test)]
mod tests {{
    use super::*;

    #[test]
    fn the_next_backup_waits_for_the_interval() {{
{steps}
        assert_eq!(next_backup(3, 2), 5);
    }}
}}
"""
    memory = build_memory(tmp_path / "project", {"src/backup.rs": source})
    found = make_searcher(memory, tmp_path / "project")
    asked = ("next backup interval", "test of next backup interval")
    first = [found.search(SearchRequest(text)).hits[0].symbol for text in asked]
    memory.catalog.close()
    names = [symbol.name for symbol in first if symbol is not None]
    assert names == ["next_backup", "the_next_backup_waits_for_the_interval"]


def test_every_hit_passes_the_filters_and_the_page_stays_full(searcher: SmallSearcher) -> None:
    force = searcher.search(SearchRequest("token path:src/storage/**", limit=50))
    assert {hit.path.rpartition("/")[0] for hit in force.hits} == {"src/storage"}
    assert len(force.hits) == force.total
    assert all(path.endswith(".md") for path in paths(searcher, "lang:markdown token"))
    kinds = searcher.search(SearchRequest("kind:class token")).hits
    assert {hit.path for hit in kinds} >= {"src/auth/token.py", "src/storage/cache.py"}


def test_filters_without_text_list_every_match(searcher: SmallSearcher) -> None:
    answer = searcher.search(SearchRequest("name:Lru*"))
    assert [hit.path for hit in answer.hits] == ["src/storage/cache.py"]


def test_filters_of_the_request_work_like_inline_ones(searcher: SmallSearcher) -> None:
    inline = paths(searcher, "token -path:tests/** lang:py")
    given_ = paths(searcher, "token", filters=Filters(languages=("py",), exclude_paths=("tests/**",)))
    assert inline == given_


def test_pages_do_not_overlap_and_together_they_are_complete(searcher: SmallSearcher) -> None:
    all_hits = searcher.search(SearchRequest("token", limit=100)).hits
    pages = [
        searcher.search(SearchRequest("token", limit=3, offset=at)).hits for at in range(0, len(all_hits), 3)
    ]
    places = [(hit.path, hit.start_line) for page in pages for hit in page]
    assert places == [(hit.path, hit.start_line) for hit in all_hits]


def test_scores_are_descending_and_between_0_and_1(searcher: SmallSearcher) -> None:
    scores = [hit.score for hit in searcher.search(SearchRequest("read a file", limit=50)).hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_a_minimum_score_keeps_only_hits_that_reach_it(searcher: SmallSearcher) -> None:
    scores = [hit.score for hit in searcher.search(SearchRequest("retry requests", min_score=0.3)).hits]
    assert scores
    assert all(score >= 0.3 for score in scores)


def test_one_per_file_gives_each_file_once(searcher: SmallSearcher) -> None:
    found = paths(searcher, "token", one_per_file=True, limit=50)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("select", ["files", "cap", "mmr"])
def test_every_selection_method_has_the_same_best_hit(searcher_with: MakeSearcher, select: str) -> None:
    assert paths(searcher_with(select=select), "retries with backoff")[0] == "src/network/http_client.py"


def test_every_stage_that_is_off_by_default_can_be_enabled(searcher_with: MakeSearcher) -> None:
    searcher = searcher_with(expand_query=True, graph=True, recency=True, tuning={"graph": 0.5})
    assert paths(searcher, "how sessions issue tokens")[0].startswith("src/auth/")


def test_an_unknown_constant_is_reported(searcher_with: MakeSearcher) -> None:
    assert "did you mean 'coverage'" in searcher_with(tuning={"coverages": 1.0}).problems[0]


def test_hits_have_an_explanation_when_requested(searcher: SmallSearcher) -> None:
    hit = searcher.search(SearchRequest("TokenStore", explain=True)).hits[0]
    assert hit.explain is not None
    assert hit.explain["signals"]["definition"] > 0
    assert searcher.search(SearchRequest("TokenStore")).hits[0].explain is None


def test_each_stage_writes_one_line_of_json(searcher: SmallSearcher) -> None:
    lines: list[str] = []
    searcher.search(SearchRequest("a traced query"), trace=lines.append)
    stages = [json.loads(line)["stage"] for line in lines]
    assert stages == ["prepare", "retrieve", "rank", "select", "context"]


def test_a_repeated_query_uses_the_cache_until_a_change(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, PROJECT)
    searcher = make_searcher(memory, folder)
    assert not searcher.search(SearchRequest("login")).cached
    assert searcher.search(SearchRequest("login")).cached
    assert searcher.search(SearchRequest("the login")).cached
    assert not searcher.search(SearchRequest("logout")).cached
    memory.apply([], memory.generation + 1)
    assert not searcher.search(SearchRequest("login")).cached


def test_a_snippet_shows_the_enclosing_definition(searcher: SmallSearcher) -> None:
    hit = searcher.search(SearchRequest("verify_password")).hits[0]
    assert hit.snippet.text.startswith("def verify_password")
    assert "constant_time_equal" in hit.snippet.text


def test_explicit_context_lines_are_returned(searcher: SmallSearcher) -> None:
    bare = searcher.search(SearchRequest("verify_password", context="none")).hits[0]
    wide = searcher.search(SearchRequest("verify_password", context=(2, 0))).hits[0]
    assert wide.snippet.start_line == bare.start_line - 2


def test_an_unsaved_buffer_moves_the_hit(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, PROJECT)
    searcher = make_searcher(memory, folder)
    before = searcher.search(SearchRequest("sign_payload")).hits[0]
    edited = folder / "src/auth/token.py"
    edited.write_text("# one\n# two\n# three\n" + PROJECT["src/auth/token.py"], "utf-8", newline="")
    after = searcher.search(SearchRequest("sign_payload")).hits[0]
    assert after.start_line == before.start_line + 3
    assert after.snippet.text.startswith("def sign_payload")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_an_indexed_text_is_shown_without_parsing_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    text = "# Größen\n\n\ndef measure_parcel(parcel):\n    return parcel.größe\n"
    (tmp_path / "parcels.py").write_bytes(text.encode(encoding))
    memory = index_files(tmp_path, ["parcels.py"])
    monkeypatch.setattr("sightline.indexing.parsing.parse_file.definitions_in", None)
    hit = make_searcher(memory, tmp_path).search(SearchRequest("measure_parcel")).hits[0]
    assert (hit.start_line, hit.snippet.text) == (3, text[text.index("def") :].rstrip())


def test_an_edited_file_is_parsed_once_for_all_its_hits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions = [f"def weigh_{name}({name}):\n    return {name} * {{}}\n" for name in ("parcel", "letter")]
    (tmp_path / "parcels.py").write_text("\n\n".join(functions).format("3" * 700, "4" * 700))
    memory = index_files(tmp_path, ["parcels.py"])
    (tmp_path / "parcels.py").write_text("# Weights.\n\n" + "\n\n".join(functions).format(5, 6))
    parsed: list[str] = []

    def counted(text: str, language: Language) -> tuple[Symbol, ...]:
        parsed.append(text)
        return definitions_in(text, language)

    monkeypatch.setattr("sightline.indexing.parsing.parse_file.definitions_in", counted)
    hits = make_searcher(memory, tmp_path).search(SearchRequest("weigh")).hits
    assert {hit.symbol.name: hit.line for hit in hits if hit.symbol} == {"weigh_parcel": 2, "weigh_letter": 6}
    assert len(parsed) == 1


def test_a_signature_is_that_of_the_symbol_a_hit_is_named_after(tmp_path: Path) -> None:
    methods = [f"func ({name}) Bind(request *Request) error {{ return nil }}" for name in ("Form", "Post")]
    (tmp_path / "bind.go").write_text("package bind\n\n" + "\n\n".join(methods) + "\n")
    memory = index_files(tmp_path, ["bind.go"])
    for method in methods:
        container = method[6:10]
        hit = make_searcher(memory, tmp_path).search(SearchRequest(f"{container}.Bind")).hits[0]
        assert hit.symbol is not None
        assert (hit.symbol.container, hit.symbol.signature) == (container, method.partition(" {")[0])


def test_an_edited_text_is_shown_with_the_definition_around_the_place(tmp_path: Path) -> None:
    (tmp_path / "parcels.py").write_text("WEIGHT = 3\nHEIGHT = 4\n")
    memory = index_files(tmp_path, ["parcels.py"])
    (tmp_path / "parcels.py").write_text("class Parcel:\n    def weigh(self):\n        return 3\n")
    hit = make_searcher(memory, tmp_path).search(SearchRequest("weight height")).hits[0]
    assert hit.snippet.text.startswith("class Parcel")


def test_a_deleted_file_still_has_a_hit_without_text(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, PROJECT)
    (folder / "src/storage/cache.py").unlink()
    hit = make_searcher(memory, folder).search(SearchRequest("LruCache")).hits[0]
    assert hit.snippet.text == ""


def test_keywords_answer_alone_while_there_are_no_vectors(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, PROJECT, vectors=False)
    searcher = make_searcher(memory, folder)
    for mode in ("hybrid", "keyword"):
        assert paths(searcher, "evict the least recently used", mode=mode)[0] == "src/storage/cache.py"


@pytest.mark.parametrize(
    "query",
    [
        "a", "", " ", "?", "\x00\x01", "🚀", "🚀 rocket", "בדיקת סיסמה", "检查密码", ".*[a-z]+(foo|bar)?$",
        "x" * 10_000, "token " * 1600, "SELECT * FROM users; --", "\\", '"', "`", "-", "((((", "zzzzqqqq",
    ],
)  # fmt: skip
def test_odd_queries_are_answered(searcher: SmallSearcher, query: str) -> None:
    answer = searcher.search(SearchRequest(query))
    assert answer.total >= len(answer.hits)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=st.text(max_size=80))
def test_any_query_is_answered_or_refused_with_a_sentence(searcher: SmallSearcher, query: str) -> None:
    try:
        searcher.search(SearchRequest(query))
    except InvalidRequest as error:
        assert len(str(error)) > 20  # noqa: PT017  any text may or may not be a bad filter


def test_a_cancelled_search_stops(searcher: SmallSearcher) -> None:
    with pytest.raises(Cancelled):
        searcher.search(SearchRequest("never asked before"), cancelled=lambda: True)


def test_an_index_without_files_answers_nothing(tmp_path: Path) -> None:
    memory = build_memory(tmp_path / "empty", {})
    assert make_searcher(memory, tmp_path / "empty").search(SearchRequest("anything")).hits == ()


def test_a_reranker_reorders_the_page_once_it_is_available(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, PROJECT)
    given_scores: list[list[float] | None] = [None]

    def rerank(query: str, texts: Sequence[str]) -> list[float] | None:
        return given_scores[0] and given_scores[0][: len(texts)]

    searcher = make_searcher(memory, folder, rerank)
    before = searcher.search(SearchRequest("token", limit=3))
    given_scores[0] = [0.0, 1.0, 2.0]
    after = searcher.search(SearchRequest("token", limit=3))
    assert not after.cached
    assert [hit.path for hit in after.hits] == [hit.path for hit in reversed(before.hits)]
    assert [hit.score for hit in after.hits] == [hit.score for hit in before.hits]
    assert searcher.search(SearchRequest("token", limit=3)).cached
