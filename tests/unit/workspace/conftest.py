"""A separate workspace with a separate cache for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.location import CACHE_VARIABLE
from sightline.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "sockets.py").write_text("def read_socket(socket):\n    return socket.read()\n")
    (folder / "files.go").write_text("package files\n\nfunc WriteFile(file string) error { return nil }\n")
    return folder.resolve()


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close(30)
