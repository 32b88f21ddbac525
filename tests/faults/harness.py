"""A project, its index, and the messages shown to its user; for tests that inject faults."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sightline.folder import Folder
from sightline.indexing.events import Event, Message
from sightline.location import CACHE_VARIABLE, index_dir
from sightline.types import SearchRequest
from sightline.workspace import Workspace
from tests.unit.workspace.index_state import TIMEOUT, opened, state

# Vectors are retrieved from Chroma, not from memory.
THROUGH_CHROMA = {"search": {"exact_limit": 0}}
SIGHTLINE = (sys.executable, "-m", "sightline")
CATALOG = "catalog.sqlite"

_WORDS = [
    "alpha",
    "user",
    "import",
    "return",
    "readme",
    "basket",
    "ticket",
    "ledger",
    "parcel",
    "window",
    "engine",
    "garden",
]
_POLL_SECONDS = 0.05


def as_ordinary_user() -> tuple[str, ...]:
    """The command prefix that makes permissions apply even when the tests run as root."""
    is_root = os.geteuid() == 0 and shutil.which("setpriv")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if is_root else ()


def write_project(root: Path, files: int = 12, seed: int = 1) -> Path:
    """Write a folder of small source files whose text depends only on the seed."""
    rng = random.Random(seed)
    for number in range(files):
        target = root / ("src", "lib", "docs")[number % 3] / f"file{number}.{('py', 'go', 'md')[number % 3]}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source(target.suffix, rng), encoding="utf-8")
    return root


def source(suffix: str, rng: random.Random) -> str:
    """Random source text in the language of a file suffix."""
    names = [f"{rng.choice(_WORDS)}_{rng.choice(_WORDS)}_{rng.randrange(1000)}" for _ in range(8)]
    if suffix == ".md":
        return "".join(f"# {name}\n\nHow the {name} is used by the user.\n\n" for name in names)
    if suffix == ".go":
        return "package lib\n\n" + "".join(
            f"func {name}(user int) int {{ return user }}\n\n" for name in names
        )
    return "import os\n\n" + "".join(f"def {name}(user):\n    return os.sep + user\n\n\n" for name in names)


class Session:
    """A workspace with one open folder, as in an editor."""

    def __init__(self, root: Path, editor: Mapping[str, object] | None = None) -> None:
        self.root = root
        self.messages: list[str] = []
        self.workspace = Workspace()
        self.workspace.subscribe(self._listen)
        self.folder: Folder = self.workspace.add_folder(root, editor)

    def _listen(self, event: Event) -> None:
        if isinstance(event, Message):
            self.messages.append(event.text)

    @property
    def index(self) -> Path:
        """The directory of the folder's index."""
        return index_dir(self.root)

    @property
    def all_embedded(self) -> bool:
        """Whether the index has chunks and each has its vector."""
        memory = self.folder.memory
        return memory is not None and memory.live > 0 and memory.embedded() == memory.live

    def save_snapshot(self) -> None:
        """Write a snapshot of the memory index now; no job may be running."""
        index = self.folder._worker.index
        assert index is not None
        index.save()

    def save(self, path: str, text: str) -> None:
        """Write a file and report the change."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        self.folder.changed([target])

    def settle(self) -> None:
        """Wait until no job is pending or running."""
        assert self.folder.wait_idle(TIMEOUT)

    def reconcile(self) -> None:
        """Reconcile with the disk and wait until the index reports ready."""
        self.folder.reconcile()
        self.until(lambda: self.folder.state == "ready")
        self.settle()

    def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < deadline, (self.folder.status(), self.messages)
            time.sleep(_POLL_SECONDS)

    def find(self, query: str) -> list[str]:
        """The paths that a search returns; the search must not fail."""
        return [hit.path for hit in self.workspace.search(SearchRequest(query)).hits]

    def count_messages(self, text: str) -> int:
        """The number of messages that contain a text."""
        return sum(text in message for message in self.messages)

    def close(self) -> None:
        """Close the workspace as an editor does on exit."""
        self.workspace.close(TIMEOUT)


@contextmanager
def session(root: Path, editor: Mapping[str, object] | None = None) -> Iterator[Session]:
    """Open and index a folder; close it at the end."""
    running = Session(root, editor)
    try:
        running.settle()
        yield running
    finally:
        running.close()


def assert_consistent(running: Session, fresh: dict[str, Any] | None = None) -> None:
    """Assert that the index equals a fresh one and that a search returns hits."""
    assert running.find("user")
    assert state(running.folder) == (fresh or fresh_state(running.root))


def agrees(running: Session, fresh: dict[str, Any]) -> bool:
    """Whether the index is ready and equals a fresh one; damage that is met is reported as a request does."""
    try:
        return running.folder.state == "ready" and state(running.folder) == fresh
    except sqlite3.DatabaseError:
        running.folder.check()
        return False
    except LookupError:
        # Another process is writing: this one's terms are older than the rows, or a row is gone again.
        return False


def assert_restored(running: Session) -> None:
    """Assert that the index was made whole without a message to the user."""
    assert running.messages == []
    assert running.all_embedded
    assert_consistent(running)


def snapshot_of(root: Path) -> Path:
    """The only snapshot of a folder's index; what an interrupted write left behind counts too."""
    (path,) = index_dir(root).glob("*.snapshot*")
    return path


def fresh_state(root: Path) -> dict[str, Any]:
    """The state of an index built from scratch."""
    with moved_cache(root.parent / f"fresh-{time.monotonic_ns()}"):
        workspace, folder = opened(root)
        try:
            return state(folder)
        finally:
            workspace.close(TIMEOUT)


@contextmanager
def moved_cache(folder: Path) -> Iterator[None]:
    """Store indexes opened inside this context in another cache folder."""
    before = os.environ[CACHE_VARIABLE]
    os.environ[CACHE_VARIABLE] = str(folder)
    try:
        yield
    finally:
        os.environ[CACHE_VARIABLE] = before
