"""The message layer: every request gets a response, however malformed it is."""

from __future__ import annotations

import contextvars
import json
import logging
from collections.abc import Generator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import cattrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, LanguageServerProtocol, lsp_method

from sightline.errors import Cancelled, InvalidRequest, SightlineError
from sightline.lsp.open_documents import Change

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

_VERSION = "2.0"
_BEFORE_INITIALIZE = frozenset({types.INITIALIZE, types.EXIT, types.CANCEL_REQUEST})

logger = logging.getLogger(__name__)


class SightlineProtocol(LanguageServerProtocol):
    """pygls' protocol with the missing responses added.

    pygls sends no response to a request with missing or wrong params, or to one before initialize or after
    shutdown, and clients wait forever. Here each gets an error it can show.
    """

    _server: SightlineServer

    def __init__(self, server: SightlineServer, converter: cattrs.Converter) -> None:
        """Start in the state before initialize."""
        super().__init__(server, converter)
        self._initialized = False

    @property
    def exit_code(self) -> int:
        """The exit code if the process ended now: 0 only after a shutdown request."""
        return 0 if self._shutdown else 1

    def receive(self, body: bytes) -> None:
        """Handle one message from the wire."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, types.ErrorCodes.ParseError, "the message is not JSON")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != _VERSION:
            self._refuse(
                None, types.ErrorCodes.InvalidRequest, 'the message is not an object with jsonrpc "2.0"'
            )
        elif "method" not in message:
            self._receive_response(message)
        elif not isinstance(message["method"], str):
            self._refuse(_usable_id(message), types.ErrorCodes.InvalidRequest, "method must be a string")
        elif "id" in message:
            self._receive_request(message)
        else:
            self._receive_notification(message)

    def refuse_length(self, length: int) -> None:
        """Answer a message that is too long to read."""
        sentence = f"the message is announced with {length} bytes, which is too long; it is not read"
        self._refuse(None, types.ErrorCodes.InvalidRequest, sentence)

    def _receive_request(self, message: dict[str, Any]) -> None:
        method, msg_id = message["method"], _usable_id(message)
        if msg_id is None:
            self._refuse(None, types.ErrorCodes.InvalidRequest, "id must be a string or a whole number")
        elif (rejection := self._rejection(method)) is not None:
            self._refuse(msg_id, *rejection)
        else:
            try:
                typed = self._typed(message)
            except InvalidRequest as error:
                self._refuse(msg_id, types.ErrorCodes.InvalidParams, str(error))
                return
            self._initialized = self._initialized or method == types.INITIALIZE
            # Not `handle_message`, which finds out the kind of a message by slow checks of its attributes.
            contextvars.copy_context().run(self._handle_request, msg_id, method, typed.params)

    def _rejection(self, method: str) -> tuple[int, str] | None:
        """The error for a request that is not allowed now, or None."""
        if self._shutdown:
            return types.ErrorCodes.InvalidRequest, "the server is shutting down"
        if not self._initialized and method != types.INITIALIZE:
            return types.ErrorCodes.ServerNotInitialized, "initialize must be the first request"
        if self._initialized and method == types.INITIALIZE:
            return types.ErrorCodes.InvalidRequest, "initialize was already answered"
        if not self._handles(method):
            return types.ErrorCodes.MethodNotFound, f"{method} is not supported"
        if not self._is_request(method):
            return types.ErrorCodes.InvalidRequest, f"{method} is a notification; send it without an id"
        return None

    def _receive_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        early = not self._initialized and method not in _BEFORE_INITIALIZE
        late = self._shutdown and method != types.EXIT
        if early or late or not (self._handles(method) or method == types.CANCEL_REQUEST):
            logger.debug("notification %s ignored", method)
            return
        try:
            params = self._typed(message).params
            contextvars.copy_context().run(self._handle_notification, method, params)
        except InvalidRequest as error:
            logger.warning("notification %s: %s", method, error)

    def _receive_response(self, message: dict[str, Any]) -> None:
        msg_id = _usable_id(message)
        if msg_id is None or msg_id not in self._result_types:
            logger.debug("response to an unknown request: %r", msg_id)
            return
        future = self._request_futures[msg_id]
        try:
            if not future.done():
                self.handle_message(self.structure_message(message))
        except JsonRpcException as error:
            # Fail the future, or the waiting coroutine would wait until its timeout.
            future.set_exception(error)
        finally:
            self._request_futures.pop(msg_id, None)
            self._result_types.pop(msg_id, None)

    def _typed(self, message: dict[str, Any]) -> Any:
        method = message["method"]
        if (shape := self.get_message_type(method)) is not None:
            return self._structured(message, shape)
        params = message.get("params")
        if "id" in message:
            return JsonRPCRequestMessage(message["id"], method, _VERSION, params)
        return JsonRPCNotification(method, _VERSION, params)

    def _structured(self, message: dict[str, Any], shape: type[Any]) -> Any:
        try:
            return self._converter.structure(message, shape)
        except cattrs.ClassValidationError as error:
            raise InvalidRequest("; ".join(cattrs.transform_error(error)[:3])) from error
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
            raise InvalidRequest(f"the params of {message['method']} have the wrong shape") from error

    def _is_request(self, method: str) -> bool:
        shape = self.get_message_type(method)
        return shape is None or hasattr(shape, "id")

    def _handles(self, method: str) -> bool:
        return method in self.fm.builtin_features or method in self.fm.features

    def _refuse(self, msg_id: int | str | None, code: int, sentence: str) -> None:
        # Not lsprotocol's type: it omits an id of null, which JSON-RPC requires.
        error = {"code": int(code), "message": sentence}
        self._send_data({"jsonrpc": _VERSION, "id": msg_id, "error": error})

    def announce(self, method: str, params: object) -> None:
        """Send one of our own notifications, whose params are JSON already."""
        self._send_data({"jsonrpc": _VERSION, "method": method, "params": params})

    def _send_response(
        self, msg_id: int | str, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        """Send a response without converting a result that is JSON already; other objects are converted."""
        if error is None:
            self._send_data({"jsonrpc": _VERSION, "id": msg_id, "result": result})
        else:
            super()._send_response(msg_id, result, error)

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """Answer a request with its result or with the matching error."""
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self._refuse(msg_id, types.LSPErrorCodes.RequestCancelled, "the request was cancelled")
        elif (error := future.exception()) is not None:
            self._refuse(msg_id, *_explained(error))
        else:
            self._send_response(msg_id, result=future.result())

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Log a failed notification; it has no response."""
        if not future.cancelled() and (error := future.exception()) is not None:
            logger.error("a notification failed", exc_info=error)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Use our own documents: pygls splits lines at form feeds and fails on edits of unknown documents."""
        session, item = self._server.session, params.text_document
        session.documents.open(item.uri, item.text, session.roots.locate(item.uri))
        session.documents_changed()

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Update the overlay; nothing is indexed before a save."""
        session = self._server.session
        changes = [_change(change) for change in params.content_changes]
        session.documents.change(params.text_document.uri, changes, session.encoding)
        session.typing()

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Drop the overlay; the disk has the document again."""
        session = self._server.session
        session.documents.close(params.text_document.uri)
        session.documents_changed()

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Generator[Any, Any, Any]:
        """Pass the arguments on unchanged; each command checks its own."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            known = ", ".join(sorted(self.fm.commands))
            raise InvalidRequest(f"{params.command!r} is not a command; use one of {known}")
        return (yield handler, tuple(params.arguments or ()), None)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> Generator[Any, Any, None]:
        """End the process with the exit code that the protocol requires."""
        self._server.end()
        yield from ()


def _usable_id(message: dict[str, Any]) -> int | str | None:
    msg_id = message.get("id")
    return msg_id if isinstance(msg_id, (int, str)) and not isinstance(msg_id, bool) else None


def _explained(error: BaseException) -> tuple[int, str]:
    """The error code and message for a failed request."""
    if isinstance(error, InvalidRequest):
        return types.ErrorCodes.InvalidParams, str(error)
    if isinstance(error, Cancelled):
        return types.LSPErrorCodes.RequestCancelled, "the request was cancelled"
    if isinstance(error, SightlineError):
        return types.LSPErrorCodes.RequestFailed, str(error)
    if isinstance(error, JsonRpcException):
        return error.code, error.message
    logger.error("a request failed", exc_info=error)
    return types.ErrorCodes.InternalError, f"{type(error).__name__}: {error} (the server's log has more)"


def _change(event: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(event, types.TextDocumentContentChangePartial):
        start, end = event.range.start, event.range.end
        return Change(event.text, (start.line, start.character), (end.line, end.character))
    return Change(event.text)
