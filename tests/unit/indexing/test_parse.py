"""What must hold for every text in every language."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sightline.indexing.parsing.parse_file import definitions_in, parse_file
from sightline.languages import LANGUAGES, Language, detect
from sightline.parsed_file import PARSE_STATUSES, ParsedFile

SAMPLES = Path(__file__).parents[1] / "languages" / "samples"
SOURCES = [
    (path.name.removesuffix(".sample"), path.read_bytes().decode("utf-8"))
    for path in sorted(SAMPLES.glob("*.sample"))
]
LANGUAGE_LIST = list(LANGUAGES.values())
# Words and symbols that open and close blocks in most languages, so that random text resembles code.
WORDS = """class def fn func function end do if { } ( ) [ ] < > ; : , . = => -> # // /* */ " ' ` \\ @ $ % &
* + - x Foo import é 漢 😀 Title == -- <a> </a> <script> </script> --- ``` resource FROM"""
TOKENS = st.sampled_from([*WORDS.split(), "\n", "\n\n", "\t", "    "])
NEARLY_CODE = st.lists(TOKENS, max_size=120).map(" ".join)
ANY_TEXT = st.one_of(st.text(max_size=300), NEARLY_CODE)


def check(text: str, file: ParsedFile) -> None:
    source = text.encode("utf-8")
    position = 0
    for chunk in file.chunks:
        assert chunk.start_byte == position
        assert chunk.end_byte > chunk.start_byte
        assert chunk.text == source[chunk.start_byte : chunk.end_byte].decode("utf-8")
        assert chunk.start_line == source[: chunk.start_byte].count(b"\n")
        last = chunk.start_byte + max(0, len(chunk.text.encode().rstrip()) - 1)
        assert chunk.end_line == source[:last].count(b"\n")
        assert chunk.symbol or not chunk.defines
        assert len(chunk.signature) <= 200
        position = chunk.end_byte
    assert position == len(source)
    lines = text.split("\n")
    for symbol in file.symbols:
        start, end = file.chunks[symbol.chunk].start_byte, file.chunks[symbol.chunk].end_byte
        offset = len(
            "\n".join([*lines[: symbol.name_line], lines[symbol.name_line][: symbol.name_column]]).encode()
        )
        assert start <= offset < end
        assert symbol.start_line <= symbol.name_line <= symbol.end_line
    assert file.status in PARSE_STATUSES


@pytest.mark.parametrize(("name", "text"), SOURCES, ids=[name for name, _ in SOURCES])
def test_the_chunks_of_a_sample_cover_it(name: str, text: str) -> None:
    language = detect(name, text.encode())
    check(text, parse_file(text, language))
    check(text * 20, parse_file(text * 20, language))
    crlf = text.replace("\n", "\r\n")
    check(crlf, parse_file(crlf, language))


@given(text=ANY_TEXT, language=st.sampled_from(LANGUAGE_LIST))
@example(text=":A", language=LANGUAGES["zig"])
@example(text="print # the end", language=LANGUAGES["perl"])
@example(text="1;\nP#", language=LANGUAGES["perl"])
# The same examples in every run: a text that hangs a parser cannot be interrupted, and ends the whole run.
@settings(max_examples=600, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_in_any_language_is_covered_by_chunks(text: str, language: Language) -> None:
    check(text, parse_file(text, language))


@given(data=st.data())
@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_a_broken_sample_is_covered_by_chunks(data: st.DataObject) -> None:
    name, text = data.draw(st.sampled_from(SOURCES))
    position = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 60))
    inserted = data.draw(ANY_TEXT)
    broken = text[:position] + inserted + text[position + length :]
    check(broken, parse_file(broken, detect(name, text.encode())))


@given(text=ANY_TEXT, language=st.sampled_from(LANGUAGE_LIST))
@settings(max_examples=100, deadline=None)
def test_the_same_text_gives_the_same_chunks(text: str, language: Language) -> None:
    assert parse_file(text, language) == parse_file(text, language)


def test_lone_surrogates_do_not_stop_the_parser() -> None:
    file = parse_file("x = '\ud800'\n", LANGUAGES["python"])
    assert len(file.chunks) == 1


def test_parsing_in_several_threads_gives_the_same_results() -> None:
    jobs = [(name, text * 3) for name, text in SOURCES] * 3
    alone = [parse_file(text, detect(name, text.encode())) for name, text in jobs]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda job: parse_file(job[1], detect(job[0], job[1].encode())), jobs))
    assert together == alone


def test_an_empty_file_has_no_chunks() -> None:
    for language in LANGUAGE_LIST:
        assert parse_file("", language).chunks == ()


def test_the_status_says_how_well_a_file_was_parsed() -> None:
    python = LANGUAGES["python"]
    assert parse_file("def f():\n    return 1\n", python).status == "ok"
    assert parse_file("def f():\n    return 1\n\n" * 5 + "def (:\n", python).status == "partial"
    assert parse_file("<<<<<<< ======= >>>>>>> ((((", python).status == "error"
    assert parse_file("some words", LANGUAGES["text"]).status == "no_grammar"


HOSTILE = {
    "brackets": "(" * 60_000,
    "pairs": "[" * 30_000 + "]" * 30_000,
    "generics": "a<" * 50_000,
    "generics on lines": "a<\n" * 50_000,
    "one long line": "x = 1; " * 30_000,
    "one long word": "x" * 300_000,
    "dashes": "- " * 30_000,
    "indentation": "".join(" " * depth + "a:\n" for depth in range(400)),
    "empty lines": "\n" * 100_000,
    "quotes": "\"'" * 40_000,
    "headings": "# a\n" * 20_000,
    "tags": "<a>" * 20_000,
    "open comments": "/* " * 20_000,
    "colons": ": " * 5_000,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", ["python", "javascript", "java", "cpp", "yaml", "markdown", "html", "c"])
def test_parsing_a_hostile_text_ends_and_covers_it(name: str, language: str) -> None:
    text = HOSTILE[name]
    file = parse_file(text, LANGUAGES[language])
    assert "".join(chunk.text for chunk in file.chunks) == text
    assert max(chunk.end_byte - chunk.start_byte for chunk in file.chunks) <= 2000


def test_the_definitions_of_a_text_are_the_symbols_of_its_file() -> None:
    for name, text in SOURCES:
        language = detect(name, text.encode())
        assert definitions_in(text, language) == parse_file(text, language).symbols


def test_opening_brackets_in_comments_do_not_make_a_text_hostile() -> None:
    banner = "/*" + "*" * 40 + "\n/* Section\n/*" + "*" * 40 + "\n*/\n"
    text = "public class Wide {\n" + (banner + "int field;\n") * 60 + "}\n"
    assert parse_file(text, LANGUAGES["java"]).status == "ok"
