"""Differences between systems: the branches of this system for real, those of Windows with fake libraries."""

from __future__ import annotations

import ctypes
import io
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from sightline import platforms

_PACKAGE = Path(platforms.__file__).parent
_ASKS = re.compile(
    r"sys\.platform|os\.name\b|msvcrt|fcntl|windll|WinDLL|O_BINARY|pidfd_open|os\.(nice|setpriority|killpg|kill|fork"
    r"|setsid|statvfs|sched_\w+|getuid|geteuid|startfile)\b|creationflags=(?!child_flags)"
)


class _Library:
    """A fake library that records the calls of its functions and returns a fixed value for each."""

    def __init__(self, **answers: object) -> None:
        self.calls: list[tuple[object, ...]] = []
        self._answers = answers

    def __getattr__(self, name: str) -> object:
        if name not in self._answers:
            raise AttributeError(name)

        def call(*arguments: object) -> object:
            self.calls.append((name, *arguments))
            answer = self._answers[name]
            if isinstance(answer, Exception):
                raise answer
            return answer

        # Like a real library, which keeps the types that are set on a function.
        self.__dict__[name] = call
        return call


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Run the Windows branches."""
    monkeypatch.setattr(sys, "platform", "win32")
    return monkeypatch


def _msvcrt(monkeypatch: pytest.MonkeyPatch, **answers: object) -> _Library:
    library = _Library(**answers)
    library.__dict__.update(LK_NBLCK=2, LK_UNLCK=0)
    monkeypatch.setitem(sys.modules, "msvcrt", library)
    return library


def _kernel(monkeypatch: pytest.MonkeyPatch, **answers: object) -> _Library:
    library = _Library(**answers)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=library), raising=False)
    return library


def test_no_other_module_checks_the_operating_system() -> None:
    for file in _PACKAGE.rglob("*.py"):
        if file.name != "platforms.py":
            assert not _ASKS.search(file.read_text(encoding="utf-8")), file


def test_a_windows_lock_covers_a_byte_after_the_content(windows: pytest.MonkeyPatch, tmp_path: Path) -> None:
    library = _msvcrt(windows, locking=None)
    with (tmp_path / "lock").open("w+b") as file:
        assert platforms.lock_file(file.fileno())
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) > 1 << 20
        platforms.unlock_file(file.fileno())
        assert library.calls == [("locking", file.fileno(), 2, 1), ("locking", file.fileno(), 0, 1)]


def test_a_windows_lock_held_by_another_is_not_acquired(windows: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _msvcrt(windows, locking=PermissionError())
    with (tmp_path / "lock").open("w+b") as file:
        assert not platforms.lock_file(file.fileno())


@pytest.mark.usefixtures("windows")
def test_replacing_a_file_that_is_being_read_is_retried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source, target = tmp_path / "new", tmp_path / "old"
    source.write_text("new")
    target.write_text("old")
    replace, refusals = os.replace, iter([PermissionError(), PermissionError()])

    def refused_twice(one: Path, other: Path) -> None:
        if error := next(refusals, None):
            raise error
        replace(one, other)

    monkeypatch.setattr(os, "replace", refused_twice)
    monkeypatch.setattr(platforms, "_REPLACE_SECONDS", 0)
    platforms.replace_file(source, target)
    assert target.read_text() == "new"


@pytest.mark.usefixtures("windows")
def test_a_file_that_stays_open_elsewhere_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("in use")

    monkeypatch.setattr(os, "replace", refused)
    monkeypatch.setattr(platforms, "_REPLACE_SECONDS", 0)
    with pytest.raises(PermissionError):
        platforms.replace_file(tmp_path / "new", tmp_path / "old")


def test_outside_windows_a_refused_replacement_is_not_retried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tries = []

    def refused(*_: object) -> None:
        tries.append(1)
        raise PermissionError("read-only")

    monkeypatch.setattr(os, "replace", refused)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(PermissionError):
        platforms.replace_file(tmp_path / "new", tmp_path / "old")
    assert len(tries) == 1


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("path", "opened"),
    [
        ("C:\\short.py", "C:\\short.py"),
        ("C:\\" + "a" * 300, "\\\\?\\C:\\" + "a" * 300),
        ("\\\\host\\share\\" + "a" * 300, "\\\\?\\UNC\\host\\share\\" + "a" * 300),
        ("\\\\?\\C:\\" + "a" * 300, "\\\\?\\C:\\" + "a" * 300),
    ],
)
def test_long_paths_are_opened_in_their_extended_form(
    monkeypatch: pytest.MonkeyPatch, path: str, opened: str
) -> None:
    monkeypatch.setattr(os.path, "abspath", lambda path: path)
    assert platforms.open_path(path) == opened
    if path != opened:
        assert platforms.plain_path(opened) == path


def test_outside_windows_a_long_path_is_not_changed() -> None:
    path = "/" + "a" * 300
    assert platforms.open_path(path) == path


@pytest.mark.parametrize(("tag", "expected"), [(0xA0000003, True), (0, False)])
def test_a_junction_is_recognised_by_its_reparse_tag(
    windows: pytest.MonkeyPatch, tag: int, expected: bool
) -> None:
    windows.setattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003, raising=False)
    entry = SimpleNamespace(stat=lambda follow_symlinks: SimpleNamespace(st_reparse_tag=tag))
    assert platforms.is_junction(entry) is expected  # type: ignore[arg-type]


def test_a_windows_process_is_never_checked_with_a_signal(windows: pytest.MonkeyPatch) -> None:
    windows.setattr(os, "kill", lambda *_: pytest.fail("signal 0 ends processes there"))
    assert platforms.process_exists(os.getpid())


def test_a_windows_process_is_waited_for_by_its_handle(windows: pytest.MonkeyPatch) -> None:
    kernel = _kernel(windows, OpenProcess=7, WaitForSingleObject=0, CloseHandle=1)
    assert platforms.wait_for_process(42)
    assert [call[:2] for call in kernel.calls[1:]] == [("WaitForSingleObject", 7), ("CloseHandle", 7)]


def test_a_windows_process_that_cannot_be_opened_is_not_taken_for_dead(
    windows: pytest.MonkeyPatch,
) -> None:
    _kernel(windows, OpenProcess=0)
    assert not platforms.wait_for_process(42)


@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal")
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_the_end_of_a_process_is_waited_for(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(platforms, "_POLL_SECONDS", 0.01)
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    monkeypatch.setattr(sys, "platform", system)
    waiting = threading.Thread(target=platforms.wait_for_process, args=(process.pid,), daemon=True)
    waiting.start()
    assert waiting.is_alive()
    process.communicate(b"\n")
    waiting.join(30)
    assert not waiting.is_alive()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_process_that_cannot_be_waited_for_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_: int) -> int:
        raise PermissionError("a container may forbid it")

    monkeypatch.setattr(os, "pidfd_open", forbidden, raising=False)
    monkeypatch.setattr(platforms, "_POLL_SECONDS", 0.01)
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert platforms.wait_for_process(process.pid)


@pytest.mark.usefixtures("windows")
def test_child_processes_open_no_window_on_windows() -> None:
    assert platforms.child_flags() == 0x08000000
    assert platforms.child_flags(background=True) == 0x08004000


def test_outside_windows_child_processes_need_no_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert platforms.child_flags(background=True) == 0


def test_a_windows_process_lowers_its_own_priority(windows: pytest.MonkeyPatch) -> None:
    kernel = _kernel(windows, GetCurrentProcess=-1, SetPriorityClass=1)
    platforms.lower_priority(10)
    assert kernel.calls[-1] == ("SetPriorityClass", -1, 0x4000)


def test_windows_handles_keep_their_full_width(windows: pytest.MonkeyPatch) -> None:
    """Without types, ctypes would pass 32 bits; the handle of the own process is -1 in all 64."""
    kernel = _kernel(
        windows,
        GetCurrentProcess=-1,
        SetPriorityClass=1,
        OpenProcess=7,
        WaitForSingleObject=0,
        CloseHandle=1,
    )
    platforms.lower_priority(10)
    platforms.wait_for_process(42)
    handle = ctypes.c_void_p
    assert vars(kernel.GetCurrentProcess)["restype"] is vars(kernel.OpenProcess)["restype"] is handle
    for name in ("SetPriorityClass", "WaitForSingleObject", "CloseHandle"):
        assert vars(getattr(kernel, name))["argtypes"][0] is handle


def test_windows_streams_are_set_to_binary(windows: pytest.MonkeyPatch) -> None:
    library = _msvcrt(windows, setmode=0)
    platforms.pass_bytes(0, 1)
    assert [call[:2] for call in library.calls] == [("setmode", 0), ("setmode", 1)]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


@pytest.mark.parametrize("works", [True, False])
def test_colours_are_used_on_consoles_that_can_enable_them(windows: pytest.MonkeyPatch, works: bool) -> None:
    _msvcrt(windows, get_osfhandle=5)
    _kernel(windows, GetConsoleMode=1, SetConsoleMode=int(works))
    assert platforms.shows_escapes(_Terminal()) is works


def test_a_stream_that_is_not_a_console_shows_no_colours(windows: pytest.MonkeyPatch) -> None:
    assert not platforms.shows_escapes(io.StringIO())
    _msvcrt(windows, get_osfhandle=5)
    _kernel(windows, GetConsoleMode=0)
    assert not platforms.shows_escapes(_Terminal())
