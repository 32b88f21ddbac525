"""A small project, a server on it, and two clients: pytest-lsp's, and one that may say anything."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.protocol import JsonRPCNotification, JsonRPCResponseMessage, default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

from sightline.lsp.client import Client
from sightline.lsp.positions import Encoding
from sightline.lsp.transport import Framing
from sightline.lsp.uris import from_path

SERVE = (sys.executable, "-m", "sightline", "serve")
EDITORS = ("visual_studio_code", "neovim", "emacs")
PATIENCE = 60.0

PROJECT = {
    "shop/basket.py": '''"""The basket of a customer."""


class Basket:
    """What a customer wants to buy."""

    def add_item(self, article: str, count: int = 1) -> None:
        """Put an article into the basket."""
        self.items[article] = self.items.get(article, 0) + count

    def total_price(self, prices: dict[str, float]) -> float:
        """Sum up what everything costs."""
        return sum(prices[article] * count for article, count in self.items.items())
''',
    "shop/checkout.py": '''"""Paying for a basket."""

from shop.basket import Basket


def charge_credit_card(number: str, amount: float) -> bool:
    """Take money from a credit card, and say whether the bank agreed."""
    return len(number) == 16 and amount > 0


def checkout(basket: Basket, prices: dict[str, float], card: str) -> bool:
    """Buy everything in the basket."""
    return charge_credit_card(card, basket.total_price(prices))
''',
    "web/session.js": """// Keeps people logged in.
export function refreshSessionToken(session) {
  const lifetime = 3600;
  return { ...session, expires: Date.now() + lifetime * 1000 };
}
""",
    "docs/guide.md": """# Guide

## Returning goods

Send the parcel back within two weeks and the money is refunded.
""",
    "umlaut/größe.py": '''"""😋 Größen."""


def größe_messen(länge: int) -> int:
    """Measure how long something is, in centimetres."""
    emoji = "😋"; hülle = länge
    return hülle
''',
}


def write_project(root: Path, files: Mapping[str, str] = PROJECT) -> Path:
    """Put files into a folder."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    return root


def environment(home: Path) -> dict[str, str]:
    """An environment in which a server finds nobody's settings or indexes but the test's."""
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "SIGHTLINE_CACHE_DIR": str(home / "cache"),
    }


def initialize_params(
    root: Path | None, capabilities: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """The params of initialize for one folder."""
    return {
        "processId": os.getpid(),
        "rootUri": from_path(str(root)) if root else None,
        "capabilities": capabilities or {},
        **more,
    }


class Talker:
    """A client that sends whatever it is told to, and answers the server's questions."""

    def __init__(self, home: Path, command: tuple[str, ...] = SERVE) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home)
        )
        self.settings: dict[str, Any] = {}
        self.root = Path()
        self.answer_questions = True
        self.replies: dict[str, list[Any]] = {}
        self.asked: list[dict[str, Any]] = []
        self.told: list[dict[str, Any]] = []
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._answers: dict[Any, dict[str, Any]] = {}
        self._ids = 0
        self._started = time.monotonic()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def seconds(self) -> float:
        """How long the server has been running."""
        return time.monotonic() - self._started

    def send_bytes(self, body: bytes) -> None:
        """Send one framed body, whatever is in it."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message."""
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and give its id."""
        self._ids += 1
        self.send({"id": self._ids, "method": method, "params": params})
        return self._ids

    def answer(self, msg_id: Any, timeout: float = PATIENCE) -> dict[str, Any]:
        """Wait for the whole answer to a request."""
        self.wait(lambda: msg_id in self._answers, timeout)
        return self._answers.pop(msg_id)

    def request(self, method: str, params: Any = None, timeout: float = PATIENCE) -> Any:
        """Send a request and give its result."""
        answer = self.answer(self.ask(method, params), timeout)
        assert "error" not in answer, answer
        return answer["result"]

    def start(self, root: Path | None, capabilities: dict[str, Any] | None = None, **more: Any) -> Any:
        """Do the handshake."""
        self.root = root or Path()
        result = self.request("initialize", initialize_params(root, capabilities, **more))
        self.notify("initialized", {})
        return result

    def wait(self, condition: Callable[[], bool], timeout: float = PATIENCE) -> None:
        """Take messages until something is true."""
        deadline = time.monotonic() + timeout
        while not condition():
            try:
                message = self._inbox.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"nothing came in {timeout} s") from None
            if message is None:
                raise AssertionError("the server closed the connection")
            self._take(message)

    def wait_ready(self) -> None:
        """Wait until every folder is indexed."""
        self.wait(self._is_ready)

    def stop(self) -> int:
        """Shut down as the protocol says."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def end(self) -> None:
        """End the process if it still runs, and let go of the pipes."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _is_ready(self) -> bool:
        folders = self.request("workspace/indexStatus", {})["folders"]
        if all(folder["state"] == "ready" for folder in folders):
            return True
        time.sleep(0.05)
        return False

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self._answers[message.get("id")] = message
        elif "id" in message:
            self.asked.append(message)
            if not self.answer_questions:
                return
            self.send({"id": message["id"], "result": self._reply(message)})
        else:
            self.told.append(message)

    def _reply(self, question: dict[str, Any]) -> Any:
        if recorded := self.replies.get(question["method"]):
            return recorded[0]
        if question["method"] == "workspace/configuration":
            return [self.settings for _ in question["params"]["items"]]
        return None

    def _read(self) -> None:
        assert self.process.stdout is not None
        framing = Framing()
        while data := os.read(self.process.stdout.fileno(), 1 << 16):
            for body in framing.feed(data):
                self._inbox.put(json.loads(body))
        self._inbox.put(None)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of a few files."""
    return write_project(tmp_path / "project")


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[..., Talker]]:
    """Makes talkers, and ends whatever of them is left."""
    talkers: list[Talker] = []

    def make(command: tuple[str, ...] = SERVE) -> Talker:
        talkers.append(Talker(tmp_path / "home", command))
        return talkers[-1]

    yield make
    for talker in talkers:
        talker.end()


@pytest.fixture(scope="module")
def talker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talker]:
    """One talker with the project open, for all tests of a module."""
    folder = tmp_path_factory.mktemp("talker")
    started = Talker(folder / "home")
    started.start(write_project(folder / "project"))
    yield started
    started.end()


class Editor(LanguageClient):  # type: ignore[misc]  # pytest-lsp is read without its types
    """pytest-lsp's client with one editor's capabilities, and plain JSON for Sightline's own messages."""

    def __init__(self) -> None:
        super().__init__(converter_factory=_plain_converter)
        register_lsp_features(self)
        self.root = Path()
        self.encoding: Encoding = "utf-16"
        self.statuses: list[Any] = []
        self.partials: list[Any] = []

    @property
    def resolves_symbols(self) -> bool:
        """Whether this editor asks again for the symbol that was chosen."""
        return Client.of(self.capabilities).resolves_symbols

    def uri(self, path: str) -> str:
        """The address of a file of the project."""
        return from_path(str(self.root / path)) if path else from_path(str(self.root))

    def open(self, path: str, text: str) -> None:
        """Open a document with a text of its own."""
        item = types.TextDocumentItem(self.uri(path), "plaintext", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, path: str) -> None:
        """Close a document again."""
        closed = types.TextDocumentIdentifier(self.uri(path))
        self.text_document_did_close(types.DidCloseTextDocumentParams(closed))

    def save(self, path: str, text: str) -> None:
        """Write a file and say that it was saved."""
        write_project(self.root, {path: text})
        saved = types.TextDocumentIdentifier(self.uri(path))
        self.text_document_did_save(types.DidSaveTextDocumentParams(saved))

    async def ask(self, method: str, params: object) -> Any:
        """Any request; the params of a standard one may be given as JSON too."""
        if method in types.METHOD_TO_TYPES and isinstance(params, dict):
            params = self.protocol._converter.structure(params, types.METHOD_TO_TYPES[method][2])
        return await asyncio.wait_for(self.protocol.send_request_async(method, params), PATIENCE)

    async def search(self, query: str, **more: object) -> Any:
        """A semantic search."""
        return await self.ask("workspace/semanticSearch", {"query": query, **more})

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Ask again until the answer is true, and give it."""
        deadline = time.monotonic() + PATIENCE
        while not (answer := await condition()):
            assert time.monotonic() < deadline, "it did not become true"
            await asyncio.sleep(0.05)
        return answer

    async def finds(self, query: str, path: str) -> Any:
        """Search until a file is found."""

        async def found() -> Any:
            hits = (await self.search(query))["results"]
            return next((hit for hit in hits if hit["path"] == path), None)

        return await self.until(found)

    async def loses(self, query: str, path: str) -> None:
        """Search until a file is found no more."""

        async def lost() -> bool:
            return all(hit["path"] != path for hit in (await self.search(query))["results"])

        await self.until(lost)

    async def ready(self) -> None:
        """Wait until the index is complete."""

        async def complete() -> bool:
            folders = (await self.ask("workspace/indexStatus", {}))["folders"]
            return all(folder["state"] == "ready" for folder in folders)

        await self.until(complete)


def _plain_converter() -> Any:
    """pygls' converter, but untyped messages stay dictionaries."""
    converter = default_converter()  # type: ignore[no-untyped-call]  # pygls does not annotate it
    for shape in (JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(shape, lambda message, cls: cls(**message))
    return converter


async def start_editor(name: str, root: Path, home: Path) -> Editor:
    """Start a server under an editor's capabilities and open a folder in it."""
    editor = Editor()
    editor.root = root
    editor.feature("$/sightline/statusChanged")(lambda params: editor.statuses.append(params))
    await editor.start_io(*SERVE, env=environment(home))
    uri = from_path(str(root))
    result = await editor.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(name),
            root_uri=uri,
            workspace_folders=[types.WorkspaceFolder(uri, root.name)],
            # No comparison with the disk in the middle of a test, in editors that cannot watch files.
            initialization_options={"indexing": {"poll_seconds": 0}},
        )
    )
    editor.encoding = types.PositionEncodingKind(result.capabilities.position_encoding).value
    return editor


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=EDITORS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """An editor with the indexed project open, for all tests of a module."""
    folder = tmp_path_factory.mktemp(request.param)
    running = await start_editor(request.param, write_project(folder / "project"), folder / "home")
    await running.ready()
    yield running
    await running.shutdown_session()
    await running.stop()
