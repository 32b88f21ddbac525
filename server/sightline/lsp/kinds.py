"""Maps the parser's symbol kinds to those of the protocol."""

from __future__ import annotations

from lsprotocol.types import SymbolKind

_KINDS = {
    "annotation": SymbolKind.Interface,
    "class": SymbolKind.Class,
    "constant": SymbolKind.Constant,
    "constructor": SymbolKind.Constructor,
    "enum": SymbolKind.Enum,
    "enum_member": SymbolKind.EnumMember,
    "event": SymbolKind.Event,
    "field": SymbolKind.Field,
    "function": SymbolKind.Function,
    "impl": SymbolKind.Class,
    "interface": SymbolKind.Interface,
    "key": SymbolKind.Key,
    "macro": SymbolKind.Function,
    "method": SymbolKind.Method,
    "mixin": SymbolKind.Class,
    "module": SymbolKind.Module,
    "namespace": SymbolKind.Namespace,
    "object": SymbolKind.Object,
    "operator": SymbolKind.Operator,
    "package": SymbolKind.Package,
    "property": SymbolKind.Property,
    "protocol": SymbolKind.Interface,
    "record": SymbolKind.Struct,
    "section": SymbolKind.String,
    "struct": SymbolKind.Struct,
    "trait": SymbolKind.Interface,
    "type": SymbolKind.Class,
    "union": SymbolKind.Struct,
    "variable": SymbolKind.Variable,
}


def symbol_kind(kind: str) -> SymbolKind:
    """The closest kind in the protocol."""
    return _KINDS.get(kind, SymbolKind.Variable)
