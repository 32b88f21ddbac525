"""No file outside a folder is opened through it, for each of the methods a system can offer."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline import confined
from sightline.confined import OutsideError, listing, reader
from sightline.indexing.content import Content, read
from sightline.settings.tree import WORKSPACE_FILE, load
from tests.files import write_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of these methods")

_OPEN_METHODS: dict[str, confined.Open] = {
    "kernel": confined._open_by_kernel,
    "parts": confined._open_by_parts,
    "check": confined._open_and_check,
}


@pytest.fixture(params=_OPEN_METHODS)
def open_method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open files with one of the methods."""
    if request.param == "kernel" and not confined._openat2_works():
        pytest.skip("this kernel or container has no openat2: NOT TESTED")
    monkeypatch.setattr(confined, "_best_open", lambda: _OPEN_METHODS[request.param])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with links, beside a folder that must not be read."""
    write_files(tmp_path / "outside", {"file.py": "outside", "deep/file.py": "outside"})
    root = write_files(tmp_path / "root", {"sub/in/file.py": "inside", "file.py": "inside"})
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "absolute").symlink_to(root / "sub")
    (root / "relative").symlink_to("sub/in")
    (root / "link.py").symlink_to(tmp_path / "outside" / "file.py")
    (root / "loop").symlink_to("loop")
    return root


def _text(root: Path, path: str) -> str:
    with reader(root, path) as file:
        return file.read().decode()


@pytest.mark.usefixtures("open_method")
@pytest.mark.parametrize(
    "path",
    ["file.py", "sub/in/file.py", "sub/../file.py", "absolute/in/file.py", "relative/file.py", "./file.py"],
)
def test_a_path_inside_is_read(root: Path, path: str) -> None:
    assert _text(root, path) == "inside"


@pytest.mark.usefixtures("open_method")
@pytest.mark.parametrize(
    "path", ["../outside/file.py", "out/file.py", "out/deep/file.py", "link.py", "sub/../../outside/file.py"]
)
def test_a_path_outside_is_refused(root: Path, path: str) -> None:
    with pytest.raises(OutsideError):
        _text(root, path)
    with pytest.raises(OutsideError):
        _text(root, str(root.parent / "outside" / "file.py"))


@pytest.mark.usefixtures("open_method")
@pytest.mark.parametrize("path", ["loop", "sub", "", "missing.py", "file.py/x", "zero\0byte", "/dev/zero"])
def test_a_path_that_is_not_a_file_is_an_error_and_leaves_nothing_open(root: Path, path: str) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises((OSError, ValueError)):
        _text(root, path)
    assert len(os.listdir("/proc/self/fd")) == before


def _swap(root: Path, tmp_path: Path) -> None:
    (root / "sub" / "in").rename(root / "sub" / "away")
    (root / "sub" / "in").symlink_to(tmp_path / "outside")


def _swap_back(root: Path) -> None:
    (root / "sub" / "in").unlink()
    (root / "sub" / "away").rename(root / "sub" / "in")


@pytest.mark.usefixtures("open_method")
@pytest.mark.parametrize("path", ["sub/in/file.py", "absolute/in/file.py", "relative/file.py"])
def test_a_folder_replaced_after_the_check_is_not_entered(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    checked = os.path.realpath

    def check_then_swap(name: str) -> str:
        found = checked(name)
        if str(name).endswith("file.py") and not (root / "sub" / "in").is_symlink():
            _swap(root, tmp_path)
        return found

    monkeypatch.setattr(os.path, "realpath", check_then_swap)
    content = read(root, path, 1 << 20)
    assert not isinstance(content, Content) or content.text == "inside"


def _while_swapping(root: Path, tmp_path: Path, check: Callable[[], None]) -> None:
    done = threading.Event()

    def swap() -> None:
        for _ in range(300):
            _swap(root, tmp_path)
            _swap_back(root)
        done.set()

    other = threading.Thread(target=swap)
    other.start()
    while not done.is_set():
        check()
    other.join()


@pytest.mark.usefixtures("open_method")
def test_no_race_reads_a_file_from_outside(root: Path, tmp_path: Path) -> None:
    def check() -> None:
        content = read(root, "sub/in/file.py", 1 << 20)
        assert not isinstance(content, Content) or content.text == "inside"

    _while_swapping(root, tmp_path, check)


def test_no_race_lists_a_folder_from_outside(root: Path, tmp_path: Path) -> None:
    def check() -> None:
        try:
            with listing(root, "sub/in") as found:
                assert {entry.name for entry in found} == {"file.py"}
        except OSError:
            pass

    _while_swapping(root, tmp_path, check)


def test_settings_of_a_workspace_are_not_read_through_a_link_or_a_pipe(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside" / "secret.toml").write_text("canary = 1\n")
    (root / WORKSPACE_FILE).symlink_to(tmp_path / "outside" / "secret.toml")
    _, problems = load(root)
    assert len(problems) == 1
    assert "canary" not in problems[0]
    (root / WORKSPACE_FILE).unlink()
    os.mkfifo(root / WORKSPACE_FILE)
    assert "not a regular file" in load(root)[1][0]
