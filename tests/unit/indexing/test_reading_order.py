"""Which files of a folder are read first."""

from sightline.indexing.discovery.discover import FoundFile
from sightline.indexing.reading_order import reading_order

_NOW = 1_800_000_000 * 10**9
_DAY = 24 * 3600 * 10**9


def _found(path: str, days_old: int = 100) -> FoundFile:
    return FoundFile(path, 10, _NOW - days_old * _DAY)


def test_source_code_comes_before_prose_and_data_comes_last() -> None:
    files = map(_found, ["a.po", "b.json", "c.md", "d.py", "Makefile", "x.csv", "n.ipynb"])
    order = reading_order(files, (), _NOW)
    assert order == ["Makefile", "d.py", "n.ipynb", "c.md", "a.po", "b.json", "x.csv"]


def test_recently_changed_files_come_first_among_their_kind() -> None:
    files = [_found("a.py"), _found("z.py", 1), _found("b.po", 1), _found("a.po")]
    assert reading_order(files, (), _NOW) == ["z.py", "a.py", "b.po", "a.po"]


def test_open_files_of_any_kind_come_first() -> None:
    files = [_found("a.py", 1), _found("notes.po")]
    assert reading_order(files, {"notes.po"}, _NOW) == ["notes.po", "a.py"]
