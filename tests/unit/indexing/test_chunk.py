"""Where files are split and how the chunks are named."""

from __future__ import annotations

import pytest

from sightline.indexing.parsing.parse_file import parse_file
from sightline.languages import LANGUAGES
from sightline.parsed_file import Chunk


def chunks(text: str, language: str = "python") -> tuple[Chunk, ...]:
    return parse_file(text, LANGUAGES[language]).chunks


def body(lines: int, indent: str = "    ") -> str:
    return "".join(f"{indent}value_{number} = compute({number}, other_{number})\n" for number in range(lines))


def test_a_large_enough_definition_is_a_chunk() -> None:
    text = f"def first():\n{body(15)}\n\ndef second():\n{body(15)}"
    assert [(chunk.symbol, chunk.defines) for chunk in chunks(text)] == [("first", True), ("second", True)]


def test_small_neighbours_share_a_chunk_named_after_the_largest() -> None:
    text = "LIMIT = 10\nOTHER = 20\n\n\ndef small():\n    return helper(LIMIT)\n\n\ndef tiny(): ...\n"
    (chunk,) = chunks(text)
    assert (chunk.symbol, chunk.kind, chunk.defines) == ("small", "function", True)


def test_a_big_class_is_split_into_its_head_and_members() -> None:
    head = 'class Big(Base):\n    """Holds much."""\n\n    limit: int = 3\n\n' + body(4)
    text = head + "".join(f"\n    def method_{name}(self):\n{body(12, ' ' * 8)}" for name in "abc")
    found = chunks(text)
    assert [(chunk.symbol, chunk.kind, chunk.container) for chunk in found] == [
        ("Big", "class", ""),
        ("method_a", "method", "Big"),
        ("method_b", "method", "Big"),
        ("method_c", "method", "Big"),
    ]
    assert found[0].doc == "Holds much."
    assert "def " not in found[0].text


def test_a_long_function_is_split_between_statements_under_its_name() -> None:
    text = f"def long(a):\n{body(80)}"
    found = chunks(text)
    assert len(found) > 2
    assert [chunk.symbol for chunk in found] == ["long"] * len(found)
    assert [chunk.defines for chunk in found] == [True, *[False] * (len(found) - 1)]
    assert {chunk.signature for chunk in found} == {"def long(a)"}
    assert all(chunk.text.startswith(("def", "    value_")) for chunk in found)
    assert all(chunk.text.endswith(")\n") for chunk in found)


def test_a_long_function_is_split_outside_of_blocks_if_possible() -> None:
    block = "    if ready:\n" + body(8, " " * 8)
    text = "def long():\n" + block * 12
    assert all(chunk.text.startswith(("def", "    if")) for chunk in chunks(text))


def test_comments_and_decorators_stay_with_their_definition() -> None:
    text = (
        f"import x\n\n{body(12, '')}\n\n# Explains it.\n# And more.\n@decorated(1)\ndef target():\n{body(12)}"
    )
    target = chunks(text)[-1]
    assert target.text.startswith("# Explains it.")
    assert (target.symbol, target.doc) == ("target", "Explains it.")


def test_a_comment_before_an_empty_line_documents_nothing_below_it() -> None:
    text = f"# About the file.\n\n\ndef target():\n{body(14)}"
    assert chunks(text)[-1].doc == ""


def test_a_comment_at_the_end_of_a_code_line_documents_nothing_below() -> None:
    text = f"LIMIT = 3  # how many\ndef target():\n{body(14)}"
    assert chunks(text)[-1].doc == ""


def test_attributes_of_rust_stay_with_their_function() -> None:
    inside = "".join(f"    let value_{number} = compute({number}, 1);\n" for number in range(15))
    text = f"fn before() {{\n{inside}}}\n\n/// Says it.\n#[test]\n#[ignore]\nfn target() {{\n{inside}}}\n"
    target = chunks(text, "rust")[-1]
    assert target.text.startswith("/// Says it.\n#[test]")
    assert target.doc == "Says it."


def test_the_head_of_a_namespace_is_in_the_chunk_that_follows() -> None:
    inside = "".join(f"  int value_{number} = Compute({number});\n" for number in range(15))
    text = (
        f"namespace outer {{\nnamespace inner {{\n\nint Run() {{\n{inside}}}\n\n}}  // namespace inner\n}}\n"
    )
    (chunk,) = chunks(text, "cpp")
    assert (chunk.symbol, chunk.container) == ("Run", "outer.inner")


def test_a_long_line_is_split_between_characters() -> None:
    text = "é漢😀" * 2000
    found = chunks(text, "text")
    assert "".join(chunk.text for chunk in found) == text
    assert len(found) > 10
    assert {chunk.start_line for chunk in found} == {0}


def test_text_without_a_grammar_is_split_at_empty_lines() -> None:
    paragraph = "word " * 60 + "\n"
    found = chunks(f"{paragraph}\n" * 12, "text")
    assert len(found) == 4
    assert all(chunk.text.endswith("\n\n") and chunk.kind == "text" for chunk in found)


def test_a_chunk_ends_with_its_last_line_that_is_not_blank() -> None:
    text = f"def first():\n{body(15)}\n\n\n\ndef second():\n{body(15)}"
    first, second = chunks(text)
    assert first.end_line == 15
    assert second.start_line == 20


def test_the_next_chunk_of_a_class_has_the_name_of_the_class() -> None:
    fields = "".join(f'  private final String field_{number} = "{"x" * 40}";\n' for number in range(60))
    found = chunks(f"class Wide {{\n{fields}}}\n", "java")
    assert len(found) > 2
    assert found[0].symbol == "Wide"
    assert all(chunk.container == "Wide" for chunk in found[1:])


def test_markdown_is_split_at_headings_and_has_their_path() -> None:
    long = "Some words about it. " * 30 + "\n\n"
    text = f"# Guide\n\n{long}## Install\n\n{long}### On Linux\n\n{long}## Use\n\n{long}"
    assert [(chunk.container, chunk.symbol) for chunk in chunks(text, "markdown")] == [
        ("", "Guide"),
        ("Guide", "Install"),
        ("Guide > Install", "On Linux"),
        ("Guide", "Use"),
    ]


def test_a_heading_inside_a_code_fence_is_not_a_heading() -> None:
    text = "# Real\n\n```sh\n# not one\n```\n\n~~~\n## nor this\n~~~\n"
    assert [symbol.name for symbol in parse_file(text, LANGUAGES["markdown"]).symbols] == ["Real"]


def test_the_scripts_of_an_html_page_are_parsed_in_place() -> None:
    text = (
        '<template>\n  <p/>\n</template>\n<script lang="ts">\nexport function open(x: string) {}\n</script>\n'
    )
    symbols = parse_file(text, LANGUAGES["vue"]).symbols
    opened = next(symbol for symbol in symbols if symbol.name == "open")
    assert (opened.name_line, opened.name_column) == (4, 16)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "python",
            "# if it is, return\ndef f(x):\n  'for while'\n  if x:\n    return 1\n  raise KeyError\n",
        ),
        ("javascript", "// if it is, return\nfunction f(x) { if (x) return 'for'; throw x; }\n"),
        ("go", "// if it is, return\nfunc f(x bool) { if x { return }; for { g(`if`) } }\n"),
        ("rust", '/// if it is, return\nfn f(x: bool) { if x { return; } for _ in g("if") {} }\n'),
        ("c", '/* if it is, return */\nvoid f(int x) { if (x) return; while (x) g("if"); }\n'),
        ("ruby", "# if it is, return\ndef f(x)\n  return 'for' if x\n  while x do g end\nend\n"),
    ],
)
def test_branches_are_counted_outside_of_comments_and_texts(language: str, text: str) -> None:
    assert sum(chunk.branches for chunk in chunks(text, language)) == 3


def test_each_chunk_has_its_own_branches() -> None:
    text = f"def plain():\n{body(15)}\n\ndef deciding(x):\n    if x:\n        return 1\n{body(15)}"
    assert [(chunk.symbol, chunk.branches) for chunk in chunks(text)] == [("plain", 0), ("deciding", 2)]


def test_text_and_the_scripts_of_a_page_have_their_branches() -> None:
    page = (
        "<template>\n  <p>if</p>\n</template>\n<script>\nfunction f(x) { if (x) { return 1 } }\n</script>\n"
    )
    assert sum(chunk.branches for chunk in chunks(page, "vue")) == 2
    assert sum(chunk.branches for chunk in chunks("# If\n\nReturn it for the case.\n", "markdown")) == 0
