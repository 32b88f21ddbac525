"""Places: what counts as one, its label, its selection and its confidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.types import Hit, SearchRequest
from tests.unit.search.small_index import SmallSearcher, build_memory, make_searcher

LONG = "\n".join(f"    step_{number} = measure(parcel, {number})" for number in range(70))
FILES = {
    "src/parcels.py": f"""
def weigh_parcel(parcel):
{LONG}
    return step_69


def is_empty(parcel):
    return not parcel


def post_parcel(parcel):
    return parcel.post()
""",
    "src/__init__.py": """
from src.parcels import weigh_parcel


def login(user):
    return user
""",
    "src/register.py": """
class Register:
    def count(self):
        return 3
""",
    "deploy/key.txt": "parcel_key_7f3a91_value is made anew each night\n",
    "src/blocks.py": """
def insert_register(block):
    count = block.count
    return count + 1
""",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> SmallSearcher:
    folder: Path = tmp_path_factory.mktemp("places") / "project"
    return make_searcher(build_memory(folder, FILES), folder)


def first(searcher: SmallSearcher, query: str) -> Hit:
    return searcher.search(SearchRequest(query)).hits[0]


def text_at(hit: Hit) -> str:
    assert hit.selection is not None
    return hit.selection.text[hit.selection.start : hit.selection.end]


def test_the_chunks_of_a_function_are_one_place(searcher: SmallSearcher) -> None:
    hits = searcher.search(SearchRequest("measure every step of the parcel")).hits
    named = [hit for hit in hits if hit.symbol and hit.symbol.name == "weigh_parcel"]
    assert len(named) == 1
    assert named[0].end_line - named[0].start_line > 70


def test_a_result_selects_the_name_it_is_labelled_with(searcher: SmallSearcher) -> None:
    for query in ("weigh_parcel", "post the parcel", "is a parcel empty", "insert a register"):
        for hit in searcher.search(SearchRequest(query)).hits:
            if hit.symbol is not None:
                assert text_at(hit) == hit.symbol.name


def test_the_requested_one_of_several_functions_in_a_chunk_is_shown(searcher: SmallSearcher) -> None:
    hit = first(searcher, "post a parcel")
    assert hit.symbol is not None
    assert hit.symbol.name == "post_parcel"
    assert hit.symbol.signature.startswith("def post_parcel")


def test_a_name_in_a_sentence_outranks_a_file_named_like_a_part_of_it(searcher: SmallSearcher) -> None:
    assert first(searcher, "insert_register was using incorrect count").path == "src/blocks.py"


def test_a_definition_in_a_barrel_file_is_found(searcher: SmallSearcher) -> None:
    assert first(searcher, "login").path == "src/__init__.py"


def test_matched_words_are_highlighted(searcher: SmallSearcher) -> None:
    hit = first(searcher, "insert a register")
    lines = hit.snippet.text.split("\n")
    marked = {lines[mark.line][mark.start : mark.end].lower() for mark in hit.snippet.highlights}
    assert {"insert", "register"} <= marked


@pytest.mark.parametrize("query", ["zzzzqqqq", "asdkjh qwoeiu zmxnb"])
def test_gibberish_has_low_confidence_and_only_weak_hits(searcher: SmallSearcher, query: str) -> None:
    answer = searcher.search(SearchRequest(query))
    assert answer.confidence < 0.25
    assert answer.note.startswith("Nothing close")
    assert all(hit.weak for hit in answer.hits)


def test_a_script_the_model_cannot_read_finds_nothing(searcher: SmallSearcher) -> None:
    answer = searcher.search(SearchRequest("检查密码"))
    assert answer.hits == ()


def test_a_good_answer_is_not_weak(searcher: SmallSearcher) -> None:
    answer = searcher.search(SearchRequest("weigh a parcel"))
    assert answer.confidence > 0.5
    assert not answer.hits[0].weak
    assert answer.hits[0].why


def test_a_piece_of_a_very_long_definition_says_where_it_is(tmp_path: Path) -> None:
    steps = [f"        step_{number} = measure(parcel, {number})" for number in range(300)]
    steps[150] = "        stamp = buy_postage(parcel)"
    text = "\n".join(["class Office:", "    def post(self, parcel):", *steps, "        return stamp", ""])
    searcher = make_searcher(build_memory(tmp_path, {"office.py": text}), tmp_path)
    hit = searcher.search(SearchRequest("buy postage")).hits[0]
    assert hit.symbol is None
    assert hit.line == 152
    assert hit.why.startswith("in Office.post, ")


def test_a_name_is_found_where_it_occurs_despite_widely_used_files(searcher: SmallSearcher) -> None:
    answer = searcher.search(SearchRequest("parcel_key_7f3a91_value"))
    assert answer.hits[0].path == "deploy/key.txt"
    assert sorted(answer.hits, key=lambda hit: hit.weak) == list(answer.hits)


def test_a_stack_trace_finds_its_innermost_frame(searcher: SmallSearcher) -> None:
    trace = (
        "TypeError: parcel is None\nTraceback (most recent call last):\n"
        '  File "/srv/app/src/register.py", line 4, in count\n    return 3\n'
        '  File "/srv/app/src/blocks.py", line 3, in insert_register\n    count = block.count\n'
    )
    hits = searcher.search(SearchRequest(trace)).hits
    assert [hit.path for hit in hits[:2]] == ["src/blocks.py", "src/register.py"]
    assert hits[0].why == "in the stack trace"


def test_a_pasted_report_needs_no_quoting(searcher: SmallSearcher) -> None:
    report = "Parcels are posted twice\n\nfile: parcels.csv\nlanguage: German\n```\npost_parcel(box)\n```\n"
    assert searcher.search(SearchRequest(report)).hits[0].path == "src/parcels.py"
