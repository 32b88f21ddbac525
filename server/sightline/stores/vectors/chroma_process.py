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
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import numpy as np

from sightline.arrays import Floats
from sightline.file_identity import Identity, file_identity
from sightline.processes.worker_pipe import pipes, received, run, send
from sightline.stores.catalog.folder_lock import FolderLock

# Chroma's default graph, with four times its search width: on 40,000 distinct chunks recall@100 is 0.997 for
# 14 s of processor time to build; 32 neighbours and 200 candidates give 0.999 for 30 s.
_HNSW = {"space": "cosine", "max_neighbors": 16, "ef_construction": 100, "ef_search": 400}
# Changes until HNSW's files are updated; fewer are replayed from Chroma's log when it is opened.
_SYNC_EVERY = 5000
# In each of Chroma's index folders, this file has this many bytes for every vector ever added.
_LENGTHS, _LENGTH_BYTES = "length.bin", 4
_PROBE_SIZE = 10
_IDS_PAGE = 50_000
_KEYS = 1 << 64
_NICENESS = 10


class Damaged(Exception):
    """The data on disk is not the index that was written."""


class ChromaWorker:
    """One open collection; reads and writes may come from two threads."""

    def __init__(self) -> None:
        self._client: Any = None
        self._collection: Any = None
        self._file: Path | None = None
        self._identity: Identity | None = None
        self._lock: FolderLock | None = None

    def open_folder(self, folder: str, name: str, dim: int) -> None:
        """Open or create the local store, exclusively, and check that it is intact."""
        import chromadb
        from chromadb.config import Settings

        self._lock = FolderLock(Path(f"{folder}.lock"))
        if not self._lock.try_acquire():
            raise BlockingIOError(f"process {self._lock.holder()} is still writing the vector store")
        # Without `_env_file` Chroma reads settings, even class names, from a `.env` in the working directory.
        settings = Settings(anonymized_telemetry=False, _env_file=None)
        self._client = chromadb.PersistentClient(folder, settings)
        self._file = Path(folder) / "chroma.sqlite3"
        self._identity = file_identity(self._file)
        self._attach(name, dim)

    def open_url(self, url: str, name: str, dim: int) -> None:
        """Open or create the collection on a server that the user runs."""
        import chromadb
        from chromadb.config import Settings

        parts = urlsplit(url)
        secure = parts.scheme == "https"
        self._client = chromadb.HttpClient(
            host=parts.hostname or "",
            port=parts.port or (443 if secure else 8000),
            ssl=secure,
            settings=Settings(anonymized_telemetry=False, _env_file=None),
        )
        self._attach(name, dim)

    def count(self) -> int:
        """How many vectors there are."""
        return int(self._collection.count())

    def dead(self) -> int:
        """How many deleted vectors still take disk space: Chroma never frees it."""
        if self._file is None:
            return 0
        files = self._file.parent.glob(f"*/{_LENGTHS}")
        return max(0, sum(file.stat().st_size for file in files) // _LENGTH_BYTES - self.count())

    def keys(self) -> set[int]:
        """The keys of all vectors."""
        found: set[int] = set()
        for offset in range(0, self.count(), _IDS_PAGE):
            page = self._collection.get(include=[], limit=_IDS_PAGE, offset=offset)
            found.update(map(_key, page["ids"]))
        return found

    def upsert(self, keys: Sequence[int], vectors: Floats) -> None:
        """Insert or replace vectors by key."""
        self._check_folder()
        for part in self._slices(len(keys)):
            self._collection.upsert(ids=list(map(_id, keys[part])), embeddings=vectors[part])

    def delete(self, keys: Sequence[int]) -> None:
        """Delete vectors; unknown keys are ignored."""
        self._check_folder()
        for part in self._slices(len(keys)):
            self._collection.delete(ids=list(map(_id, keys[part])))

    def query(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """The approximately nearest keys and their cosines, best first."""
        found = self._collection.query(query_embeddings=[vector], n_results=k, include=["distances"])
        pairs = zip(found["ids"][0], found["distances"][0], strict=True)
        return [(_key(id), 1.0 - float(distance)) for id, distance in pairs]

    def close(self) -> None:
        """Let Chroma finish, then release the lock for the next process."""
        if self._client is not None:
            self._client.close()
        if self._lock is not None:
            self._lock.release()

    def _attach(self, name: str, dim: int) -> None:
        self._collection = self._make(name, dim)
        if (self._collection.metadata or {}).get("dim") != dim:
            self._client.delete_collection(name)
            self._collection = self._make(name, dim)
        self._probe(dim)

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

    def _check_folder(self) -> None:
        # SQLite keeps writing to a file that was deleted or replaced, and nothing would ever read it.
        if self._file is not None and file_identity(self._file) != self._identity:
            raise Damaged("the vector store's folder was removed or replaced while it was open")

    def _slices(self, count: int) -> Iterator[slice]:
        step = self._client.get_max_batch_size()
        return (slice(start, start + step) for start in range(0, count, step))


def _id(key: int) -> str:
    return f"{key % _KEYS:016x}"


def _key(id: str) -> int:
    unsigned = int(id, 16)
    return unsigned - _KEYS if unsigned >= _KEYS // 2 else unsigned


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Serve requests until the parent closes the pipe or dies; queries do not wait for a long write."""
    worker = ChromaWorker()
    writing = threading.Lock()

    def answer(number: int, name: str, arguments: tuple[Any, ...]) -> None:
        reply = run(getattr(worker, name), number, arguments)
        with writing:
            send(replies, reply)

    with ThreadPoolExecutor(1) as writers, ThreadPoolExecutor(1) as readers:
        for request in received(requests):
            pool = readers if request[1] == "query" else writers
            pool.submit(answer, *request)
    worker.close()


def main() -> None:
    """Serve the parent process."""
    # Chroma would create files that everyone can read.
    os.umask(0o077)
    serve(*pipes(_NICENESS))
