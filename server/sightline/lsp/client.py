"""The capabilities of the client, and what is registered with it after the start."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities Sightline uses, of the hundreds a client can announce."""

    pulls_configuration: bool = False
    registers_configuration: bool = False
    watches_files: bool = False
    shows_progress: bool = False
    shows_documents: bool = False
    reads_markdown: bool = False
    nests_symbols: bool = False
    resolves_symbols: bool = False
    knows_actions: bool = False
    registers_navigation: bool = False

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> Client:
        """Read the capabilities from initialize."""
        text = capabilities.text_document or types.TextDocumentClientCapabilities()
        workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
        window = capabilities.window or types.WindowClientCapabilities()
        configuration, files = workspace.did_change_configuration, workspace.did_change_watched_files
        return cls(
            pulls_configuration=bool(workspace.configuration),
            registers_configuration=bool(configuration and configuration.dynamic_registration),
            watches_files=bool(files and files.dynamic_registration),
            shows_progress=bool(window.work_done_progress),
            shows_documents=bool(window.show_document and window.show_document.support),
            reads_markdown=_reads_markdown(text.hover),
            nests_symbols=_nests_symbols(text.document_symbol),
            resolves_symbols=_resolves_ranges(workspace.symbol),
            registers_navigation=_registers(text.references) and _registers(text.call_hierarchy),
            knows_actions=bool(text.code_action and text.code_action.code_action_literal_support),
        )


async def register_capabilities(server: SightlineServer, registrations: Sequence[types.Registration]) -> bool:
    """Whether the client accepts: some announce that they can be asked, and then reject it."""
    try:
        await server.client_register_capability_async(types.RegistrationParams(registrations))
    except JsonRpcException as error:
        logger.info("the client rejects %s: %s", registrations[0].method, error)
        return False
    return True


def _registers(
    ability: types.ReferenceClientCapabilities | types.CallHierarchyClientCapabilities | None,
) -> bool:
    return bool(ability and ability.dynamic_registration)


def _reads_markdown(hover: types.HoverClientCapabilities | None) -> bool:
    return types.MarkupKind.Markdown in ((hover.content_format if hover else None) or ())


def _nests_symbols(symbols: types.DocumentSymbolClientCapabilities | None) -> bool:
    return bool(symbols and symbols.hierarchical_document_symbol_support)


def _resolves_ranges(symbol: types.WorkspaceSymbolClientCapabilities | None) -> bool:
    support = symbol.resolve_support if symbol else None
    return bool(support and "location.range" in support.properties)
