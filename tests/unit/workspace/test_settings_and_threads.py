"""Invalid settings are reported whenever they are read; folders and events can come from any thread."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from pathlib import Path

import pytest

from sightline import location
from sightline.folder import Folder
from sightline.lsp.server import SightlineServer
from sightline.requests.uris import from_path
from sightline.workspace import Workspace
from tests.unit.workspace.index_state import TIMEOUT, messages_into


@pytest.fixture
def shown(workspace: Workspace) -> list[str]:
    """The messages shown to the user."""
    texts: list[str] = []
    workspace.subscribe(messages_into(texts))
    return texts


def test_a_settings_file_saved_with_a_mistake_is_reported(
    workspace: Workspace, root: Path, shown: list[str]
) -> None:
    workspace.add_folder(root)
    (root / ".sightline.toml").write_text('[search]\nlimit = "many"\n')
    workspace.changed([root / ".sightline.toml"])
    assert [text for text in shown if "search.limit" in text], shown


@pytest.mark.parametrize("saved", [False, True])
def test_a_mistyped_ranking_constant_is_reported(
    workspace: Workspace, root: Path, shown: list[str], saved: bool
) -> None:
    if saved:
        workspace.add_folder(root)
    (root / ".sightline.toml").write_text("[search.tuning]\nkeywrod = 2.0\n")
    workspace.changed([root / ".sightline.toml"]) if saved else workspace.add_folder(root)
    assert [text for text in shown if "keywrod" in text], shown


def test_events_of_a_removed_folder_do_not_lose_those_of_another(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = root.parent / "other"
    other.mkdir()
    workspace.add_folder(other)
    staying = workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    (root / "new.py").write_text("def new():\n    pass\n")
    find = workspace.folder_of

    def find_and_remove(path: Path) -> Folder | None:
        found = find(path)
        if found and found.root == other.resolve():
            workspace.remove_folder(other)
        return found

    monkeypatch.setattr(workspace, "folder_of", find_and_remove)
    workspace.changed([other.resolve() / "gone.py", root / "new.py"])
    assert staying.wait_idle(TIMEOUT)
    assert staying.memory is not None
    assert staying.memory.file_number("new.py") is not None


def test_folders_settings_and_events_can_change_concurrently(workspace: Workspace, root: Path) -> None:
    nested = [root / f"part{number}" for number in range(4)]
    for part in nested:
        part.mkdir()
        (part / "a.py").write_text("def a():\n    pass\n")
    workspace.add_folder(root)
    failures: list[BaseException] = []

    def repeat(number: int) -> None:
        try:
            for _ in range(5):
                workspace.add_folder(nested[number])
                workspace.configure({"search": {"limit": 5 + number}})
                workspace.changed([nested[number] / "a.py", root / "sockets.py"])
                workspace.status()
                workspace.remove_folder(nested[number])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=repeat, args=(number,)) for number in range(len(nested))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    assert failures == []
    (folder,) = workspace.folders
    assert folder.settings.indexing.exclude == ()
    assert workspace.wait_idle(TIMEOUT)
    assert folder.status().files_indexed == 6


async def test_a_saved_settings_file_is_not_read_on_the_event_loop(root: Path) -> None:
    session = SightlineServer().session
    loop_thread, seen, done = threading.get_ident(), [], asyncio.Event()
    loop = asyncio.get_running_loop()

    class Probe:
        def changed(self, paths: object) -> None:
            seen.append(threading.get_ident())
            loop.call_soon_threadsafe(done.set)

    session.roots.add(from_path(str(root)))
    session._workspace = Probe()  # type: ignore[assignment]  # only this method is called
    session.changed([from_path(str(root / ".sightline.toml"))])
    await asyncio.wait_for(done.wait(), TIMEOUT)
    assert seen
    assert loop_thread not in seen
    session.wait_closed(1)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_a_cache_folder_is_accessible_only_to_its_owner(
    tmp_path: Path, mask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(location.CACHE_VARIABLE, str(tmp_path / "cache"))
    before = os.umask(mask)
    try:
        location.make_private(location.index_dir(tmp_path))
    finally:
        os.umask(before)
    for path in (tmp_path / "cache", *(tmp_path / "cache").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700, path


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
def test_a_cache_folder_chosen_by_the_user_keeps_its_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    monkeypatch.setenv(location.CACHE_VARIABLE, str(shared))
    location.make_private(location.index_dir(tmp_path))
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    assert stat.S_IMODE((shared / "indexes").stat().st_mode) == 0o700
