"""What the writer of an index does for other processes: it embeds their queries, and checks the index.

A Unix domain socket, in a folder that belongs to the user, carries one line of JSON each way. If there is no
socket, or no answer, the process loads the model itself, and damage is noticed when the writer reads it.
"""

from __future__ import annotations

import json
import logging
import os
import selectors
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sightline.arrays import Floats
from sightline.embedding.embedder import Embedder, ModelUnavailable
from sightline.file_identity import file_identity
from sightline.platforms import file_socket, owned_by_user

log = logging.getLogger(__name__)

# The maximum length of a socket address that every system allows.
_LONGEST_PATH = 100
# A query takes milliseconds; a process that takes longer is suspended or gone.
_SECONDS = 3.0
_MOST_BYTES = 1 << 17
# The exceptions that reading JSON of an unexpected shape raises.
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError)


class Shared(NamedTuple):
    """The shared model, and the vector of a query if one was requested."""

    id: str
    dim: int
    vector: Floats | None = None


# Maps the model setting and a query to what is shared; None if that model is not loaded.
Share = Callable[[str, str | None], Shared | None]


class ProcessService:
    """Answers other processes of the same user until it is closed."""

    def __init__(self, path: Path, share: Share, check: Callable[[], None]) -> None:
        """Listen on the socket; OSError if it cannot be created."""
        self._path = path
        self._share = share
        self._check = check
        self._listener = _bound(path)
        self._identity = file_identity(path)
        self._wake_sender, self._wake_receiver = socket.socketpair()
        threading.Thread(target=self._run, name="sightline-share", daemon=True).start()

    def close(self) -> None:
        """Stop answering."""
        # If another process took over the index, it has its own socket at this path by now.
        if file_identity(self._path) == self._identity:
            self._path.unlink(missing_ok=True)
        self._wake_sender.close()

    def _run(self) -> None:
        with self._listener, self._wake_receiver, selectors.DefaultSelector() as selector:
            for each in (self._listener, self._wake_receiver):
                selector.register(each, selectors.EVENT_READ)
            while self._wake_receiver not in [key.fileobj for key, _ in selector.select()]:
                try:
                    connection, _ = self._listener.accept()
                except OSError as error:
                    log.warning("stopped answering other processes: %s", error)
                    return
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        # A request from a process that is ending, or from another program, gets no answer.
        with connection, suppress(OSError, *_MALFORMED, ModelUnavailable):
            connection.settimeout(_SECONDS)
            asked = json.loads(_line(connection))
            if asked.get("check"):
                self._check()
                return
            query = asked["query"]
            found = self._share(str(asked["model"]), None if query is None else str(query))
            connection.sendall(_encoded(found))


class SharedEmbedder:
    """A model that another process has loaded; loaded here as soon as that process does not answer."""

    def __init__(self, path: Path, model: str, shared: Shared, load: Callable[[], Embedder]) -> None:
        self.id = shared.id
        self.dim = shared.dim
        self._path = path
        self._model = model
        self._load = load
        self._local_model: Embedder | None = None
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return one unit vector per text as rows; only the writer needs them."""
        return self._loaded().embed(texts)

    def embed_query(self, text: str) -> Floats:
        """Return the unit vector of a query."""
        if self._local_model is None:
            shared = ask(self._path, self._model, text)
            if shared is not None and shared.id == self.id and shared.vector is not None:
                return shared.vector
        return self._loaded().embed_query(text)

    def _loaded(self) -> Embedder:
        with self._lock:
            if self._local_model is None:
                own = self._load()
                if own.id != self.id:
                    raise ModelUnavailable(f"The model was {self.id} and is {own.id} now; reload the window.")
                self._local_model = own
            return self._local_model


def shared_embedder(path: Path, model: str, load: Callable[[], Embedder]) -> Embedder:
    """The model that the writer of an index has loaded, else one loaded here."""
    shared = ask(path, model, None)
    return SharedEmbedder(path, model, shared, load) if shared else load()


def ask(path: Path, model: str, query: str | None) -> Shared | None:
    """Request the shared model from the process behind a socket; None if it does not answer."""
    try:
        with _connected(path) as connection:
            connection.sendall(json.dumps({"model": model, "query": query}).encode() + b"\n")
            found = json.loads(_line(connection))
            vector = None if found["vector"] is None else np.array(found["vector"], np.float32)
            if vector is not None and vector.shape != (found["dim"],):
                return None
            return Shared(str(found["id"]), int(found["dim"]), vector)
    except (OSError, *_MALFORMED):
        return None


def request_check(path: Path) -> None:
    """Ask the process behind a socket to check the index; without one nothing happens."""
    with suppress(OSError), _connected(path) as connection:
        connection.sendall(json.dumps({"check": True}).encode() + b"\n")


def _encoded(shared: Shared | None) -> bytes:
    if shared is None:
        return b"null\n"
    vector = None if shared.vector is None else shared.vector.tolist()
    return json.dumps({"id": shared.id, "dim": shared.dim, "vector": vector}).encode() + b"\n"


def _bound(path: Path) -> socket.socket:
    listener = _unix_socket(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        # The socket was left by a process that was killed: an index has only one writer at a time.
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        os.chmod(path, 0o600)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def _connected(path: Path) -> socket.socket:
    connection = _unix_socket(path)
    try:
        if not owned_by_user(path.parent):
            raise OSError("the folder of the socket is another user's")
        connection.settimeout(_SECONDS)
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection


def _unix_socket(path: Path) -> socket.socket:
    """A Unix domain socket; OSError if there can be none: on Windows, and below a very long path."""
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise OSError("no socket can have this address here")
    return file_socket()


def _line(connection: socket.socket) -> bytes:
    with connection.makefile("rb") as file:
        return file.readline(_MOST_BYTES)
