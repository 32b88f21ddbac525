"""Finds the tests of a definition: those that call it, and those named after it."""

from __future__ import annotations

import re

from sightline import file_roles
from sightline.relations.graph import Site
from sightline.relations.rules import rules_of
from sightline.relations.world import World
from sightline.words import split

_TEST = file_roles.bit("test")
# Benchmarks, mocks and fixtures have the role of a test but test nothing.
_TESTING = re.compile(r"test|spec", re.IGNORECASE)
_WORDS = frozenset({"test", "tests", "testing", "spec", "specs", "case"})
_FORMS = (
    "test_{}", "test{}", "Test{}", "{}Test", "{}Tests", "{}TestCase", "{}Spec", "{}_test", "Test_{}", "{}"
)  # fmt: skip


def is_test(path: str) -> bool:
    """Whether a file contains tests, by its role."""
    return bool(file_roles.roles(path) & _TEST) and _TESTING.search(path) is not None


def named_tests(world: World, row: int) -> list[int]:
    """The tests named after a definition, where the name cannot refer to another definition."""
    name, own = world.name_of(row), world.file_of(row)
    if len(name) < 3 or name.startswith("__"):
        return []
    found: dict[int, None] = {}
    capital = name[:1].upper() + name[1:]
    for form in _FORMS:
        for candidate in {form.format(name), form.format(capital), form.format(name.strip("_"))}:
            for test in world.named(candidate):
                if _is_test_named(world, test, row, candidate):
                    found[test] = None
    if not found:
        return []
    alone = _defined_once(world, row)
    return [test for test in found if alone or _same_stem(world.path(world.file_of(test)), world.path(own))]


def tested_names(world: World, row: int, sites: list[Site]) -> set[int]:
    """Of the definitions a test calls, those that the test is named after."""
    words = " ".join(each for each in split(world.name_of(row)) if each not in _WORDS)
    return {
        site.callee
        for site in sites
        if not is_test(world.path(world.file_of(site.callee)))
        and " ".join(split(world.name_of(site.callee))) in words
    }


def _is_test_named(world: World, test: int, row: int, candidate: str) -> bool:
    """Whether a definition of this name is a test: in a test file, of the same language."""
    file = world.file_of(test)
    if not is_test(world.path(file)) or world.kind_of(test) in ("constant", "variable", "field", "property"):
        return False
    same = rules_of(world.language(file)) is rules_of(world.language(world.file_of(row)))
    return same and (candidate != world.name_of(row) or world.kind_of(test) == "test")


def _defined_once(world: World, row: int) -> bool:
    """Whether no other definition outside of tests has the same name."""
    rows = {world.canonical(each) for each in world.named(world.name_of(row))}
    return all(each == row or is_test(world.path(world.file_of(each))) for each in rows)


def _same_stem(test: str, path: str) -> bool:
    """Whether a test file is named after another file."""
    stem = path.rpartition("/")[2].partition(".")[0]
    words = [word for word in split(test.rpartition("/")[2].partition(".")[0]) if word not in _WORDS]
    return bool(words) and words == split(stem)
