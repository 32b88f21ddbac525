"""What differs between operating systems: no other module asks which one this is.

The branches are taken when a function is called, so that tests on one system can take those of another.
"""

from __future__ import annotations

import ctypes
import os
import select
import socket
import stat
import sys
import time
from pathlib import Path
from typing import TextIO

# Windows translates line ends of files that are not opened as binary.
BINARY = getattr(os, "O_BINARY", 0)

# Windows locks are mandatory for the bytes they cover: far behind the end, the content stays readable.
_LOCKED_BYTE = 1 << 30
_POLL_SECONDS = 5.0
_NICENESS = 10
# A file that another process has open cannot be replaced on Windows; readers have ours open for moments.
_REPLACE_TRIES = 20
_REPLACE_SECONDS = 0.05
# Longer paths need the extended form unless the machine was set up for them.
_LONG_PATH = 240
_EXTENDED = "\\\\?\\"

_SYNCHRONIZE = 0x0010_0000
_INFINITE = 0xFFFF_FFFF
_BELOW_NORMAL_PRIORITY = 0x4000
_NO_WINDOW = 0x0800_0000
_VIRTUAL_TERMINAL = 0x0004


def is_windows() -> bool:
    """Whether paths have drives and backslashes."""
    return sys.platform == "win32"


def owned_by_user(path: Path) -> bool:
    """Whether a path belongs to the user of this process; on Windows folders of the profile do."""
    return sys.platform == "win32" or os.stat(path).st_uid == os.getuid()


def file_socket() -> socket.socket:
    """A socket whose address is a file; OSError on Windows, where Python has none."""
    if sys.platform == "win32":
        raise OSError("there are no such sockets here")
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)


def read_ahead(descriptor: int) -> None:
    """Let the system read a file while other things are done, where it can be asked to."""
    if sys.platform == "linux":
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)


def is_linux() -> bool:
    """Whether system calls have Linux's numbers."""
    return sys.platform == "linux"


def lock_file(descriptor: int) -> bool:
    """Lock an open file until it is unlocked, closed or the process ends; whether it was free."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    # flock, not lockf: a POSIX record lock is lost as soon as anything in the process closes the file.
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock_file(descriptor: int) -> None:
    """Give a lock back."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        return
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)


def replace_file(source: Path, target: Path) -> None:
    """Put a file in place of another in one step; on Windows, wait a moment for its readers."""
    for _ in range(_REPLACE_TRIES if sys.platform == "win32" else 0):
        try:
            os.replace(source, target)
        except PermissionError:
            time.sleep(_REPLACE_SECONDS)
        else:
            return
    os.replace(source, target)


def open_path(path: str) -> str:
    """The path as files are opened by it: Windows takes long ones in their extended form only."""
    if sys.platform != "win32" or len(path) < _LONG_PATH or path.startswith(_EXTENDED):
        return path
    absolute = os.path.abspath(path)
    return f"{_EXTENDED}UNC\\{absolute[2:]}" if absolute.startswith("\\\\") else _EXTENDED + absolute


def plain_path(path: str) -> str:
    """A path of Windows without the marks of its extended form."""
    unc = f"{_EXTENDED}UNC\\"
    return "\\\\" + path.removeprefix(unc) if path.startswith(unc) else path.removeprefix(_EXTENDED)


def path_of(descriptor: int) -> str:
    """The real path of an open file."""
    if sys.platform == "win32":
        import msvcrt

        ask = ctypes.WinDLL("kernel32", use_last_error=True).GetFinalPathNameByHandleW
        ask.argtypes = (ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_uint32, ctypes.c_uint32)
        buffer = ctypes.create_unicode_buffer(1 << 15)
        length = ask(msvcrt.get_osfhandle(descriptor), buffer, len(buffer), 0)
        if not 0 < length < len(buffer):
            raise ctypes.WinError(ctypes.get_last_error())
        return plain_path(buffer.value)
    return os.readlink(f"/proc/self/fd/{descriptor}")


def is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether a folder of Windows stands for another place; Python takes it for a plain folder."""
    if sys.platform != "win32":
        return False
    return entry.stat(follow_symlinks=False).st_reparse_tag == stat.IO_REPARSE_TAG_MOUNT_POINT


def process_exists(pid: int) -> bool:
    """Whether a process can be seen from here; on Windows it is not asked."""
    if sys.platform == "win32":
        # Signal 0 would end the process there.
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def wait_for_process(pid: int) -> bool:
    """Block until a process has ended; False if that cannot be told from here."""
    if sys.platform == "win32":
        handle = ctypes.windll.kernel32.OpenProcess(_SYNCHRONIZE, False, pid)
        if not handle:
            return False
        ctypes.windll.kernel32.WaitForSingleObject(handle, _INFINITE)
        ctypes.windll.kernel32.CloseHandle(handle)
        return True
    if sys.platform == "linux" and _wait_for_descriptor(pid):
        return True
    while process_exists(pid):
        time.sleep(_POLL_SECONDS)
    return True


def _wait_for_descriptor(pid: int) -> bool:
    """Wait without waking up; False where the kernel or a container does not allow it."""
    if sys.platform == "linux":
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            return True
        except (OSError, AttributeError):
            return False
        # Not select, which takes no descriptor above 1023.
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        waiting.poll()
        os.close(descriptor)
    return True


def lower_priority(niceness: int) -> None:
    """Let this process give way to the user's own work; Windows has one step below normal."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL_PRIORITY)
    else:
        os.nice(niceness)


def lower_priority_of(pid: int) -> None:
    """Let a child give way to the user's own work; on Windows it was started so."""
    if sys.platform != "win32":
        try:
            os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)
        except OSError:
            # It has ended already.
            return


def child_flags(*, background: bool = False) -> int:
    """How children are created: on Windows without a console window, which an editor would show."""
    if sys.platform == "win32":
        return _NO_WINDOW | (_BELOW_NORMAL_PRIORITY if background else 0)
    return 0


def pass_bytes(*descriptors: int) -> None:
    """Let streams carry bytes as they are; Windows translates line ends."""
    if sys.platform == "win32":
        import msvcrt

        for descriptor in descriptors:
            msvcrt.setmode(descriptor, BINARY)


def shows_escapes(stream: TextIO) -> bool:
    """Whether a terminal acts on escape sequences; the console of Windows has to be told to."""
    if not stream.isatty():
        return False
    if sys.platform == "win32":
        import msvcrt

        kernel = ctypes.windll.kernel32
        handle, mode = msvcrt.get_osfhandle(stream.fileno()), ctypes.c_uint32()
        if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return False
        return bool(kernel.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL))
    return os.environ.get("TERM") != "dumb"


def usable_cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
