"""Saved, created, deleted and renamed files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

_EVERY_FILE = types.FileOperationRegistrationOptions(
    filters=[types.FileOperationFilter(pattern=types.FileOperationPattern(glob="**/*"), scheme="file")]
)


def register(server: SightlineServer) -> None:
    """Handle saves, watched files and file operations."""
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_watched)
    server.feature(types.WORKSPACE_DID_CREATE_FILES, _EVERY_FILE)(_created)
    server.feature(types.WORKSPACE_DID_RENAME_FILES, _EVERY_FILE)(_renamed)
    server.feature(types.WORKSPACE_DID_DELETE_FILES, _EVERY_FILE)(_deleted)
    # Handled but not registered: the editor would wait for us before every move, and we have no edits.
    for method in (
        types.WORKSPACE_WILL_CREATE_FILES,
        types.WORKSPACE_WILL_RENAME_FILES,
        types.WORKSPACE_WILL_DELETE_FILES,
    ):
        server.feature(method)(_no_edits)


def _saved(ls: SightlineServer, params: types.DidSaveTextDocumentParams) -> None:
    ls.session.changed([params.text_document.uri])


def _watched(ls: SightlineServer, params: types.DidChangeWatchedFilesParams) -> None:
    ls.session.changed([change.uri for change in params.changes])


def _created(ls: SightlineServer, params: types.CreateFilesParams) -> None:
    ls.session.changed([file.uri for file in params.files])


def _renamed(ls: SightlineServer, params: types.RenameFilesParams) -> None:
    ls.session.changed([uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def _deleted(ls: SightlineServer, params: types.DeleteFilesParams) -> None:
    ls.session.changed([file.uri for file in params.files])


def _no_edits(ls: SightlineServer, _: object) -> None:  # noqa: ARG001 - pygls looks for this name
    return None
