"""One small file per language, and the definitions a reader sees in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.indexing.parsing.captures import collect
from sightline.indexing.parsing.nesting import arrange
from sightline.indexing.parsing.parse_file import parse_file
from sightline.indexing.parsing.source_text import Text
from sightline.languages import detect
from sightline.languages.grammars import load_grammar, parse_tree
from sightline.parsed_file import ParsedFile

SAMPLES = Path(__file__).parent / "samples"
NAMES = sorted(path.name.removesuffix(".sample") for path in SAMPLES.glob("*.sample"))


def parsed(name: str) -> ParsedFile:
    text = (SAMPLES / f"{name}.sample").read_bytes().decode("utf-8")
    return parse_file(text, detect(name, text.encode()))


def expected() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for block in (SAMPLES / "symbols.txt").read_text("utf-8").split("\n\n"):
        head, *lines = block.strip().split("\n")
        found[head[1 : head.index("]")]] = [head[head.index("]") + 2 :], *lines]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_gives_the_definitions_a_reader_sees(name: str) -> None:
    file = parsed(name)
    seen = [
        f"{symbol.kind} {symbol.container} :: {symbol.name}"
        if symbol.container
        else f"{symbol.kind} {symbol.name}"
        for symbol in file.symbols
    ]
    assert [f"{file.language} {file.status}", *seen] == expected()[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_at_the_position_of_its_symbol(name: str) -> None:
    file = parsed(name)
    lines = (SAMPLES / f"{name}.sample").read_bytes().decode("utf-8").split("\n")
    for symbol in file.symbols:
        first = symbol.name.split(".")[0] if file.language == "hcl" else symbol.name
        there = lines[symbol.name_line][symbol.name_column :]
        assert there.lstrip("\"':").startswith(first.split("\n")[0])


@pytest.mark.parametrize(
    ("name", "symbol", "doc"),
    [
        ("sample.py", "area", "The surface in square metres."),
        ("sample.js", "add", "Adds two numbers."),
        ("sample.go", "Server", "Server holds connections."),
        ("sample.rs", "Task", "A task that runs."),
        ("sample.java", "Reader", "Reads JSON."),
        ("sample.cs", "Write", "Writes one value."),
        ("sample.ex", "call", "Calls it."),
        ("sample.kt", "Job", "A job that can be cancelled."),
        ("sample.hs", "push", "Adds at the end."),
        ("sample.jl", "Circle", "A circle."),
        ("sample.r", "summarise_table", "Summarise a table"),
        ("sample.sol", "transfer", "Moves tokens."),
        ("sample.ml", "area", "Measures."),
        ("sample.tf", "resource.aws_s3_bucket.data", "A bucket."),
        ("sample.graphql", "Person", "A person."),
    ],
)
def test_documentation_belongs_to_its_definition(name: str, symbol: str, doc: str) -> None:
    source = (SAMPLES / f"{name}.sample").read_bytes()
    grammar = load_grammar(detect(name, source))
    assert grammar is not None
    tree = parse_tree(grammar, source)
    assert tree is not None
    text = Text.of(source)
    definitions = arrange(collect(grammar, tree.root_node, text), text, ".")
    assert doc in {definition.doc for definition in definitions if definition.name == symbol}


@pytest.mark.parametrize(
    ("name", "calls", "imports"),
    [
        ("sample.py", {"pow", "width", "sum"}, {"math", "collections.abc"}),
        ("sample.js", {"helper", "push", "require"}, {"node:path", "express"}),
        ("sample.ts", {"get", "wrap", "object"}, {"./http", "./response"}),
        ("sample.go", {"Errorf", "New", "len"}, {"fmt", "github.com/x/log"}),
        (
            "sample.rs",
            {"build", "take", "unwrap", "assert_eq"},
            {"std::collections::HashMap", "crate::error"},
        ),
        ("sample.java", {"close", "max"}, {"java.util.List"}),
        ("sample.c", {"printf", "poll"}, {"stdio.h", "uv.h"}),
        ("sample.cpp", {"push_back", "Shift", "Go"}, {"vector"}),
        ("sample.rb", {"route", "puts"}, {"json", "base", "Helpers"}),
        ("sample.php", {"render", "view", "find", "strlen"}, {"App\\Models\\User", "Loggable"}),
        ("sample.kt", {"start", "notify", "invoke"}, {"kotlin.coroutines.CoroutineContext"}),
        ("sample.ex", {"halt", "map", "map_size"}, {"Plug.Builder", "Phoenix.Conn"}),
        ("sample.lua", {"create", "helper"}, {"plugin.util"}),
        ("sample.zig", {"copy", "expect"}, {"std"}),
        ("sample.sh", {"greet", "echo"}, {"./lib.sh"}),
        ("sample.md", set(), {"other.md", "Wiki Page"}),
        ("sample.vue", {"emit", "ref"}, {"vue"}),
        ("sample.sql", {"users", "orders"}, set()),
    ],
)
def test_chunks_list_what_they_call_and_import(name: str, calls: set[str], imports: set[str]) -> None:
    chunks = parsed(name).chunks
    assert calls <= {call for chunk in chunks for call in chunk.calls}
    assert imports <= {target for chunk in chunks for target in chunk.imports}


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("sample.py", "async def measure(shapes: Iterable[Shape]) -> float"),
        ("sample.go", "func (s *Server) Start(addr string) error"),
        ("sample.rs", "impl<T> Future for Task<T>"),
        ("sample.java", "public class Reader<T> extends Base implements Closeable"),
        ("sample.hs", "push :: a -> Queue a -> Queue a"),
        ("sample.swift", "func max<T>(_ a: T, _ b: T) -> T"),
        ("sample.tf", 'resource "aws_s3_bucket" "data"'),
    ],
)
def test_a_signature_is_the_line_before_the_body(name: str, signature: str) -> None:
    assert signature in {symbol.signature for symbol in parsed(name).symbols}
