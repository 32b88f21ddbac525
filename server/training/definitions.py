"""Extracts the definitions of a source file with their names, containers and documentation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.grammars import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPERS = frozenset(["export_statement", "decorated_definition", "template_declaration"])
_BETWEEN = frozenset(
    ["attribute_item", "attribute", "decorator", "annotation", "marker_annotation", "modifiers", "signature"]
)
_ELIXIR_KEYWORDS = frozenset(["def", "defp", "defmacro", "defmodule", "defprotocol", "defimpl"])
_FUNCTION_VALUES = frozenset(["arrow_function", "function_expression", "function", "class"])
# Deep enough for a method of a nested class in a namespace, shallow enough to stay out of expressions.
_DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition; `code` is its text without the documentation, lines are 1-based and inclusive."""

    name: str
    container: str
    doc: str
    code: str
    type: str
    start_line: int
    end_line: int


def definitions(source: bytes, root: "Node", grammar: Grammar) -> Iterator[Definition]:
    """Yield the definitions of a parsed file, outer before inner."""
    stack: list[tuple[Node, str, int]] = [(root, "", 0)]
    while stack:
        node, container, depth = stack.pop()
        inner = container
        if node.type in grammar.definitions and (name := _name(node)):
            yield _definition(source, node, name, container)
            inner = name
        if depth < _DEEPEST:
            stack.extend((child, inner, depth + 1) for child in reversed(node.named_children))


def _definition(source: bytes, node: "Node", name: str, container: str) -> Definition:
    outer = node.parent if node.parent is not None and node.parent.type in _WRAPPERS else node
    docstring = _docstring(node)
    doc = _leading_comment(outer) or (_text(docstring) if docstring is not None else "")
    code = source[outer.start_byte : outer.end_byte]
    if docstring is not None:
        code = source[outer.start_byte : docstring.start_byte] + source[docstring.end_byte : outer.end_byte]
    lines = outer.start_point[0] + 1, outer.end_point[0] + 1
    return Definition(name, container, doc, code.decode("utf-8", "replace"), node.type, *lines)


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _name(node: "Node") -> str:
    if node.type == "call":
        return _elixir_name(node)
    if node.type == "lexical_declaration":
        return _function_variable_name(node)
    for field in ("name", "type", "declarator", "function"):
        found = node.child_by_field_name(field)
        if field == "type" and node.type != "impl_item":
            continue
        if found is not None:
            return _innermost_name(found)
    nested = next((child for child in node.named_children if child.type.endswith("identifier")), None)
    spec = next((child for child in node.named_children if child.type in ("type_spec", "FnProto")), None)
    return _text(nested) if nested is not None else _name(spec) if spec is not None else ""


def _innermost_name(node: "Node") -> str:
    while (inner := node.child_by_field_name("declarator")) is not None:
        node = inner
    text = _text(node)
    return text if len(text) < 100 and "\n" not in text else ""


def _function_variable_name(node: "Node") -> str:
    for declarator in node.named_children:
        value = declarator.child_by_field_name("value")
        name = declarator.child_by_field_name("name")
        if value is not None and name is not None and value.type in _FUNCTION_VALUES:
            return _text(name)
    return ""


def _elixir_name(node: "Node") -> str:
    target = node.child_by_field_name("target")
    if target is None or _text(target) not in _ELIXIR_KEYWORDS or len(node.named_children) < 2:
        return ""
    arguments = node.named_children[1]
    first = arguments.named_children[0] if arguments.named_children else arguments
    return _text(first).split("(")[0].split(" when ")[0].strip()[:100]


def _docstring(node: "Node") -> "Node | None":
    body = node.child_by_field_name("body")
    if body is None or body.type != "block" or not body.named_children:
        return None
    first = body.named_children[0]
    if first.type == "expression_statement" and first.named_children:
        first = first.named_children[0]
    return first if first.type == "string" else None


def _leading_comment(node: "Node") -> str:
    lines: list[str] = []
    expected = node.start_point[0]
    before = node.prev_named_sibling
    while before is not None and before.end_point[0] >= expected - 1 - _gap(before):
        if _is_documentation(before):
            lines.append(_text(before).rstrip("\n"))
        elif before.type not in _BETWEEN and not _is_elixir_attribute(before):
            break
        expected = before.start_point[0]
        before = before.prev_named_sibling
    return "\n".join(reversed(lines))


def _gap(node: "Node") -> int:
    # Rust's line comments end at the start of the next line; Elixir leaves a blank line after @doc blocks.
    return 1 if _is_elixir_attribute(node) else 0


def _is_documentation(node: "Node") -> bool:
    return (
        "comment" in node.type
        or node.type == "haddock"
        or (_is_elixir_attribute(node) and _text(node).startswith(("@doc ", "@moduledoc ")))
    )


def _is_elixir_attribute(node: "Node") -> bool:
    return node.type == "unary_operator" and _text(node).startswith("@")
