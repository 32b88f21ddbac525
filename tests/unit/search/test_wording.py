"""A place that contains the wording of the query comes before one that has its words in another order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.search.stages.wording import read_wording
from sightline.types import SearchRequest
from tests.unit.search.small_index import build_memory, make_searcher

# Both functions have the words of the message; the first one has them more often.
PROJECT = {
    "hosts.py": '''
def allowed_hosts(host):
    """Hosts: which host is allowed, and which allowed host is not."""
    return [allowed for allowed in host.allowed if not allowed.host]
''',
    "admin.py": '''
def check(request):
    """Refuse what comes from elsewhere."""
    if request.origin not in request.known:
        raise PermissionError("host not allowed: %s" % request.origin)
''',
}
MESSAGE = "host not allowed: example.com"

QUERY = "host not allowed port"
IDF = {"host": 2.0, "allow": 3.0, "port": 1.0}
TOTAL = 2.0 + 1.0 + 3.0 + 1.0


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("host not allowed", 6.0),
        ("port host not allowed else", 6.0),
        ("host not allowed port", TOTAL),
        # Interrupted or reversed words are no run, and two words are too few.
        ("host is not allowed", 0.0),
        ("allowed not host", 0.0),
        ("host not", 0.0),
        # A run that begins again while another one is under way.
        ("host not host not allowed", 6.0),
        # Several runs count together, each word once.
        ("host not allowed, else not allowed port", TOTAL),
        ("host not allowed, host not allowed", 6.0),
        ("", 0.0),
    ],
)
def test_the_words_of_all_runs_count(given: str, value: float) -> None:
    wanted = read_wording(QUERY, IDF)
    assert [wanted.share_in(given)] == wanted.shares_copied([given]) == pytest.approx([value / TOTAL])


@given(st.lists(st.sampled_from(["host", "not", "allowed", "port", "else", "%s"]), max_size=12))
def test_the_faster_way_gives_the_same_share(given: list[str]) -> None:
    wanted = read_wording(QUERY, IDF)
    assert wanted.shares_copied([" ".join(given)]) == [wanted.share_in(" ".join(given))]


def test_pasted_values_do_not_lower_the_share() -> None:
    idf = {"colour": 9.0, "conf": 8.0}
    wanted = read_wording('there is no option "--colour" in /etc/app.conf', idf)
    # The fixed words are "there is no option" and "in"; a single word is no run.
    assert wanted.share_in('raise Error("there is no option %s in %s")') == pytest.approx(4 / 5)
    assert wanted.share_in('"there is no option colour in etc app conf"') == 1.0


def test_a_text_of_nothing_but_values_can_be_covered() -> None:
    assert read_wording('"a" "b" "c"', {}).share_in("a b c") == 1.0


@pytest.mark.parametrize(("weight", "first"), [(0.0, "hosts.py"), (4.0, "admin.py")])
def test_the_source_of_a_message_is_raised(tmp_path: Path, weight: float, first: str) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, PROJECT)
    answer = make_searcher(memory, folder, tuning={"wording": weight}).search(SearchRequest(MESSAGE))
    memory.catalog.close()
    assert answer.hits[0].path == first


def test_a_file_changed_since_it_was_indexed_is_not_compared(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, PROJECT)
    (folder / "admin.py").write_text("# host not allowed: example.com\n" * 5, encoding="utf-8")
    answer = make_searcher(memory, folder, tuning={"wording": 4.0}).search(SearchRequest(MESSAGE))
    memory.catalog.close()
    assert answer.hits[0].path == "hosts.py"
