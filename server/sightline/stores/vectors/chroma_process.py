"""The process that runs Chroma: the only code that imports chromadb.

A damaged Chroma folder does not always raise: corrupt files abort the process or end it with a segmentation
fault inside the native code. So Chroma runs in a child of the server, which talks to it over stdin and
stdout, and a crash costs a rebuild of derived data instead of the editor's language server.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import numpy as np

from sightline.arrays import Floats
from sightline.file_identity import file_identity
from sightline.processes.worker_pipe import Request, pipes, received, run, send
from sightline.stores.catalog.folder_lock import FolderLock

# Chroma's default graph, with four times its search width: on 40,000 distinct chunks recall@100 is 0.997 for
# 14 s of processor time to build; 32 neighbours and 200 candidates give 0.999 for 30 s.
_HNSW = {"space": "cosine", "max_neighbors": 16, "ef_construction": 100, "ef_search": 400}
# Changes until HNSW's files are updated; fewer are replayed from Chroma's log when it is opened.
_SYNC_EVERY = 5000
# In each of Chroma's index folders, this file has this many bytes for every vector ever added.
_LENGTHS, _LENGTH_BYTES = "length.bin", 4
_DATABASE = "chroma.sqlite3"
_PROBE_SIZE = 10
_IDS_PAGE = 50_000
_KEYS = 1 << 64
_NICENESS = 10


class Damaged(Exception):
    """The data on disk is not the index that was written."""


class Collection:
    """An open collection on a server that the user runs; reads and writes may come from two threads."""

    def __init__(self, client: Any, name: str, dim: int) -> None:
        """Create the collection if there is none of this size, and check that it is intact."""
        self._client = client
        self._collection = self._make(name, dim)
        if (self._collection.metadata or {}).get("dim") != dim:
            client.delete_collection(name)
            self._collection = self._make(name, dim)
        self._probe(dim)

    def count(self) -> int:
        """How many vectors there are."""
        return int(self._collection.count())

    def keys(self) -> set[int]:
        """The keys of all vectors."""
        found: set[int] = set()
        for offset in range(0, self.count(), _IDS_PAGE):
            page = self._collection.get(include=[], limit=_IDS_PAGE, offset=offset)
            found.update(map(_key, page["ids"]))
        return found

    def upsert(self, keys: Sequence[int], vectors: Floats) -> None:
        """Insert or replace vectors by key."""
        for part in self._slices(len(keys)):
            self._collection.upsert(ids=list(map(_id, keys[part])), embeddings=vectors[part])

    def delete(self, keys: Sequence[int]) -> None:
        """Delete vectors; unknown keys are ignored."""
        for part in self._slices(len(keys)):
            self._collection.delete(ids=list(map(_id, keys[part])))

    def query(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """The approximately nearest keys and their cosines, best first."""
        found = self._collection.query(query_embeddings=[vector], n_results=k, include=["distances"])
        pairs = zip(found["ids"][0], found["distances"][0], strict=True)
        return [(_key(id), 1.0 - float(distance)) for id, distance in pairs]

    def close(self) -> None:
        """Let Chroma finish."""
        self._client.close()

    def _make(self, name: str, dim: int) -> Any:
        hnsw = {**_HNSW, "sync_threshold": _SYNC_EVERY}
        return self._client.get_or_create_collection(
            name, embedding_function=None, configuration={"hnsw": hnsw}, metadata={"dim": dim}
        )

    def _probe(self, dim: int) -> None:
        expected = min(self.count(), _PROBE_SIZE)
        probe = np.full(dim, dim**-0.5, dtype=np.float32)
        if expected and len(self.query(probe, expected)) < expected:
            raise Damaged("the vector index holds fewer vectors than its table says")

    def _slices(self, count: int) -> Iterator[slice]:
        step = self._client.get_max_batch_size()
        return (slice(start, start + step) for start in range(0, count, step))


class LocalCollection(Collection):
    """A collection in a folder that only this process uses, because it holds the lock."""

    def __init__(self, client: Any, name: str, dim: int, folder: Path, lock: FolderLock) -> None:
        self._folder = folder
        self._lock = lock
        self._identity = file_identity(folder / _DATABASE)
        super().__init__(client, name, dim)

    def dead(self) -> int:
        """How many deleted vectors still take disk space: Chroma never frees it."""
        files = self._folder.glob(f"*/{_LENGTHS}")
        return max(0, sum(file.stat().st_size for file in files) // _LENGTH_BYTES - self.count())

    def upsert(self, keys: Sequence[int], vectors: Floats) -> None:
        """Insert or replace vectors by key."""
        self._check_folder()
        super().upsert(keys, vectors)

    def delete(self, keys: Sequence[int]) -> None:
        """Delete vectors; unknown keys are ignored."""
        self._check_folder()
        super().delete(keys)

    def close(self) -> None:
        """Let Chroma finish, then release the lock for the next process."""
        super().close()
        self._lock.release()

    def _check_folder(self) -> None:
        # SQLite keeps writing to a file that was deleted or replaced, and nothing would ever read it.
        if file_identity(self._folder / _DATABASE) != self._identity:
            raise Damaged("the vector store's folder was removed or replaced while it was open")


def open_folder(folder: str, name: str, dim: int) -> LocalCollection:
    """Open or create the local store, exclusively, and check that it is intact."""
    import chromadb

    lock = FolderLock(Path(f"{folder}.lock"))
    if not lock.try_acquire():
        raise BlockingIOError(f"process {lock.holder()} is still writing the vector store")
    client = chromadb.PersistentClient(folder, _chroma_settings())
    return LocalCollection(client, name, dim, Path(folder), lock)


def open_url(url: str, name: str, dim: int) -> Collection:
    """Open or create the collection on a server that the user runs."""
    import chromadb

    parts = urlsplit(url)
    secure = parts.scheme == "https"
    client = chromadb.HttpClient(
        host=parts.hostname or "",
        port=parts.port or (443 if secure else 8000),
        ssl=secure,
        settings=_chroma_settings(),
    )
    return Collection(client, name, dim)


def _chroma_settings() -> Any:
    from chromadb.config import Settings

    # Without `_env_file` Chroma reads settings, even class names, from a `.env` in the working directory.
    return Settings(anonymized_telemetry=False, _env_file=None)


def _id(key: int) -> str:
    return f"{key % _KEYS:016x}"


def _key(id: str) -> int:
    unsigned = int(id, 16)
    return unsigned - _KEYS if unsigned >= _KEYS // 2 else unsigned


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Serve a collection, which the first request opens, until the parent closes the pipe or dies."""
    incoming = received(requests)
    opening = next(incoming, None)
    collection = _open(opening, replies) if opening else None
    if collection is not None:
        _serve_collection(collection, incoming, replies)
        collection.close()


def _open(request: Request, replies: IO[bytes]) -> Collection | None:
    """Open the collection and report that, or why it failed; then there is nothing to serve."""
    number, name, arguments = request
    reply = run({"open_folder": open_folder, "open_url": open_url}[name], number, arguments)
    _, opened, result = reply
    send(replies, (number, True, None) if opened else reply)
    return result if opened else None


def _serve_collection(collection: Collection, incoming: Iterator[Request], replies: IO[bytes]) -> None:
    """Answer requests on two threads, so that queries do not wait for a long write."""
    replying = threading.Lock()

    def answer(number: int, name: str, arguments: tuple[Any, ...]) -> None:
        reply = run(getattr(collection, name), number, arguments)
        with replying:
            send(replies, reply)

    with ThreadPoolExecutor(1) as writers, ThreadPoolExecutor(1) as readers:
        for request in incoming:
            pool = readers if request[1] == "query" else writers
            pool.submit(answer, *request)


def main() -> None:
    """Serve the parent process."""
    # Chroma would create files that everyone can read.
    os.umask(0o077)
    with suppress(BrokenPipeError):
        serve(*pipes(_NICENESS))
