"""Which files are read for training, with which grammar, and which of their nodes are definitions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """A tree-sitter grammar by name and the node types that define something worth finding."""

    name: str
    definitions: frozenset[str]


def _grammar(name: str, definitions: str) -> Grammar:
    return Grammar(name, frozenset(definitions.split()))


_JS = "function_declaration class_declaration method_definition lexical_declaration"
_TS = f"{_JS} interface_declaration type_alias_declaration enum_declaration abstract_class_declaration"
_C = "function_definition struct_specifier enum_specifier"
_JAVA = "class_declaration method_declaration interface_declaration constructor_declaration enum_declaration"

_GRAMMARS = {
    "py": _grammar("python", "function_definition class_definition"),
    "js mjs cjs jsx": _grammar("javascript", _JS),
    "ts mts": _grammar("typescript", _TS),
    "tsx": _grammar("tsx", _TS),
    "go": _grammar("go", "function_declaration method_declaration type_declaration"),
    "rs": _grammar(
        "rust", "function_item struct_item enum_item trait_item macro_definition impl_item mod_item"
    ),
    "java": _grammar("java", f"{_JAVA} record_declaration"),
    "kt kts": _grammar("kotlin", "class_declaration function_declaration object_declaration"),
    "swift": _grammar(
        "swift", "class_declaration function_declaration protocol_declaration init_declaration"
    ),
    "cs": _grammar("csharp", f"{_JAVA} struct_declaration record_declaration property_declaration"),
    "scala": _grammar("scala", "class_definition object_definition trait_definition function_definition"),
    "c h": _grammar("c", _C),
    "cc cpp cxx hh hpp hxx": _grammar("cpp", f"{_C} class_specifier"),
    "rb": _grammar("ruby", "method singleton_method class module"),
    "php": _grammar(
        "php",
        "function_definition class_declaration method_declaration interface_declaration trait_declaration",
    ),
    "lua": _grammar("lua", "function_declaration"),
    "sh bash zsh": _grammar("bash", "function_definition"),
    "ex exs": _grammar("elixir", "call"),
    "hs": _grammar("haskell", "function bind data_type class instance"),
    "zig": _grammar("zig", "Decl"),
}

BY_SUFFIX = {suffix: grammar for suffixes, grammar in _GRAMMARS.items() for suffix in suffixes.split()}

MARKDOWN_SUFFIXES = frozenset({"md", "markdown"})
