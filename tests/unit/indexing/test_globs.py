"""A table of globs finds the same matches as testing each glob."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sightline.indexing.discovery.ignore_globs import GlobTable, matcher
from sightline.indexing.discovery.rule_tree import top_position

_GLOBS = st.lists(st.text("ab*?[]!^\\\\", min_size=1, max_size=6), max_size=60, unique=True)


@given(_GLOBS, st.text("ab[]!^\\\\", min_size=1, max_size=6))
def test_a_table_finds_the_same_matches_as_testing_each_glob(globs: list[str], name: str) -> None:
    table: GlobTable[str] = GlobTable()
    for glob in globs:
        table.setdefault(glob, glob.__str__)
    assert set(table.find(name)) == {glob for glob in globs if matcher(glob)(name)}


def test_looking_up_a_name_among_very_many_rules_is_fast() -> None:
    kinds = ("/a{0}/b*/c", "*x{0}*z", "name{0}", "**/d{0}/**/e", "!/pkg{0}/x*", "[a-z]{0}*[0-9]q")
    rules = top_position(kind.format(number) for number in range(3000) for kind in kinds)
    # Each rule tried on each name would be 200 million comparisons; the suite's time limit ends the test.
    for number in range(10_000):
        assert rules.below(f"folder{number}").match("pq", is_dir=False) is None
    assert rules.match("fx2999yz", is_dir=False)
    assert rules.below("a7").below("bee").match("c", is_dir=False)
    assert rules.below("x").below("d8").below("y").match("e", is_dir=True)
    assert rules.match("k2998-5q", is_dir=False)
    assert not rules.match("k2998-xq", is_dir=False)
