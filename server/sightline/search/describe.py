"""The symbol under the cursor: finds the definition that a name refers to, for a hover."""

from __future__ import annotations

from sightline.languages.grammars import load_grammar, parse_tree
from sightline.languages.table import LANGUAGES
from sightline.relations.world import World
from sightline.search.subject import FileView, word_at
from sightline.search.symbol_rows import symbol_info
from sightline.types import Source, SymbolInfo
from sightline.words import lines_of


def describe(world: World, path: str, source: Source, line: int, column: int) -> SymbolInfo | None:
    """The symbol named at a position; None on white space, in comments, and for undefined names."""
    memory = world.memory
    number = memory.file_number(path)
    if number is None or word_at(source.lines, line, column) is None:
        return None
    if _in_comment(source.text, memory.files[number].language, line, column):
        return None
    with memory.guard.reading():
        named = FileView(world, number, source).named(line, column)
        if named is None or named.row is None:
            return None
        return symbol_info(memory, named.row)


def _in_comment(text: str, language: str, line: int, column: int) -> bool:
    """Whether a position is inside a comment."""
    grammar = load_grammar(LANGUAGES[language])
    tree = parse_tree(grammar, text.encode("utf-8", "replace")) if grammar else None
    if tree is None:
        return False
    before = lines_of(text)[line][:column].encode("utf-8", "replace")
    node = tree.root_node.descendant_for_point_range((line, len(before)), (line, len(before) + 1))
    while node is not None:
        if "comment" in node.type:
            return True
        node = node.parent
    return False
