"""Doc sentence to function: the first sentence of a function's documentation must find the function.

The documentation stays in the tree, as in a user's project. The tasks are extracted from the searched tree
with the grammars of the training code, so that they do not change with the product's own parser.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.ranking.tasks import Place, Task
from training.definitions import Definition, definitions
from training.extract import is_test
from training.grammars import BY_SUFFIX
from training.phrases import clean_comment, first_sentence, is_good_query

if TYPE_CHECKING:
    from tree_sitter import Parser

_MOST = 20
_FEWEST_WORDS = 4
_FEWEST_LINES = 3
_MOST_BYTES = 150_000
_FUNCTIONS = frozenset(
    """function_definition function_declaration function_item method method_declaration method_definition
    singleton_method constructor_declaration init_declaration call""".split()  # noqa: SIM905
)


def tasks_of(root: Path) -> tuple[Task, ...]:
    """Up to twenty functions of a tree, the same ones every time."""
    found = [each for path in sources(root) for each in _asked(root, path)]
    often = Counter(task.query for task in found)
    unique = [task for task in found if often[task.query] == 1]
    random.Random(5).shuffle(unique)
    return tuple(unique[:_MOST])


def sources(root: Path) -> list[str]:
    """The source files of a tree that are no tests, by path."""
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    names = (path.relative_to(root).as_posix() for path in files if path.stat().st_size < _MOST_BYTES)
    return sorted(name for name in names if suffix_of(name) in BY_SUFFIX and not is_test(name))


def suffix_of(path: str) -> str:
    """The suffix of a path, in lower case."""
    return path.rsplit(".", 1)[-1].lower()


def _asked(root: Path, path: str) -> Iterator[Task]:
    grammar = BY_SUFFIX[suffix_of(path)]
    source = (root / path).read_bytes()
    for found in definitions(source, parser_of(grammar.name).parse(source).root_node, grammar):
        sentence = first_sentence(clean_comment(found.doc))
        if _is_function(found) and is_good_query(sentence, _FEWEST_WORDS):
            yield Task(sentence, (path,), (Place(path, found.start_line, found.end_line),))


def _is_function(found: Definition) -> bool:
    return found.type in _FUNCTIONS and found.code.count("\n") + 1 >= _FEWEST_LINES


@cache
def parser_of(grammar: str) -> Parser:
    """The parser of a grammar."""
    from tree_sitter_language_pack import get_parser

    parser: Parser = get_parser(grammar)
    return parser
