"""Syntax trees stay usable after the parse that created them."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from itertools import count

import pytest

from sightline.languages import detect, grammars

_LATE_QUERY = """
import time
from sightline.languages import detect, grammars

grammars._TIME_LIMIT_SECONDS = 0.3
source = b"".join(b'rule(\\n    name = "target_%d",\\n)\\n' % number for number in range(2000))
grammar = grammars.load_grammar(detect("BUILD.bazel", source))
tree = grammars.parse_tree(grammar, source)
later = time.thread_time() + 0.4
while time.thread_time() < later:
    pass
print(len(grammars.find_matches(grammar, tree.root_node)))
"""


def test_a_tree_can_be_queried_after_the_parse_timeout() -> None:
    # In a separate process: on failure it never ends, and nothing can interrupt it.
    done = subprocess.run(
        [sys.executable, "-c", _LATE_QUERY], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) >= 2000


def test_a_busy_machine_does_not_stop_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count(step=60)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(seconds)))
    source = b"".join(b"def function_%d():\n    return %d\n\n" % (number, number) for number in range(5000))
    grammar = grammars.load_grammar(detect("many.py", source))
    assert grammar is not None
    assert grammars.parse_tree(grammar, source) is not None


def test_a_text_with_errors_has_the_same_tree_however_often_the_parser_was_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = b'BEGIN_TEST(name%d, "text")\n\tgit_reference *ref;\n\tmust_pass(lookup(&ref, "x"));\nEND_TEST\n'
    source = b"".join(part % number for number in range(400))
    grammar = grammars.load_grammar(detect("tests.c", source))
    assert grammar is not None
    trees = set()
    for micros in (10_000_000, 3000, 1000):
        monkeypatch.setattr(grammars, "_SLICE_MICROS", micros)
        monkeypatch.setattr(grammars._WORKERS, "parsers", {})
        tree = grammars.parse_tree(grammar, source)
        assert tree is not None
        trees.add(str(tree.root_node))
    assert len(trees) == 1


def test_a_parsed_text_is_freed() -> None:
    source = b"".join(b"def function_%d():\n    return %d\n\n" % (number, number) for number in range(5000))
    grammar = grammars.load_grammar(detect("many.py", source))
    assert grammar is not None
    grammars.parse_tree(grammar, source)
    tracemalloc.start()
    for _ in range(4):
        grammars.parse_tree(grammar, source)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < len(source)


def test_a_text_that_takes_too_long_does_not_affect_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    source = b"".join(b"def function_%d():\n    return %d\n\n" % (number, number) for number in range(60000))
    grammar = grammars.load_grammar(detect("many.py", source))
    assert grammar is not None
    monkeypatch.setattr(grammars, "_TIME_LIMIT_SECONDS", 1e-6)
    assert grammars.parse_tree(grammar, source) is None
    monkeypatch.undo()
    tree = grammars.parse_tree(grammar, b"x = 1\n")
    assert tree is not None
    assert tree.root_node.end_byte == len(b"x = 1\n")
