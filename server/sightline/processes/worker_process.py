"""A child process that answers calls, and may die or hang without harm to this process."""

from __future__ import annotations

import itertools
import pickle
import queue
import subprocess
import sys
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from typing import IO, Any

from sightline.platforms import child_flags

# The child has the import path of this process, but never the current folder: that may be a workspace. Ctrl-C
# in a terminal reaches the child too, but this process decides when it ends.
_START = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "__import__(sys.argv[1], fromlist=['main']).main()"
)
_SAFE_FOLDER = Path(__file__).parent


# A normal exit, a Python error at startup, or a kill from outside: none of them is a crash inside the child.
_NO_CRASH = (None, 0, 1, -9, -15)


class WorkerDied(Exception):
    """The process ended, or had to be killed, before it answered."""

    def __init__(self, message: str, crashed: bool) -> None:
        super().__init__(message)
        self.crashed = crashed


class WorkerFailed(Exception):
    """The process answered that the operation failed."""


class WorkerProcess:
    """Calls by name, from any thread, over the standard streams of a module's `main`."""

    def __init__(self, module: str, title: str) -> None:
        self._title = title
        command = [sys.executable, "-c", _START, module, *filter(None, sys.path)]
        self._process = subprocess.Popen(
            command,
            cwd=_SAFE_FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=-1,
            creationflags=child_flags(),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[Any]] = {}
        self._guard = threading.Lock()
        self._over = False
        # A pipe to a stuck child fills up; only the sender thread may block on it, never a caller.
        self._outgoing: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for target, stream in ((self._talk, self._process.stdin), (self._listen, self._process.stdout)):
            threading.Thread(target=target, args=(stream,), name=title, daemon=True).start()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def submit(self, name: str, *arguments: Any) -> Future[Any]:
        """Send a request to the child; replies come in any order, its death fails all pending requests."""
        future: Future[Any] = Future()
        with self._guard:
            if self._over:
                raise self._death()
            number = next(self._numbers)
            self._waiting[number] = future
        self._outgoing.put((number, name, arguments))
        return future

    def call(self, name: str, *arguments: Any, timeout: float) -> Any:
        """Send a request to the child and wait for the reply; kill a child that does not answer in time."""
        try:
            return self.submit(name, *arguments).result(timeout)
        except FutureTimeoutError:
            self.kill()
            raise WorkerDied(f"no answer to {name} within {timeout:g} seconds", crashed=False) from None

    def close(self, timeout: float) -> None:
        """Let the child finish its pending requests, and exit."""
        self._outgoing.put(None)
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill the child now."""
        self._process.kill()
        self._process.wait()

    def _talk(self, requests: IO[bytes]) -> None:
        try:
            with requests:
                while (request := self._outgoing.get()) is not None:
                    pickle.dump(request, requests, protocol=5)
                    requests.flush()
        except OSError:
            # The listener sees the same end and fails all pending requests.
            return

    def _listen(self, replies: IO[bytes]) -> None:
        with replies:
            while (reply := _next(replies)) is not None:
                number, succeeded, value = reply
                future = self._waiting.pop(number)
                if succeeded:
                    future.set_result(value)
                else:
                    future.set_exception(WorkerFailed(value))
        self._process.wait()
        with self._guard:
            self._over = True
        self._outgoing.put(None)
        for future in self._waiting.values():
            future.set_exception(self._death())

    def _death(self) -> WorkerDied:
        code = self._process.returncode
        cause = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        return WorkerDied(f"the {self._title}'s process ended {cause}", crashed=code not in _NO_CRASH)


def _next(replies: IO[bytes]) -> tuple[int, bool, Any] | None:
    try:
        reply: tuple[int, bool, Any] = pickle.load(replies)
    except (EOFError, pickle.UnpicklingError):
        return None
    return reply
