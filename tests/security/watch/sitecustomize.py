"""Imported by every Python process whose PYTHONPATH names this folder: logs what the process does.

Each line of the file that SIGHTLINE_AUDIT_LOG names is a tab-separated event: its kind and its subject.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NETWORK = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"})
_STARTING = frozenset({"os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty"})

_log = os.open(os.environ["SIGHTLINE_AUDIT_LOG"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def _record(kind: str, subject: object) -> None:
    line = f"{kind}\t{subject!s}".replace("\n", " ")
    os.write(_log, f"{line}\n".encode("utf-8", "backslashreplace"))


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and arguments[0].family != getattr(socket, "AF_UNIX", None):
        _record("network", arguments[1])
    elif event in _NETWORK:
        _record("network", arguments)
    elif event == "socket.bind":
        is_file = arguments[0].family == getattr(socket, "AF_UNIX", None)
        _record("bind to a file" if is_file else "bind", arguments[1])
    elif event in _STARTING:
        _record("start", arguments)
    elif event == "subprocess.Popen":
        _record("start", arguments[1])
    elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
        _record("write", arguments[0])
    elif event == "exec":
        _record("exec", getattr(arguments[0], "co_filename", ""))


sys.addaudithook(_watch)
