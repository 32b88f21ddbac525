"""Opens only files below a folder, even if folders are replaced by links at the same time."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from sightline.platforms import is_linux, open_path, path_of

Open = Callable[[str, str, int], int]

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_LISTED = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
# A pipe opens immediately instead of waiting for a writer.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
# The error codes for a link, or for a path that leads up, where none is allowed.
_REFUSED = (errno.ELOOP, errno.EXDEV, errno.ENOTDIR, errno.EAGAIN)

# The same number on every architecture that Python is built for.
_OPENAT2 = 437
_RESOLVE_NO_SYMLINKS = 0x04
_RESOLVE_BENEATH = 0x08


class OutsideError(OSError):
    """A path leads out of its folder."""


def reader(root: Path | str, path: str) -> BinaryIO:
    """Open a file below a folder for reading; its relative path may go through links that stay inside."""
    return _regular(lambda name, flags: open_beneath(str(root), name, flags | _AT_ONCE), path)


def unconfined_reader(path: Path | str) -> BinaryIO:
    """Open a file of the user for reading, wherever it is."""
    return _regular(lambda name, flags: os.open(name, flags | _AT_ONCE), str(path))


def _regular(opener: Callable[[str, int], int], path: str) -> BinaryIO:
    """Open a regular file: not a folder, a pipe or a device."""
    file = open(path, "rb", opener=opener)  # noqa: SIM115 (the caller closes it)
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(errno.EINVAL, "not a regular file", path)


@contextmanager
def listing(root: Path | str, path: str) -> Iterator[Iterable[os.DirEntry[str]]]:
    """The entries of a folder below a folder, or of the folder itself for an empty path.

    The type of an entry must be read inside the context.
    """
    if not path or os.scandir not in os.supports_fd:
        with os.scandir(open_path(os.path.join(root, path))) as found:
            yield found
        return
    descriptor = open_beneath(str(root), path, _LISTED)
    try:
        with os.scandir(descriptor) as found:
            yield found
    finally:
        os.close(descriptor)


def open_beneath(root: str, path: str, flags: int) -> int:
    """A descriptor of something below a folder; OutsideError if the path leads out of it."""
    if "\0" in path:
        raise ValueError("a path cannot contain a zero byte")
    opened = _best_open()
    try:
        return opened(root, path, flags)
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
    # There is a link in the path: it may stay inside. Nothing depends on this check still being true later.
    top, real = os.path.realpath(root), os.path.realpath(os.path.join(root, path))
    if not _is_below(top, real):
        raise OutsideError(f"{path} leads out of {root}")
    return opened(top, os.path.relpath(real, top), flags)


def _is_below(top: str, real: str) -> bool:
    # Include the separator: `/home/a` does not contain `/home/ab`.
    return os.path.normcase(real).startswith(os.path.normcase(os.path.join(top, "")))


@lru_cache(maxsize=1)
def _best_open() -> Open:
    if _openat2_works():
        return _open_by_kernel
    return _open_by_parts if os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") else _open_and_check


class _OpenHow(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


@lru_cache(maxsize=1)
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _openat2_works() -> bool:
    """Whether openat2 works: Linux has it since 2020, but containers may forbid it."""
    if not is_linux():
        return False
    try:
        os.close(_open_by_kernel("/", ".", _FOLDER))
    except (OSError, AttributeError):
        return False
    return True


def _open_by_kernel(root: str, path: str, flags: int) -> int:
    """Open a path while the kernel ensures that no component is a link or leads up."""
    folder = os.open(root, _FOLDER)
    try:
        how = _OpenHow(flags, 0, _RESOLVE_BENEATH | _RESOLVE_NO_SYMLINKS)
        name = os.fsencode(path)
        while True:
            found: int = _libc().syscall(_OPENAT2, folder, name, ctypes.byref(how), ctypes.sizeof(how))
            if found >= 0:
                return found
            code = ctypes.get_errno()
            if code != errno.EINTR:
                raise OSError(code, os.strerror(code), path)
    finally:
        os.close(folder)


def _open_by_parts(root: str, path: str, flags: int) -> int:
    """Open each folder of the path relative to the one before it; none may be a link."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
    folder = os.open(root, _FOLDER)
    for at, part in enumerate(parts):
        try:
            wanted = flags if at == len(parts) - 1 else _FOLDER
            inner = os.open(part, wanted | _NO_LINK, dir_fd=folder)
        finally:
            os.close(folder)
        folder = inner
    return folder


def _open_and_check(root: str, path: str, flags: int) -> int:
    """Open a path, then check its real location; for systems that cannot open it step by step."""
    found = os.open(open_path(os.path.join(root, path)), flags)
    try:
        if not _is_below(os.path.realpath(root), path_of(found)):
            raise OutsideError(f"{path} leads out of {root}")
    except BaseException:
        # The caller never gets this descriptor, so it cannot close it.
        os.close(found)
        raise
    return found
