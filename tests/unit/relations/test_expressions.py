"""Expressions and types in their compact form."""

from __future__ import annotations

import pytest

from sightline.relations.expressions import LITERAL, flatten_use, shorten, steps
from sightline.relations.facts import Facts, binding_line, call_line, import_line, pack, scope_line
from sightline.relations.written_types import TypeName, read_type


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        ("self.store", "self.store"),
        ("open(path, 'r').read", "open().read"),
        ("await client.get(url)", "client.get()"),
        ("new Foo<Bar>(1).baz", "Foo().baz"),
        ("&Store{name: 1}", "Store()"),
        ("items[0]->next", "items[].next"),
        ("std::vec::Vec::<u8>::new", "std.vec.Vec.new"),
        ("a + b", ""),
        ("x < y", ""),
        ("'text'.join", LITERAL),
        ("[1, 2]", LITERAL),
        ("None", ""),
        ("new TypeToken<List<String>>() { int x; }", "TypeToken()"),
        ("f(')')[0]", "f()[]"),
        ("(", ""),
        ("", ""),
    ],
)
def test_an_expression_is_a_chain_or_nothing(text: str, chain: str) -> None:
    assert shorten(text) == chain


def test_a_chain_is_split_into_its_parts() -> None:
    assert steps("a.b().c[]") == ("a", ".b", "()", ".c", "[]")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Store", ["Store"]),
        ("Optional[Store]", ["Store"]),
        ("'Store' | None", ["Store", "None"]),
        ("*store.Store", ["store.Store"]),
        ("const std::unique_ptr<Store>&", ["Store"]),
        ("&'a mut Store", ["Store"]),
        ("Promise<Store>", ["Store"]),
        ("Box<dyn Store>", ["Store"]),
    ],
)
def test_the_names_of_a_type_are_parsed(text: str, names: list[str]) -> None:
    assert [each.name for each in read_type(text)] == names


@pytest.mark.parametrize(
    "text", ["list[Store]", "dict[str, Store]", "[]*Store", "map[string]Store", "Vec<Store>", "Store[]"]
)
def test_a_container_holds_its_elements(text: str) -> None:
    assert read_type(text) == (TypeName("", (TypeName("Store"),)),)


def test_a_use_is_flattened() -> None:
    assert list(flatten_use("a::{b, c as d, e::{self, f}}")) == [
        ("a::b", ""),
        ("a::c", "d"),
        ("a::e", ""),
        ("a::e::f", ""),
    ]


def test_facts_survive_the_round_trip() -> None:
    facts = Facts(
        pack(
            [scope_line("A", "class", 0), scope_line("A.f", "method", 1)],
            [import_line(0, "b", "m", "a")],
            [binding_line(2, "self.x", "=", "B()")],
            [call_line("go", "self.x", 3, 4, 2, "n1+2"), call_line("gone", "", 5, 0, 0, "")],
        )
    )
    assert [scope.path for scope in facts.scopes] == ["", "A", "A.f"]
    assert facts.imports[0].alias == "b"
    assert facts.attributes[1, "x"][0].hint == "B()"
    assert [(call.line, call.column) for call in facts.calls_named("go")] == [(3, 4)]
    assert [(call.kind, call.arguments) for call in facts.calls()] == [("n", "1+2"), ("", "")]
    assert list(facts.calls_named("g")) == []
    assert len(list(facts.calls())) == 2
    assert list(Facts("").calls()) == []
