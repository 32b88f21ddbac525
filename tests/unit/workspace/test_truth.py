"""After any sequence of edits the index equals a newly built one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sightline.location import CACHE_VARIABLE
from sightline.relations.world import World
from tests.unit.workspace.index_state import TIMEOUT, memory_of, opened, relations, state

_FOLDERS = ("", "src/", "src/deep/", "lib/")
_NAMES = (
    "alpha.py",
    "user.go",
    "README.md",
    "config.toml",
    "main.rs",
    "data.bin",
    "notes.txt",
    ".env",
    "app.js",
)
_PIECES = (
    "def alpha(user):\n    return user.name\n\n",
    "class User:\n    def load(self):\n        return alpha(self)\n\n",
    "import os\n\n",
    "from src.alpha import alpha as first\n\n\ndef beta():\n    return first(User())\n\n",
    "class Admin(User):\n    def open(self):\n        return self.load()\n\n",
    "class Basket:\n    def refill(self, one):\n        pass\n\n",
    "class Basket:\n    def refill(self, one, two=2):\n        pass\n\n",
    "def gamma(thing):\n    return thing.refill(1, 2)\n\n",
    "func Alpha(user User) error { return nil }\n",
    "# Heading\n\nSome readme text about the user.\n\n",
    "key = 'value'\n",
    "\0binary\0",
    "x = '" + "y" * 1500 + "'\n",
    'fn main() { println!("alpha"); }\n',
)
_IGNORES = ("*.toml\n", "src/\n", "lib/*\n!lib/alpha.py\n", "", "/src/deep/\n*.bin\n")

_paths = st.builds(str.__add__, st.sampled_from(_FOLDERS), st.sampled_from(_NAMES))
_texts = st.lists(st.sampled_from(_PIECES), max_size=6).map("".join)


class Truth(RuleBasedStateMachine):
    """A user edits; the server gets the notifications that a language client would send."""

    editor: Mapping[str, object] = MappingProxyType({})

    def __init__(self) -> None:
        super().__init__()
        self._home = tempfile.TemporaryDirectory(prefix="sightline-truth-")
        self._before = os.environ.get(CACHE_VARIABLE)
        os.environ[CACHE_VARIABLE] = str(Path(self._home.name, "cache"))
        self.root = Path(self._home.name, "work").resolve()
        self.root.mkdir()
        self.workspace, self.folder = opened(self.root, self.editor)

    @rule(path=_paths, text=_texts)
    def save(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        self.notify(target)

    @rule(path=_paths)
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        self.notify(self.root / path)

    @rule(old=_paths, new=_paths)
    def rename(self, old: str, new: str) -> None:
        if (self.root / old).exists():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            os.replace(self.root / old, self.root / new)
            self.notify(self.root / old, self.root / new)

    @precondition(lambda self: (self.root / "src").is_dir())
    @rule()
    def move_folder(self) -> None:
        shutil.rmtree(self.root / "moved", ignore_errors=True)
        os.replace(self.root / "src", self.root / "moved")
        self.notify(self.root / "src", self.root / "moved")

    @rule(text=st.sampled_from(_IGNORES), name=st.sampled_from((".gitignore", ".sightlineignore")))
    def edit_ignore_file(self, text: str, name: str) -> None:
        (self.root / name).write_text(text)
        self.notify(self.root / name)

    @rule(files=st.dictionaries(_paths, _texts, max_size=12))
    def switch_branch(self, files: dict[str, str]) -> None:
        touched = [path for path in self.root.rglob("*") if path.is_file() and path.name != ".gitignore"]
        for path in touched:
            path.unlink()
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        self.notify(*touched, *(self.root / name for name in files))

    @rule()
    def touch_everything(self) -> None:
        files = [path for path in self.root.rglob("*") if path.is_file()]
        for path in files:
            os.utime(path)
        generation = self.folder.status().generation
        self.notify(*files)
        assert self.folder.status().generation == generation

    @rule(limit=st.sampled_from((200, 1 << 20)), exclude=st.sampled_from(([], ["lib/"], ["*.md"])))
    def change_settings(self, limit: int, exclude: list[str]) -> None:
        self.editor = {**self.editor, "indexing": {"max_file_bytes": limit, "exclude": exclude}}
        assert self.workspace.configure(self.editor) == []
        assert self.folder.wait_idle(TIMEOUT)

    @rule()
    def restart(self) -> None:
        self.workspace.close(TIMEOUT)
        self.workspace, self.folder = opened(self.root, self.editor)

    @rule()
    def reconcile_only(self) -> None:
        self.folder.reconcile()
        assert self.folder.wait_idle(TIMEOUT)

    def world(self) -> World:
        """The resolver of relations, kept across edits as a folder keeps it."""
        return World.of(memory_of(self.folder))

    @rule()
    def ask_for_relations(self) -> None:
        relations(self.world())

    @invariant()
    def status_is_correct(self) -> None:
        status = self.folder.status()
        assert status.state == "ready", status
        assert status.chunks == status.chunks_embedded

    def notify(self, *paths: Path) -> None:
        self.folder.changed(paths)
        assert self.folder.wait_idle(TIMEOUT)

    def teardown(self) -> None:
        followed = relations(self.world())
        self.workspace.close(TIMEOUT)
        self.workspace, self.folder = opened(self.root, self.editor)
        restarted = state(self.folder)
        assert followed == restarted["relations"]
        self.workspace.close(TIMEOUT)
        os.environ[CACHE_VARIABLE] = str(Path(self._home.name, "fresh"))
        workspace, folder = opened(self.root, self.editor)
        fresh = state(folder)
        workspace.close(TIMEOUT)
        if self._before is None:
            del os.environ[CACHE_VARIABLE]
        else:
            os.environ[CACHE_VARIABLE] = self._before
        self._home.cleanup()
        assert restarted == fresh


class TruthThroughChroma(Truth):
    """The same, with vectors in Chroma instead of memory."""

    editor = MappingProxyType({"search": {"exact_limit": 0}})


# Every step indexes for real, so shrinking a failure would take longer than reading it.
_BOUNDED = settings(
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestTruth = Truth.TestCase
TestTruth.settings = settings(_BOUNDED, max_examples=25, stateful_step_count=12)
TestTruthThroughChroma = pytest.mark.slow(TruthThroughChroma.TestCase)
TestTruthThroughChroma.settings = settings(_BOUNDED, max_examples=3, stateful_step_count=8)
