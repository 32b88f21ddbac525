"""A small project, a server on it, and two clients: pytest-lsp's, and one that can send any message."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.files import write_files
from tests.lsp.editor import EDITORS, Editor, start_editor
from tests.lsp.project import PROJECT
from tests.lsp.raw_client import SERVE, RawClient


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of a few files."""
    return write_files(tmp_path / "project", PROJECT)


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[Callable[..., RawClient]]:
    """A factory of raw clients; clients still running are ended after the test."""
    clients: list[RawClient] = []

    def make(command: tuple[str, ...] = SERVE) -> RawClient:
        clients.append(RawClient(tmp_path / "home", command))
        return clients[-1]

    yield make
    for client in clients:
        client.end()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """One raw client with the project open, for all tests of a module."""
    folder = tmp_path_factory.mktemp("raw_client")
    started = RawClient(folder / "home")
    started.start(write_files(folder / "project", PROJECT))
    yield started
    started.end()


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=EDITORS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """An editor with the indexed project open, for all tests of a module."""
    folder = tmp_path_factory.mktemp(request.param)
    running = await start_editor(request.param, write_files(folder / "project", PROJECT), folder / "home")
    await running.ready()
    yield running
    await running.shutdown_session()
    await running.stop()
