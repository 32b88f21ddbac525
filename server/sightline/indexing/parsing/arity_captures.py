"""Counts the arguments of a call and the parameters of a function in their syntax nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sightline.relations.arity import Arguments, Parameters

if TYPE_CHECKING:
    from tree_sitter import Node

# Most lists are plain, and their nodes need not be read. These may have a name, a spread value, a comment or
# a generator (searching for exactly these takes three times as long):
_SPECIAL_ARGUMENTS = re.compile(rb"[#`*=/]|\.\.\.|for")
# and these have a default, a rest, a comment, an optional parameter, or an object written in another way.
_SPECIAL_PARAMETERS = re.compile(rb"[=#?/*]|\.\.\.|\b(?:mcs|metacls|this|void)\b|\bself\s*:")
_OBJECT = re.compile(rb"\(\s*(?:&\s*)?(?:mut\s+)?(?:self|cls)\s*[,)]")
# Longer lists are not searched for these: in nested calls, each list contains all those inside.
_MOST_BYTES = 400
_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_LISTS = frozenset({"argument_list", "arguments"})
_SPREAD = frozenset(
    {"list_splat", "dictionary_splat", "spread_element", "variadic_argument", "parameter_pack_expansion"}
)
# Nodes between parameters, and those for the object of a method.
_NO_PARAMETER = _COMMENTS | {"self_parameter", "receiver_parameter", "attribute_item", "positional_separator"}
_OPTIONAL = frozenset(
    {
        "default_parameter",
        "typed_default_parameter",
        "optional_parameter",
        "optional_parameter_declaration",
        "assignment_pattern",
    }
)
_REST = frozenset(
    {
        "list_splat_pattern",
        "rest_pattern",
        "spread_parameter",
        "variadic_parameter",
        "variadic_parameter_declaration",
        "...",
    }
)
# The parameters of JavaScript, any of which a call may leave out.
_UNTYPED = frozenset({"identifier", "object_pattern", "array_pattern"})
_OBJECTS = frozenset({b"self", b"cls", b"mcs", b"metacls"})


def count_arguments(node: Node, source: bytes) -> str:
    """The arguments of a call in short form; empty if the node is no list of arguments."""
    start, end = node.start_byte, node.end_byte
    if end - start == len("()"):
        return "0"
    if end - start < _MOST_BYTES and not _SPECIAL_ARGUMENTS.search(source, start, end):
        count = node.named_child_count
        # A call as the only argument may pass any number of values.
        if count > 1 or source.find(b")", start, end) == end - 1:
            return str(count)
    found = _count(node)
    return str(found) if found else ""


def _count(node: Node) -> Arguments | None:
    if node.type not in _LISTS:
        # A generator alone needs no parentheses of its own.
        return Arguments(1) if node.type == "generator_expression" else None
    positional = named = 0
    spread = False
    kinds = [each.type for each in node.named_children]
    for kind in kinds:
        if kind == "keyword_argument":
            named += 1
        elif kind in _SPREAD:
            spread = True
        elif kind not in _COMMENTS:
            positional += 1
    if kinds == ["call_expression"] and node.type == "argument_list":
        # In Go, the values that one call returns may be all the arguments of another.
        return Arguments(0, spread=True)
    return Arguments(positional, named, spread)


def count_parameters(node: Node, source: bytes) -> str:
    """The parameters of a function without the object of a method, in short form."""
    start, end = node.start_byte, node.end_byte
    if end - start == len("()"):
        return "0"
    if end - start >= _MOST_BYTES:
        return str(_read_parameters(node, source))
    count = node.named_child_count
    # Go writes `a, b int` as one node; the parameters of JavaScript may be left out.
    plain = source.count(b",", start, end) + 1 == count and node.type != "formal_parameters"
    if plain and not _SPECIAL_PARAMETERS.search(source, start, end):
        return str(count - 1 if _OBJECT.match(source, start, end) else count)
    return str(_read_parameters(node, source))


def _read_parameters(node: Node, source: bytes) -> Parameters:
    least = positional = total = 0
    rest = keywords = named_only = False
    untyped = node.type == "formal_parameters"
    for each in _listed(node, source):
        kind = _kind(each)
        if kind in _REST:
            rest = named_only = True
        elif kind == "keyword_separator":
            named_only = True
        elif kind == "dictionary_splat_pattern":
            keywords = True
        else:
            # `a, b int` of Go is one node.
            count = max(1, len(each.children_by_field_name("name"))) if kind == "parameter_declaration" else 1
            least += 0 if kind in _OPTIONAL or (untyped and kind in _UNTYPED) else count
            positional += 0 if named_only else count
            total += count
    return Parameters(least, None if rest else positional, None if rest or keywords else total)


def _listed(node: Node, source: bytes) -> list[Node]:
    """The nodes of the parameters, without comments and the object of a method."""
    listed = [each for each in node.children if each.is_named or each.type == "..."]
    found = [each for each in listed if each.type not in _NO_PARAMETER]
    return found[1:] if found and _is_object(found[0], source) else found


def _kind(parameter: Node) -> str:
    """The type of a parameter's node; of the pattern in it if that says more."""
    if parameter.type == "required_parameter":
        pattern = parameter.child_by_field_name("pattern")
        if parameter.child_by_field_name("value"):
            return "optional_parameter"
        return pattern.type if pattern is not None and pattern.type == "rest_pattern" else parameter.type
    if parameter.type == "typed_parameter" and (inner := parameter.named_child(0)):
        return inner.type if inner.type.endswith("splat_pattern") else parameter.type
    return parameter.type


def _is_object(parameter: Node, source: bytes) -> bool:
    """Whether the first parameter is the object of a method, or only says that there are none (`void`)."""
    text = source[parameter.start_byte : parameter.end_byte]
    if text in _OBJECTS or text == b"void":
        return True
    pattern = parameter.child_by_field_name("pattern")
    return pattern is not None and pattern.type in ("this", "self")
