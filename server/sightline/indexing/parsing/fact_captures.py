"""Turns the captures of a file into the facts about names from which relations are resolved."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sightline.indexing.parsing.arity_captures import count_arguments, count_parameters
from sightline.indexing.parsing.captures import Captures, Definition, Span
from sightline.indexing.parsing.nesting import regions
from sightline.indexing.parsing.source_text import QUOTES, Text
from sightline.relations.expressions import LITERAL, compact, first_name, flatten_use, shorten
from sightline.relations.facts import (
    BindingKind,
    CallKind,
    binding_line,
    call_line,
    import_line,
    pack,
    scope_line,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    Match = dict[str, list[Node]]

# These contain no code of their own: a name bound in them belongs to the enclosing scope.
_VALUE_KINDS = frozenset({"constant", "variable", "field", "property"})
# The names of these are local: they matter only if they are called or called on.
_CODE_KINDS = frozenset({"function", "method", "constructor", "test", "macro"})
_MAX_FACTS = 20_000
_MAX_NAME = 120
_MAX_USE = 4000
# Keywords in place of a type; the type is that of the value.
_UNTYPED = frozenset({"var", "auto", "val", "let", "dynamic"})
_HINTS: tuple[tuple[str, BindingKind], ...] = (("type", ":"), ("value", "="), ("each", "@"))
_DECLARATIONS: tuple[tuple[str, BindingKind], ...] = (("base", "<"), ("returns", ">"), ("return", "^"))


def facts_of(text: Text, definitions: list[Definition], found: Captures) -> str:
    """The packed facts of a file."""
    if not found.relations:
        return ""
    return _Extraction(text, definitions).run(found.relations[:_MAX_FACTS], found.imports)


class _Extraction:
    """Collects the facts of one file, each as the line it is stored as."""

    def __init__(self, text: Text, definitions: list[Definition]) -> None:
        self._text = text
        self._source = text.source
        self._decoded = text.decoded
        self._definitions = definitions
        # The scopes between these offsets: many names are looked up in the regions of a few definitions.
        self._bounds, inner = regions(definitions)
        self._scopes = [index + 1 for index in inner]
        self._binding_scopes = [self._binding_scope(index) for index in inner]
        # Where a definition is written like a call, as in Elixir, it is not a call.
        self._names = {definition.name_start for definition in definitions}
        self._imports: list[str] = []
        self._bindings: dict[str, None] = {}
        # By the offset of the name.
        self._calls: dict[int, str] = {}
        self._receivers: set[str] = set()
        # Names that are called, called on, or bound to such a name.
        self._used: set[str] = set()
        self._local: dict[str, list[tuple[int, Match]]] = {}

    def run(self, matches: Iterable[Match], imports: Iterable[Span]) -> str:
        """Every fact, packed."""
        for match in matches:
            if "call" in match:
                self._call(match)
            elif "bind" in match:
                self._bind(match)
            elif "module" in match:
                self._import(match)
            elif "use" in match:
                self._use(match["use"][0])
            elif "package" in match:
                self._add_binding(0, "package", "#", self._joined(match["package"]))
            else:
                self._describe(match)
        self._bind_local()
        if not self._imports:
            # If the query does not split imports, the whole text says what is imported.
            self._imports = [import_line(0, "", self._text_of(span), "") for span in imports]
        scopes = [scope_line(_path(each), each.kind, each.parent + 1) for each in self._definitions]
        calls = [self._calls[place] for place in sorted(self._calls)]
        return pack(scopes, self._imports, self._bindings, calls)

    def _call(self, match: Match) -> None:
        start, end = match["call"][-1].byte_range
        name = self._decoded(start, end).strip(QUOTES)
        if not name or len(name) > _MAX_NAME or start in self._names:
            return
        receiver = self._receiver(match["receiver"]) if "receiver" in match else ""
        scope = self._scopes[bisect_right(self._bounds, start)]
        if "mark" in match:
            self._add_binding(scope, "#", "#", f"{receiver}.{name}" if receiver else name)
        if receiver:
            self._receivers.add(receiver)
        else:
            self._used.add(name)
        if receiver or start not in self._calls:
            kind: CallKind = "d" if "mark" in match else "n" if "new" in match else ""
            arguments = count_arguments(match["arguments"][0], self._source) if "arguments" in match else ""
            line, column = self._text.place(start)
            self._calls[start] = call_line(name, receiver, line, column, scope, kind + arguments)

    def _receiver(self, nodes: Sequence[Node]) -> str:
        """The receiver of a call, in short form; `?` if it is unknown."""
        text = self._decoded(*nodes[0].byte_range)
        if len(nodes) > 1:
            text = ".".join(map(self._node_text, nodes))
        return shorten(text) or "?"

    def _bind(self, match: Match) -> None:
        prefix = "this." if "field" in match else ""
        for node in match["bind"]:
            start, end = node.byte_range
            name = prefix + shorten(self._decoded(start, end))
            if not name or len(name) > _MAX_NAME:
                continue
            # A default export is a name of the file, though it is inside what it exports.
            scope = 0 if name == "default" else self._scope_to_bind(start)
            if scope and "." not in name and self._definitions[scope - 1].kind in _CODE_KINDS:
                self._local.setdefault(name, []).append((scope, match))
            else:
                self._add_hints(scope, name, match)

    def _bind_local(self) -> None:
        """Add the local names that matter, and those they are bound to."""
        self._used.update(map(first_name, self._receivers))
        while ready := self._used & self._local.keys():
            for name in sorted(ready):
                for scope, match in self._local.pop(name):
                    self._add_hints(scope, name, match)

    def _add_hints(self, scope: int, name: str, match: Match) -> None:
        """Add what a match says about a name: its type, its value, or only that it is bound."""
        known = False
        for role, kind in _HINTS:
            for node in match.get(role, ()):
                text = self._node_text(node)
                hint = compact(text) if kind == ":" else shorten(text)
                if kind == ":" and hint in _UNTYPED:
                    continue
                known = True
                self._add_binding(scope, name, kind, hint)
                self._used.add(first_name(hint))
        if not known:
            self._add_binding(scope, name, "?", "")

    def _describe(self, match: Match) -> None:
        """Add what a definition declares: its bases, its return type, its parameters and its flags."""
        for role, kind in _DECLARATIONS:
            for node in match.get(role, ()):
                hint = shorten(self._node_text(node)) if kind == "^" else compact(self._node_text(node))
                if hint not in ("", LITERAL):
                    self._add_binding(self._scope_to_bind(node.start_byte), kind, kind, hint)
                    self._used.add(first_name(hint))
        for node in match.get("parameters", ()):
            parameters = count_parameters(node, self._source)
            self._add_binding(self._scope(node.start_byte), "(", "(", parameters)
        for node in match.get("flag", ()):
            self._add_binding(self._scope(node.start_byte), "#", "#", compact(self._node_text(node)))
        for node in match.get("declared", ()):
            self._add_binding(self._scope(node.start_byte), "#", "#", "declared")

    def _add_binding(self, scope: int, name: str, kind: BindingKind, hint: str) -> None:
        self._bindings[binding_line(scope, name, kind, hint)] = None

    def _text_of(self, span: Span) -> str:
        return compact(self._text.decoded(*span)).strip(QUOTES)

    def _use(self, node: Node) -> None:
        """Add an import of Rust or Scala, whose braces can contain any number of names."""
        scope = self._scope_to_bind(node.start_byte)
        text = compact(self._node_text(node), _MAX_USE).removeprefix("import ").replace("=>", " as ")
        for path, alias in flatten_use(text):
            module, _, member = path.rpartition("::" if "::" in path else ".")
            member = "*" if member == "_" else member
            self._imports.append(import_line(scope, alias, module or member, member if module else ""))

    def _import(self, match: Match) -> None:
        module = compact(self._node_text(match["module"][0])).strip(QUOTES)
        member = compact(self._node_text(match["member"][0])).strip(QUOTES) if "member" in match else ""
        alias = compact(self._node_text(match["alias"][0])) if "alias" in match else ""
        scope = self._scope_to_bind(match["module"][0].start_byte)
        self._imports.append(import_line(scope, alias, module, member))

    def _scope(self, offset: int) -> int:
        return self._scopes[bisect_right(self._bounds, offset)]

    def _scope_to_bind(self, offset: int) -> int:
        """The scope a name is bound in."""
        return self._binding_scopes[bisect_right(self._bounds, offset)]

    def _binding_scope(self, index: int) -> int:
        """The scope of the names that are bound directly inside a definition."""
        while index >= 0 and self._definitions[index].kind in _VALUE_KINDS:
            index = self._definitions[index].parent
        return index + 1

    def _node_text(self, node: Node) -> str:
        return self._decoded(*node.byte_range)

    def _joined(self, nodes: Iterable[Node]) -> str:
        return compact(".".join(self._node_text(node) for node in nodes))


def _path(definition: Definition) -> str:
    return f"{definition.container}.{definition.name}" if definition.container else definition.name
