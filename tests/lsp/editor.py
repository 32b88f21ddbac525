"""pytest-lsp's client with the capabilities of a real editor."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import JsonRPCNotification, JsonRPCResponseMessage, default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

from sightline.lsp.client import Client
from sightline.lsp.positions import Encoding
from sightline.requests.uris import from_path
from tests.files import write_files
from tests.lsp.raw_client import SERVE, TIMEOUT_SECONDS, environment

EDITORS = ("visual_studio_code", "neovim", "emacs")


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
        """Whether this editor sends a resolve request for the chosen symbol."""
        return Client.of(self.capabilities).resolves_symbols

    def uri(self, path: str) -> str:
        """The URI of a file of the project."""
        return from_path(str(self.root / path)) if path else from_path(str(self.root))

    def open(self, path: str, text: str) -> None:
        """Open a document with the given text."""
        item = types.TextDocumentItem(self.uri(path), "plaintext", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, path: str) -> None:
        """Close a document."""
        closed = types.TextDocumentIdentifier(self.uri(path))
        self.text_document_did_close(types.DidCloseTextDocumentParams(closed))

    def save(self, path: str, text: str) -> None:
        """Write a file and send didSave."""
        write_files(self.root, {path: text})
        saved = types.TextDocumentIdentifier(self.uri(path))
        self.text_document_did_save(types.DidSaveTextDocumentParams(saved))

    async def ask(self, method: str, params: object) -> Any:
        """Send any request; the params of a standard one can be given as JSON too."""
        if method in types.METHOD_TO_TYPES and isinstance(params, dict):
            params = self.protocol._converter.structure(params, types.METHOD_TO_TYPES[method][2])
        return await asyncio.wait_for(self.protocol.send_request_async(method, params), TIMEOUT_SECONDS)

    async def search(self, query: str, **more: object) -> Any:
        """A semantic search."""
        return await self.ask("workspace/semanticSearch", {"query": query, **more})

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Repeat a request until its result is truthy, and return that result."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not (answer := await condition()):
            assert time.monotonic() < deadline, "the condition did not become true in time"
            await asyncio.sleep(0.05)
        return answer

    async def finds(self, query: str, path: str) -> Any:
        """Search until the results contain a file."""

        async def found() -> Any:
            hits = (await self.search(query))["results"]
            return next((hit for hit in hits if hit["path"] == path), None)

        return await self.until(found)

    async def loses(self, query: str, path: str) -> None:
        """Search until the results no longer contain a file."""

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
    """Start a server with an editor's capabilities and open a folder in it."""
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
