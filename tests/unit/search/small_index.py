"""A small project, indexed and embedded for real, and helpers to search it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sightline.embedding import embed_passages, load_embedder
from sightline.history.subjects import NOTHING
from sightline.indexing.content import Content, read
from sightline.indexing.file_record import draft_file
from sightline.languages.table import detect
from sightline.relations.world import World
from sightline.search.engine import EVERYWHERE, FolderAnswer, ReadHistory, Searcher
from sightline.search.query.prepared_query import prepare
from sightline.search.query.scopes import SearchScope
from sightline.search.related import Related
from sightline.search.stages.cross_encoder import Rerank
from sightline.search.trace import Trace
from sightline.settings.tree import SearchSettings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory
from sightline.stores.vectors.matrix import Matrix
from sightline.stores.vectors.vector_space import VectorSpace
from sightline.types import Hit, ReadSource, SearchRequest, Source, SymbolInfo
from tests.files import write_files

PROJECT = {
    "src/auth/token.py": '''
"""Tokens that prove who somebody is."""


class TokenStore:
    """Keeps the issued tokens."""

    def issue_token(self, user):
        """Make a fresh token for a user."""
        return sign_payload({"user": user})

    def revoke(self, token):
        """Forget a token, so that nobody can use it again."""
        self.tokens.discard(token)


def sign_payload(payload):
    """Sign a payload with the secret key."""
    return hmac_digest(SECRET_KEY, payload)
''',
    "src/auth/session.py": '''
"""Login sessions of people."""

from auth.token import TokenStore


class Session:
    """A logged-in person."""

    def login(self, name, password):
        """Check the password and start the session."""
        if not verify_password(name, password):
            raise PermissionError(name)
        return TokenStore().issue_token(name)


def verify_password(name, password):
    """Compare a password with its stored hash in constant time."""
    return constant_time_equal(hash_password(password), stored_hash(name))
''',
    "src/storage/cache.py": '''
"""A cache that forgets what was used least recently."""


class LruCache:
    """Evicts the least recently used entry when full."""

    def get(self, key):
        """Look an entry up and make it the most recent."""
        self.order.move_to_end(key)
        return self.entries[key]

    def evict(self):
        """Throw the oldest entry out."""
        self.entries.popitem(last=False)
''',
    "src/storage/disk.py": '''
"""Reading and writing files on disk."""


def write_atomically(path, data):
    """Write to a temporary file and rename it over the target."""
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(data)
    temporary.replace(path)


def read_all(path):
    """Read a whole file."""
    return path.read_bytes()
''',
    "src/network/http_client.py": '''
"""A client for HTTP."""


class HttpClient:
    """Sends requests and retries when the connection breaks."""

    def send_request(self, request):
        """Send a request with retries and exponential backoff."""
        for attempt in range(self.retries):
            try:
                return self.transport.send(request)
            except ConnectionError:
                self.wait(2**attempt)
''',
    "tests/test_token.py": """
from auth.token import TokenStore


def test_issue_token():
    assert TokenStore().issue_token("ann")


def test_revoke():
    store = TokenStore()
    store.revoke(store.issue_token("ann"))
""",
    "README.md": """
# The project

Tokens prove who somebody is.

## Installation

Run the installer, then see [the cache](src/storage/cache.py).
""",
}


def build_memory(folder: Path, project: Mapping[str, str], *, vectors: bool = True) -> MemoryIndex:
    """Write the files below `folder` and return their index."""
    return index_files(write_files(folder, project), list(project), vectors=vectors)


def index_files(folder: Path, paths: Sequence[str], *, vectors: bool = True) -> MemoryIndex:
    """The index of some files of a folder."""
    catalog = Catalog(folder.parent / f"{folder.name}.db")
    texts: dict[int, str] = {}
    with catalog.writing():
        for path in paths:
            texts |= store_file(catalog, folder, path)
    memory = load_memory(catalog, None)
    if vectors:
        embedder = load_embedder()
        memory.switch(VectorSpace(embedder.id, embedder.dim, Matrix(embedder.dim), Matrix(embedder.dim)))
        memory.attach(np.array(list(texts), np.int64), embed_passages(embedder, list(texts.values())))
    return memory


def store_file(catalog: Catalog, folder: Path, path: str) -> dict[int, str]:
    """Put a file into the catalog and return the texts to embed, by their keys."""
    content = read(folder, path, 1 << 20)
    assert isinstance(content, Content)
    prepared = draft_file(path, content, detect(path, content.text.encode()))
    catalog.store([prepared.draft])
    return dict(prepared.texts)


def reader(folder: Path) -> ReadSource:
    """A function that reads the files below a folder."""

    def read_source(path: str) -> Source | None:
        content = read(folder, path, 1 << 20)
        return Source(content.text, content.digest) if isinstance(content, Content) else None

    return read_source


@dataclass(frozen=True, slots=True)
class SmallSearcher:
    """A searcher over one folder that takes plain requests."""

    searcher: Searcher
    read_source: ReadSource

    @property
    def problems(self) -> list[str]:
        """The problems of the settings."""
        return self.searcher.problems

    def search(
        self,
        request: SearchRequest,
        cancelled: Callable[[], bool] | None = None,
        trace: Trace | None = None,
        scope: SearchScope = EVERYWHERE,
    ) -> FolderAnswer:
        """The answer to a request."""
        return self.searcher.search(prepare(request), self.read_source, cancelled, trace, scope)


@dataclass(frozen=True, slots=True)
class SmallRelated:
    """Related code of one folder, read from disk."""

    related: Related
    read_source: ReadSource

    def find(
        self, path: str, line: int, column: int, limit: int = 10, *, facts_only: bool = False
    ) -> list[Hit]:
        """The code related to a place."""
        return self.related.find(path, line, column, self.read_source, limit, facts_only=facts_only)

    def describe(self, path: str, line: int, column: int) -> SymbolInfo | None:
        """The symbol named at a place."""
        return self.related.describe(path, line, column, self.read_source)


def make_searcher(
    memory: MemoryIndex,
    folder: Path,
    rerank: Rerank | None = None,
    read_history: ReadHistory = lambda: NOTHING,
    **settings: object,
) -> SmallSearcher:
    """A searcher over the memory index with some settings changed."""
    # The tests name real fields; a wrong one is a TypeError here.
    chosen = SearchSettings(**settings)  # type: ignore[arg-type]
    return SmallSearcher(
        Searcher(memory, load_embedder, chosen, str(folder), rerank, read_history), reader(folder)
    )


def make_related(memory: MemoryIndex, folder: Path) -> SmallRelated:
    """A finder of related code in the memory index."""
    return SmallRelated(Related(World(memory), load_embedder, str(folder)), reader(folder))
