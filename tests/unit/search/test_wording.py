"""A place that contains the wording of the query comes before one that has its words in another order."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.search.stages.wording import longest_run
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

QUERY = ["host", "not", "allow", "port"]
VALUES = {"host": 2.0, "allow": 3.0, "port": 1.0}


@pytest.mark.parametrize(
    ("given", "share"),
    [
        ("host not allow", 5 / 6),
        ("port host not allow else", 5 / 6),
        ("host not allow port", 1.0),
        # Interrupted or reversed words are no run, and two words are too few.
        ("host is not allow", 0.0),
        ("allow not host", 0.0),
        ("host not", 0.0),
        # A run that begins again while another one is under way.
        ("host not host not allow", 5 / 6),
        ("", 0.0),
    ],
)
def test_the_longest_run_counts(given: str, share: float) -> None:
    assert longest_run(QUERY, given.split(), VALUES) == pytest.approx(share)


def test_a_query_without_known_words_has_no_run() -> None:
    assert longest_run(["a", "b", "c"], ["a", "b", "c"], {}) == 0.0


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
