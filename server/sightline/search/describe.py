"""What stands under the cursor: the definition a name means, for a hover."""

from __future__ import annotations

from sightline.languages.grammars import load_grammar, parse_tree
from sightline.languages.table import LANGUAGES
from sightline.search.related import word_at
from sightline.stores.image import Image
from sightline.types import SymbolInfo
from sightline.words import lines_of

# A name defined in more places than this means none of them in particular.
_MAX_DEFINITIONS = 40


def describe(image: Image, path: str, text: str, line: int, column: int) -> SymbolInfo | None:
    """The symbol named at a position; None on white space, in comments, and for names nobody defines."""
    word = word_at(text, line, column)
    number = image.file_number(path)
    if not word or number is None or _in_prose(text, image.files[number].language, line, column):
        return None
    with image.guard.reading():
        row = _nearest(image, word, number, line)
        if row is None:
            return None
        symbols = image.symbols
        name, kind, container = symbols.name(row), symbols.kind(row), symbols.container(row)
        file = image.files[symbols.columns["file"][row]]
        start = int(symbols.columns["start_line"][row])
    same = [
        found
        for found in image.catalog.symbols_of(file.id)
        if (found.name, found.start_line) == (name, start)
    ]
    return SymbolInfo(name, kind, container, same[0].signature if same else "")


def _nearest(image: Image, word: str, number: int, line: int) -> int | None:
    """Of the definitions of a name the one meant most likely: in this file and near, else the first."""
    rows = [row for row in image.symbols.named(word) if image.symbols.name(row) == word]
    if not rows or len(rows) > _MAX_DEFINITIONS:
        return None
    columns = image.symbols.columns
    return min(
        rows,
        key=lambda row: (columns["file"][row] != number, abs(int(columns["name_line"][row]) - line), row),
    )


def _in_prose(text: str, language: str, line: int, column: int) -> bool:
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
