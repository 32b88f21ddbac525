"""The subject of the campaign: a project, a cache on its own disk, and a real server."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sightline.location import CACHE_VARIABLE, index_dir
from sightline.requests.uris import from_path
from tests.faults.harness import (
    THROUGH_CHROMA,
    agrees,
    as_ordinary_user,
    fresh_state,
    session,
    source,
    write_project,
)
from tests.lsp.raw_client import SERVE, TIMEOUT_SECONDS, RawClient

_FILES = 30
_DISK = "size=64m"
_CHANGED = 2


class ServerUnderTest:
    """A real server into which faults are injected and whose state is checked."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.cache = home / "cache"
        self.cache.mkdir()
        os.environ[CACHE_VARIABLE] = str(self.cache)
        os.environ["XDG_CONFIG_HOME"] = str(home / "config")
        self.own_disk = not _mount("-t", "tmpfs", "-o", _DISK, "tmpfs", str(self.cache))
        self.root = write_project((home / "project").resolve(), _FILES)
        self.start_seconds = 0.0
        self._server: RawClient | None = None
        begun = time.monotonic()
        self.start()
        self.start_seconds = time.monotonic() - begun

    @property
    def index(self) -> Path:
        """The directory of the index."""
        return index_dir(self.root)

    @property
    def server(self) -> RawClient:
        """The client of the running server."""
        assert self._server is not None
        return self._server

    @property
    def runs(self) -> bool:
        """Whether the server's process is alive."""
        return self._server is not None and self._server.process.poll() is None

    def start(self, wait: bool = True) -> None:
        """Start a server on the project."""
        self._server = server = RawClient(self.home, (*as_ordinary_user(), *SERVE))
        with contextlib.suppress(OSError):
            server.start(self.root, initializationOptions=THROUGH_CHROMA)
        if wait:
            server.wait_ready()

    @contextlib.contextmanager
    def second_window(self) -> Iterator[RawClient]:
        """Run a second server on the same project inside this context."""
        second = RawClient(self.home, (*as_ordinary_user(), *SERVE))
        try:
            second.start(self.root, initializationOptions=THROUGH_CHROMA)
            yield second
        finally:
            second.end()

    def stop(self) -> None:
        """Shut the server down cleanly."""
        assert self.server.stop() == 0
        self.server.end()
        self._server = None

    def kill(self) -> None:
        """Kill the server with SIGKILL."""
        self.signal(signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """Send the server's process a signal."""
        self.server.process.send_signal(number)

    def children(self) -> list[int]:
        """The process ids of the server's child processes."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.server.process.pid)], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in found.stdout.split()]

    def remount(self, mode: str) -> None:
        """Make the cache's disk read-only, or writable again."""
        # The process of the vector store finishes its work after the server has ended.
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while _mount("-o", f"remount,{mode}", str(self.cache)):
            assert time.monotonic() < deadline, f"the cache cannot be made {mode}"
            time.sleep(0.1)

    def files(self) -> list[Path]:
        """The files of the project."""
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    def write(self, path: Path, rng: random.Random) -> None:
        """Write new random text to a file."""
        path.write_text(source(path.suffix, rng), encoding="utf-8")

    def save(self, rng: random.Random) -> None:
        """Rewrite a random file, sometimes rename it too, and notify the server."""
        path = rng.choice(self.files())
        self.write(path, rng)
        if rng.random() < 0.2:
            moved = path.with_name(f"moved{rng.randrange(10**6)}{path.suffix}")
            path.rename(moved)
            self.notify(moved)
        self.notify(path)

    def rewrite(self, rng: random.Random, share: float) -> None:
        """Rewrite a share of the files and notify the server of all of them at once."""
        files = self.files()
        chosen = rng.sample(files, int(len(files) * share))
        for path in chosen:
            self.write(path, rng)
        self.notify(*chosen)

    def notify(self, *paths: Path) -> None:
        """Send change events as a file watcher does; ignore a dead server."""
        changes = [{"uri": from_path(str(path)), "type": _CHANGED} for path in paths]
        with contextlib.suppress(OSError, ValueError):
            self.server.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def search(self) -> list[Any]:
        """The results of a search; the server must answer."""
        results: list[Any] = self.server.request("workspace/semanticSearch", {"query": "user"})["results"]
        return results

    def wait_failed(self) -> None:
        """Wait until the server reports an error, which means it pauses before its next retry."""
        self.server.wait(lambda: bool(self._status().get("lastError")))

    def assert_healthy(self, *, killed: bool) -> None:
        """Assert that the server runs, answers, has an index equal to a fresh one, and repeats no message."""
        if killed:
            self.server.end()
            self.start(wait=False)
        assert self.runs, "the server died"
        self.search()
        # Request no scan of the whole folder: each change was reported once, and that must be enough.
        self.server.wait_ready()
        self._assert_consistent()
        assert self.search(), "the server finds nothing"
        shown = Counter(self.server.shown())
        assert set(shown.values()) <= {1}, f"shown more than once: {shown}"

    def replace(self) -> None:
        """Start over with a new server and an empty cache after a failure."""
        if self._server is not None:
            self._server.end()
        for path in self.cache.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.start()

    def close(self) -> None:
        """End the server and unmount the disk."""
        if self._server is not None:
            self._server.end()
        if self.own_disk:
            subprocess.run(["umount", "-l", self.cache], check=True)

    def _assert_consistent(self) -> None:
        """Assert that a second reader of the same index sees the state of a fresh index."""
        fresh = fresh_state(self.root)
        with session(self.root) as reader:
            reader.until(lambda: agrees(reader, fresh))

    def _status(self) -> dict[str, Any]:
        time.sleep(0.02)
        folder: dict[str, Any] = self.server.request("workspace/indexStatus", {})["folders"][0]
        return folder


def _mount(*arguments: str) -> int:
    """The exit code of mount; non-zero without the required privileges."""
    try:
        return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode
    except OSError:
        return 1
