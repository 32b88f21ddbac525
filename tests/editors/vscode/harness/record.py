"""A proxy between an editor and the server: forwards every byte, and records a copy and the server's pid."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

_PIECE = 1 << 16


def _copy(source: IO[bytes], target: IO[bytes], record: Path) -> None:
    with record.open("ab", buffering=0) as copy:
        while piece := source.read1(_PIECE):  # type: ignore[attr-defined]  # both are buffered readers
            copy.write(piece)
            target.write(piece)
            target.flush()
    target.close()


def main(folder: Path, command: list[str]) -> int:
    """Run the command until it ends; if it is the language server, record into a new folder in the folder."""
    if "serve" not in command:
        # The extension asks the same program whether it can serve agents.
        return subprocess.call(command)
    # One for each run: a server that was killed may leave half a message, and two may overlap.
    run = folder / str(time.time_ns())
    run.mkdir(parents=True)
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    (run / "pid").write_text(str(server.pid))
    to_server = (sys.stdin.buffer, server.stdin, run / "to-server")
    threading.Thread(target=_copy, args=to_server, daemon=True).start()
    _copy(server.stdout, sys.stdout.buffer, run / "to-editor")
    return server.wait()


if __name__ == "__main__":
    # Not sys.exit: the other thread may still be blocked reading from the editor.
    os._exit(main(Path(sys.argv[1]), sys.argv[2:]))
