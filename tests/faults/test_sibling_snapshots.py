"""A new work tree takes over its sibling's snapshot; one that does not fit or is damaged costs only time."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sightline.indexing import siblings
from sightline.indexing.siblings import start_from_sibling
from sightline.location import index_dir
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.copy_catalog import copy_catalog
from sightline.stores.catalog.database import CatalogState
from sightline.stores.memory import restore, snapshot
from sightline.stores.memory.image import open_image
from tests import damage
from tests.faults.harness import CATALOG, assert_consistent, assert_restored, session, snapshot_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

_EMBED = "sightline.indexing.embedding_queue.embed_passages"
_NEW = "def settled_quietly(user):\n    return user\n"
# Ends the process without any cleaning up, as a kill does, where a function would be called.
_KILLED = """
import os, sys
from pathlib import Path
from sightline.indexing import siblings
from sightline.stores.memory import snapshot
from sightline.location import index_dir

root = Path(sys.argv[1])
setattr({"siblings": siblings, "snapshot": snapshot}[sys.argv[2]], sys.argv[3], lambda *_: os._exit(9))
catalog = index_dir(root) / "catalog.sqlite"
catalog.parent.mkdir(parents=True)
siblings.start_from_sibling(root, catalog)
"""


@contextmanager
def _refused(name: str) -> Iterator[None]:
    """Fail if a function is called."""

    def refuse(*_: object) -> None:
        raise AssertionError(f"{name} was called")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(name, refuse)
        yield


def test_the_snapshot_of_a_sibling_is_mapped_instead_of_building_the_memory_index(second: Path) -> None:
    with _refused(_EMBED), _refused("sightline.stores.memory.restore._load"), session(second) as running:
        assert running.messages == []
        assert running.all_embedded
        copied = snapshot_of(second)
    assert snapshot_of(second) == copied
    with session(second) as running:
        assert_consistent(running)


def test_before_the_first_walk_the_copied_snapshot_has_only_existing_files(second: Path) -> None:
    (second / "src" / "helper.py").unlink()
    (second / "src" / "caller.py").write_text("other\n")
    catalog = index_dir(second) / CATALOG
    catalog.parent.mkdir(parents=True)
    assert start_from_sibling(second, catalog)
    with closing(Catalog(catalog)) as opened:
        assert open_image(opened, catalog.parent) is not None
        memory = restore.load_memory(opened, catalog.parent)
        paths = {memory.files[number].path for number in memory.files.numbers()}
    assert not paths & {"src/helper.py", "src/caller.py"}
    assert len(paths) == 12


def test_a_snapshot_that_is_newer_than_the_copied_catalog_only_gives_its_vectors(
    second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_then_write(source: Path, target: Path, wanted: Callable[[str, int], bool]) -> CatalogState:
        copied = copy_catalog(source, target, wanted)
        writer.save("src/new.py", _NEW)
        writer.settle()
        writer.save_snapshot()
        return copied

    monkeypatch.setattr(siblings, "copy_catalog", copy_then_write)
    with session(second.with_name("first")) as writer:
        catalog = index_dir(second) / CATALOG
        catalog.parent.mkdir(parents=True)
        assert start_from_sibling(second, catalog)
    assert not list(index_dir(second).glob("*.snapshot*"))
    with _refused(_EMBED), session(second) as running:
        assert running.messages == []
        assert running.all_embedded
    with session(second) as running:
        assert_consistent(running)


def test_a_snapshot_that_is_older_than_the_copied_catalog_is_brought_up_to_date(second: Path) -> None:
    root = second.with_name("first")
    old = snapshot_of(root)
    raw = old.read_bytes()
    with session(root) as running:
        running.save("src/new.py", _NEW)
        (root / "src" / "helper.py").unlink()
        running.reconcile()
    snapshot_of(root).unlink()
    old.write_bytes(raw)
    shutil.copy(root / "src" / "new.py", second / "src" / "new.py")
    with session(second) as running:
        assert_restored(running)


@pytest.mark.parametrize("break_file", [damage.cut, damage.empty, damage.garble, Path.unlink])
@pytest.mark.parametrize("checked_at_once", [0, 1 << 30])
def test_a_damaged_snapshot_of_a_sibling_costs_only_time(
    second: Path, break_file: Callable[[Path], None], checked_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_CHECKED_AT_ONCE", checked_at_once)
    break_file(snapshot_of(second.with_name("first")))
    with session(second) as running:
        assert_restored(running)


def test_a_snapshot_whose_arrays_are_damaged_is_found_out_in_the_copy(
    second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_CHECKED_AT_ONCE", 0)
    path = snapshot_of(second.with_name("first"))
    found = snapshot.read(path)
    assert found is not None
    ids = found.arrays["rows.chunk_id"][:20].tobytes()
    damage.overwrite(path, path.read_bytes().index(ids), len(ids))
    with session(second) as running:
        assert_restored(running)


def test_a_snapshot_that_the_sibling_replaces_meanwhile_is_not_needed(
    second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = snapshot.read
    path = snapshot_of(second.with_name("first"))

    def read_then_replace(wanted: Path) -> snapshot.Snapshot | None:
        found = read(wanted)
        if wanted == path:
            monkeypatch.setattr(snapshot, "read", read)
            path.rename(path.with_name("memory-9999999999999999999.snapshot"))
        return found

    monkeypatch.setattr(snapshot, "read", read_then_replace)
    with _refused(_EMBED), session(second) as running:
        assert running.all_embedded


@pytest.mark.parametrize(
    ("module", "function"),
    [
        ("siblings", "copy_catalog"),
        ("siblings", "_copy_memory"),
        ("snapshot", "_read_header"),
        ("snapshot", "replace_file"),
        ("siblings", "_copy_vectors"),
        ("siblings", "replace_file"),
    ],
)
def test_a_kill_while_the_sibling_is_copied_loses_nothing(second: Path, module: str, function: str) -> None:
    if function == "_copy_vectors":
        snapshot_of(second.with_name("first")).unlink()
    command = [sys.executable, "-c", _KILLED, str(second), module, function]
    assert subprocess.run(command, check=False).returncode == 9
    assert not (index_dir(second) / CATALOG).exists()
    with session(second) as running:
        assert_restored(running)
    assert snapshot_of(second).suffix == ".snapshot"
    assert not list(index_dir(second).glob("*.new*"))
    with closing(sqlite3.connect(index_dir(second.with_name("first")) / CATALOG)) as database:
        assert database.execute("PRAGMA quick_check").fetchone() == ("ok",)
