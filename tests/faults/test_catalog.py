"""A catalog that is truncated, garbled, removed or of another format is rebuilt, and reported once."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sightline.errors import SightlineError
from sightline.folder import Folder
from sightline.folder_answers import retry_if_replaced
from sightline.indexing.index_files import drop_older_formats
from sightline.location import index_dir
from sightline.stores.catalog.folder_lock import FolderLock
from sightline.stores.catalog.schema import FORMAT
from sightline.stores.memory import snapshot
from tests.damage import cut, empty, overwrite
from tests.faults.harness import CATALOG, agrees, assert_consistent, fresh_state, moved_cache, session
from tests.unit.workspace.index_state import memory_of

_PAGE = 4096
_MESSAGE = "The index was damaged"


def _garble_header(file: Path) -> None:
    overwrite(file, 0, 100)


def _garble_schema(file: Path) -> None:
    overwrite(file, 100, _PAGE - 100)


def _garble_a_statement(file: Path) -> None:
    """SQLite then quotes bytes in its message that are no text."""
    intact = file.read_bytes()
    assert b"CREATE TABLE" in intact
    file.write_bytes(intact.replace(b"CREATE TABLE", b"CREAT\xfdTABLE "))


def _garble_every_page_but_the_first(file: Path) -> None:
    overwrite(file, _PAGE, file.stat().st_size - _PAGE)


_DAMAGES = (cut, _garble_header, _garble_schema, _garble_every_page_but_the_first)


def _indexed(project: Path) -> Path:
    with session(project) as running:
        assert running.folder.state == "ready"
    return index_dir(project) / CATALOG


@pytest.mark.parametrize("damage", [*_DAMAGES, _garble_a_statement])
def test_a_catalog_damaged_while_closed_is_rebuilt(project: Path, damage: Callable[[Path], None]) -> None:
    damage(_indexed(project))
    with session(project) as running:
        running.reconcile()
        assert running.count_messages(_MESSAGE) == 1, running.messages
        assert (running.index / "damaged" / CATALOG).exists()
        assert_consistent(running)


def test_an_empty_catalog_is_rebuilt(project: Path) -> None:
    empty(_indexed(project))
    with session(project) as running:
        assert_consistent(running)


def test_any_damaged_page_is_detected_or_harmless(project: Path) -> None:
    catalog, fresh = _indexed(project), fresh_state(project)
    intact = catalog.read_bytes()
    for page in range(1, len(intact) // _PAGE):
        catalog.write_bytes(intact)
        overwrite(catalog, page * _PAGE, _PAGE, seed=page)
        with session(project) as running:
            running.reconcile()
            assert_consistent(running, fresh)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunks SET terms = x'ffffffff0100'",
        "UPDATE chunks SET file_id = 999",
        "UPDATE symbols SET file_id = 999 WHERE file_id = 1",
        "UPDATE files SET path = CAST(x'ff' AS TEXT) WHERE id = 1",
        "UPDATE chunks SET kind = CAST(x'ff' AS TEXT) WHERE id = 1",
        "UPDATE chunks SET symbol = x'00' WHERE id = 1",
        "UPDATE chunks SET start_line = 'first' WHERE id = 1",
        "UPDATE symbols SET chunk = 999 WHERE file_id = 1",
        "UPDATE symbols SET chunk = -1 WHERE file_id = 1",
        "DROP TABLE terms",
    ],
)
def test_a_catalog_with_contradictory_tables_is_rebuilt(project: Path, statement: str) -> None:
    with closing(sqlite3.connect(_indexed(project))) as database, database:
        database.execute(statement)
    for file in index_dir(project).glob("*.snapshot"):
        file.unlink()
    with session(project) as running:
        running.reconcile()
        assert running.count_messages(_MESSAGE) == 1, running.messages
        assert_consistent(running)


@pytest.mark.parametrize("damage", [*_DAMAGES, empty])
def test_a_catalog_damaged_while_open_is_rebuilt(project: Path, damage: Callable[[Path], None]) -> None:
    with session(project) as running:
        damage(running.index / CATALOG)
        running.save("src/new.py", "def after_the_damage(user):\n    return user\n")
        running.settle()
        running.reconcile()
        assert "src/new.py" in running.find("after_the_damage")
    with session(project) as running:
        running.reconcile()
        assert_consistent(running)


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short path, because the address of a socket has to be short."""
    with tempfile.TemporaryDirectory(prefix="s-", dir="/tmp") as folder:
        yield Path(folder)


def _garble_facts(file: Path) -> None:
    """Overwrite the first page of a table that only requests read."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((page,),) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'facts'").fetchall()
    overwrite(file, (page - 1) * _PAGE, _PAGE)


def _read_facts(folder: Folder) -> object:
    catalog = memory_of(folder).catalog
    return catalog.facts_of([file.id for file in catalog.files().values()])


def test_damage_that_only_a_request_meets_is_repaired(project: Path) -> None:
    with session(project) as running:
        _garble_facts(running.index / CATALOG)
        with pytest.raises(SightlineError, match="is being checked"):
            retry_if_replaced(running.folder, _read_facts)
        running.until(lambda: running.count_messages(_MESSAGE) == 1)
        running.until(lambda: running.folder.state == "ready")
        assert_consistent(running)


def test_damage_that_a_second_window_meets_is_repaired_by_the_writer(project: Path, short: Path) -> None:
    with moved_cache(short), session(project) as writer, session(project) as reader:
        assert not reader.folder.status().writer
        _garble_facts(writer.index / CATALOG)
        with pytest.raises(SightlineError, match="is being checked"):
            retry_if_replaced(reader.folder, _read_facts)
        writer.until(lambda: writer.count_messages(_MESSAGE) == 1)
        fresh = fresh_state(project)
        reader.until(lambda: agrees(reader, fresh))


def test_a_garbled_write_ahead_log_loses_at_most_its_own_content(project: Path) -> None:
    with session(project) as running:
        copy = shutil.copytree(running.index, project.parent / "copy")
    shutil.rmtree(running.index)
    shutil.copytree(copy, running.index)
    log = running.index / f"{CATALOG}-wal"
    assert log.stat().st_size
    overwrite(log, log.stat().st_size // 3, 2 * _PAGE)
    with session(project) as running:
        running.reconcile()
        assert_consistent(running)


def test_a_catalog_deleted_while_open_is_rebuilt(project: Path) -> None:
    with session(project) as running:
        for path in running.index.glob(f"{CATALOG}*"):
            path.unlink()
        running.save("src/new.py", "def after_the_deletion(user):\n    return user\n")
        running.settle()
        assert running.count_messages("The index was removed") == 1, running.messages
        assert_consistent(running)
        assert (running.index / CATALOG).exists()


def test_a_cache_folder_deleted_while_open_is_recreated(project: Path) -> None:
    with session(project) as running:
        shutil.rmtree(project.parent / "cache")
        running.save("src/new.py", "def after_the_deletion(user):\n    return user\n")
        running.settle()
        running.reconcile()
        assert_consistent(running)
        assert (running.index / CATALOG).exists()


def _of_format(project: Path, number: int) -> Path:
    folder = index_dir(project).with_name(f"v{number}")
    folder.mkdir(parents=True)
    (folder / CATALOG).write_text("another format")
    return folder


def test_an_index_of_an_older_format_is_removed_once_the_new_one_exists(project: Path) -> None:
    older = _of_format(project, FORMAT - 1)
    with session(project) as running:
        running.until(lambda: not older.exists())
        assert running.messages == []
        assert_consistent(running)


def test_an_older_index_that_an_older_server_has_open_is_kept(project: Path) -> None:
    lock = FolderLock(_of_format(project, FORMAT - 1) / "lock")
    assert lock.try_acquire()
    with session(project) as running:
        running.reconcile()
        drop_older_formats(running.index)
    lock.release()
    assert index_dir(project).with_name(f"v{FORMAT - 1}").is_dir()


def test_an_index_of_a_newer_format_is_not_changed(project: Path) -> None:
    newer = _of_format(project, FORMAT + 1)
    with session(project) as running:
        running.reconcile()
        drop_older_formats(running.index)
        assert running.messages == []
        assert_consistent(running)
    assert (newer / CATALOG).read_text() == "another format"


def test_a_newer_catalog_in_our_folder_is_moved_aside_and_not_read(project: Path) -> None:
    catalog = _indexed(project)
    with closing(sqlite3.connect(catalog)) as database:
        database.execute(f"PRAGMA user_version = {FORMAT + 1}")
    with session(project) as running:
        assert running.count_messages(_MESSAGE) == 1, running.messages
        assert_consistent(running)
    with closing(sqlite3.connect(index_dir(project) / "damaged" / CATALOG)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (FORMAT + 1,)


@pytest.mark.parametrize("damage", [cut, empty, _garble_header])
def test_a_damaged_snapshot_only_slows_the_start(project: Path, damage: Callable[[Path], None]) -> None:
    (file,) = _indexed(project).parent.glob("*.snapshot")
    damage(file)
    with session(project) as running:
        assert running.messages == []
        assert_consistent(running)


def test_damage_in_a_snapshot_too_large_to_check_on_load_is_repaired(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = _indexed(project).parent.glob("*.snapshot")
    header = file.stat().st_size // 10
    overwrite(file, header, file.stat().st_size - header)
    monkeypatch.setattr(snapshot, "_CHECKED_AT_ONCE", 0)
    with session(project) as running:
        assert running.messages == []
        assert_consistent(running)


def test_a_snapshot_of_another_catalog_is_ignored(project: Path) -> None:
    _indexed(project).unlink()
    (project / "src" / "file0.py").unlink()
    # The first session writes its snapshot only when it closes, so the second one finds the old snapshot.
    with session(project), session(project) as second:
        second.until(lambda: second.folder.state == "ready")
        assert_consistent(second)


def test_a_snapshot_of_a_state_lost_in_a_crash_is_ignored(project: Path) -> None:
    catalog = _indexed(project)
    before = catalog.read_bytes()
    (project / "src" / "lost.py").write_text("def lost_alpha(user):\n    return user\n")
    _indexed(project)
    catalog.write_bytes(before)
    (project / "src" / "lost.py").write_text("import alpha\n")
    with session(project), session(project) as second:
        second.until(lambda: second.folder.state == "ready")
        assert_consistent(second)
