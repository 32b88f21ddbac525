"""What differs between operating systems: no other module checks the platform.

The platform is checked when a function is called, so that tests on one system can run the code of another.
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

# Windows translates line ends in files that are not opened as binary.
BINARY = getattr(os, "O_BINARY", 0)

# Windows locks are mandatory for the bytes they cover: bytes far past the end leave the content readable.
_LOCKED_BYTE = 1 << 30
_POLL_SECONDS = 5.0
_NICENESS = 10
# A file that another process has open cannot be replaced on Windows; readers open these files only briefly.
_REPLACE_TRIES = 20
_REPLACE_SECONDS = 0.05
# Longer paths need the extended form unless the machine is configured for them.
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
    """Whether the user of this process owns a path; on Windows, folders of the profile count as owned."""
    return sys.platform == "win32" or os.stat(path).st_uid == os.getuid()


def file_socket() -> socket.socket:
    """A Unix domain socket; OSError on Windows, where Python has none."""
    if sys.platform == "win32":
        raise OSError("there are no such sockets here")
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)


def read_ahead(descriptor: int) -> None:
    """Ask the system to read a file ahead in the background, where that is supported."""
    if sys.platform == "linux":
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)


def is_linux() -> bool:
    """Whether this is Linux, so that its system call numbers apply."""
    return sys.platform == "linux"


def lock_file(descriptor: int) -> bool:
    """Lock an open file until it is unlocked, closed or the process ends; return whether it was free."""
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
    """Release a lock."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        return
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)


def replace_file(source: Path, target: Path) -> None:
    """Replace a file atomically; on Windows, wait briefly for its readers."""
    for _ in range(_REPLACE_TRIES if sys.platform == "win32" else 0):
        try:
            os.replace(source, target)
        except PermissionError:
            time.sleep(_REPLACE_SECONDS)
        else:
            return
    os.replace(source, target)


def open_path(path: str) -> str:
    """The path to open a file by: Windows accepts long paths only in their extended form."""
    if sys.platform != "win32" or len(path) < _LONG_PATH or path.startswith(_EXTENDED):
        return path
    absolute = os.path.abspath(path)
    return f"{_EXTENDED}UNC\\{absolute[2:]}" if absolute.startswith("\\\\") else _EXTENDED + absolute


def plain_path(path: str) -> str:
    """A Windows path without the prefix of its extended form."""
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
    """Whether a Windows folder is a junction, which Python treats as a plain folder."""
    if sys.platform != "win32":
        return False
    return entry.stat(follow_symlinks=False).st_reparse_tag == stat.IO_REPARSE_TAG_MOUNT_POINT


def process_exists(pid: int) -> bool:
    """Whether a process is visible from here; not checked on Windows."""
    if sys.platform == "win32":
        # On Windows, signal 0 would end the process.
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def wait_for_process(pid: int) -> bool:
    """Block until a process has ended; False if that cannot be determined from here."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.OpenProcess.restype = ctypes.c_void_p
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, pid)
        if not handle:
            return False
        kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
        kernel.WaitForSingleObject(handle, _INFINITE)
        kernel.CloseHandle(handle)
        return True
    if sys.platform == "linux" and _wait_for_descriptor(pid):
        return True
    while process_exists(pid):
        time.sleep(_POLL_SECONDS)
    return True


def _wait_for_descriptor(pid: int) -> bool:
    """Wait without polling; False if the kernel or a container does not allow it."""
    if sys.platform == "linux":
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            return True
        except (OSError, AttributeError):
            return False
        # Not select, which accepts no descriptor above 1023.
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        waiting.poll()
        os.close(descriptor)
    return True


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process below the user's own work; Windows has one step below normal."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        # The handle of the own process is -1 in its full width, which ctypes would cut.
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.SetPriorityClass.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL_PRIORITY)
    else:
        os.nice(niceness)


def lower_priority_of(pid: int) -> None:
    """Lower the priority of a child below the user's own work; on Windows it was started that way."""
    if sys.platform != "win32":
        try:
            os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)
        except OSError:
            # The child has already ended.
            return


def child_flags(*, background: bool = False) -> int:
    """The creation flags of children: on Windows without a console window, which an editor would show."""
    if sys.platform == "win32":
        return _NO_WINDOW | (_BELOW_NORMAL_PRIORITY if background else 0)
    return 0


def pass_bytes(*descriptors: int) -> None:
    """Set streams to binary mode; Windows would translate line ends."""
    if sys.platform == "win32":
        import msvcrt

        for descriptor in descriptors:
            msvcrt.setmode(descriptor, BINARY)


def shows_escapes(stream: TextIO) -> bool:
    """Whether a terminal supports escape sequences; the Windows console must be switched to that mode."""
    if not stream.isatty():
        return False
    if sys.platform == "win32":
        import msvcrt

        kernel = ctypes.windll.kernel32
        handle, mode = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno())), ctypes.c_uint32()
        if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return False
        return bool(kernel.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL))
    return os.environ.get("TERM") != "dumb"


def usable_cores() -> int:
    """The number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
