"""The server: the pygls setup, a session, and the registered features."""

from __future__ import annotations

import logging
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from sightline import __version__
from sightline.lsp.features import actions, commands, files, hover, lifecycle, search
from sightline.lsp.features import symbol_requests as symbols
from sightline.lsp.protocol import SightlineProtocol
from sightline.lsp.session import Session
from sightline.names import COMMAND

logger = logging.getLogger(__name__)


class SightlineServer(LanguageServer):
    """A language server for finding code."""

    protocol: SightlineProtocol

    def __init__(self) -> None:
        """Register every feature; does not touch the index."""
        super().__init__(
            name=COMMAND,
            version=__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=SightlineProtocol,
            converter_factory=default_converter,
        )
        # The exit code, as soon as it is known that the process has to end.
        self.ended: Future[int] = Future()
        self.session = Session(self)
        for feature in (lifecycle, files, search, symbols, hover, actions, commands):
            feature.register(self)

    def end(self) -> None:
        """End the process, called from any thread; the first call decides on the exit code."""
        with suppress(InvalidStateError):
            self.ended.set_result(self.protocol.exit_code)

    def report_server_error(self, error: Exception, _source: object) -> None:
        """Only log it: message boxes are for problems the user can act on."""
        logger.error("%s", error, exc_info=error)
