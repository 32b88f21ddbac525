"""The catalog: one SQLite file that is the source of truth for a folder's index."""

from __future__ import annotations

import math
import threading
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sightline.parsed_file import Symbol
from sightline.stores.catalog.database import Database
from sightline.stores.catalog.records import (
    AddedChunk,
    ChunkDetails,
    ChunkDraft,
    ChunkRow,
    FileChange,
    FileDraft,
    FileState,
    MovedChunk,
    RemovedChunk,
    SkippedFile,
)
from sightline.stores.catalog.vocabulary import Vocabulary, pack, unpack

_FILE_COLUMNS = "id, path, digest, size, mtime_ns, language, parse, note, embed_key"
_ROW_COLUMNS = ", ".join(ChunkRow._fields)
_SYMBOL_COLUMNS = "name, kind, container, signature, start_line, end_line, name_line, name_column, chunk"
# The value of this key changes when term ids were freed.
_EPOCH = "vocabulary"
# Below SQLite's oldest limit on bound values in one statement.
_MAX_VALUES = 900
# Vectors per block: reading all at once would take several times their size in memory. The allocator can
# reuse a block of two megabytes; with larger blocks most of the time is spent on fresh pages.
_VECTOR_BLOCK = 1 << 11


class _StoredFile(NamedTuple):
    """A file whose new chunks, each with its ordinal, and symbols and facts are not stored yet."""

    draft: FileDraft
    file: FileState
    moved: tuple[MovedChunk, ...]
    removed: tuple[RemovedChunk, ...]
    fresh: list[tuple[int, ChunkDraft]]


class Catalog(Database):
    """Files, chunks, symbols, terms and vectors of one folder; one writer, any number of readers."""

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        super().__init__(path, readonly=readonly)
        self._terms_lock = threading.Lock()
        self._terms: Vocabulary | None = None

    def files(self) -> dict[str, FileState]:
        """Every indexed file by its path."""
        rows = self._all(f"SELECT {_FILE_COLUMNS} FROM files")
        return {row[1]: FileState(*row) for row in rows}

    def file(self, path: str) -> FileState | None:
        """One file, if it is indexed."""
        rows = self._all(f"SELECT {_FILE_COLUMNS} FROM files WHERE path = ?", (path,))
        return FileState(*rows[0]) if rows else None

    def files_since(self, generation: int) -> list[FileState]:
        """The files that were stored after a generation."""
        statement = f"SELECT {_FILE_COLUMNS} FROM files WHERE generation > ?"
        return [FileState(*row) for row in self._all(statement, (generation,))]

    def file_ids(self) -> set[int]:
        """The ids of all files."""
        return {row[0] for row in self._all("SELECT id FROM files")}

    def paths_below(self, folder: str) -> list[str]:
        """The indexed files below a folder path."""
        start, end = f"{folder}/", f"{folder}0"
        return [
            row[0] for row in self._all("SELECT path FROM files WHERE path > ? AND path < ?", (start, end))
        ]

    def touch(self, path: str, size: int, mtime_ns: int) -> None:
        """Record a new time stamp for unchanged content; the index itself does not change."""
        self._write("UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?", (size, mtime_ns, path))

    def store(self, drafts: Sequence[FileDraft]) -> list[FileChange]:
        """Insert or replace files; unchanged chunks keep their ids. Call inside `writing`."""
        generation = self.generation + 1
        stored = [self._store_file(draft, generation) for draft in drafts]
        # Tables with many rows a file are written once for all files: a statement costs as much as some rows.
        added = iter(self._insert([(each.file.id, *place) for each in stored for place in each.fresh]))
        self._store_symbols([(each.file.id, each.draft.symbols) for each in stored])
        facts = [(each.file.id, each.draft.facts) for each in stored]
        self._write_many("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts)
        return [
            FileChange(
                each.file, tuple(islice(added, len(each.fresh))), each.moved, each.removed, each.draft.symbols
            )
            for each in stored
        ]

    def remove(self, path: str) -> FileChange | None:
        """Remove a file. Call inside `writing`."""
        file = self.file(path)
        if file is None:
            return None
        ids = [row[0] for row in self._all("SELECT id FROM chunks WHERE file_id = ?", (file.id,))]
        removed = self._delete_chunks(ids)
        for table in ("symbols", "facts"):
            self._write(f"DELETE FROM {table} WHERE file_id = ?", (file.id,))
        self._write("DELETE FROM files WHERE id = ?", (file.id,))
        return FileChange(file, (), (), removed, (), gone=True)

    def rows(self, file_id: int) -> list[tuple[Any, ...]]:
        """The `ChunkRow` fields of one file's chunks, ordered by id."""
        return self._all(f"SELECT {_ROW_COLUMNS} FROM chunks WHERE file_id = ? ORDER BY id", (file_id,))

    def details(self, ids: Sequence[int]) -> dict[int, ChunkDetails]:
        """The details of some chunks that a result shows, by id."""
        rows = self._among(
            "SELECT chunks.id, signature, calls, imports, digest FROM chunks"
            " JOIN files ON files.id = file_id WHERE chunks.id IN",
            ids,
        )
        return {
            id: ChunkDetails(signature, _names(calls), _names(imports), digest)
            for id, signature, calls, imports, digest in rows
        }

    def terms(self, ids: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        """The packed terms of some chunks, or of all, with the chunk's id."""
        if ids is None:
            return self._all("SELECT id, terms FROM chunks ORDER BY id")
        return list(self._among("SELECT id, terms FROM chunks WHERE id IN", ids))

    def symbols_of(self, file_id: int) -> list[Symbol]:
        """The symbols of one file, in order."""
        rows = self._all(
            f"SELECT {_SYMBOL_COLUMNS} FROM symbols WHERE file_id = ? ORDER BY ordinal", (file_id,)
        )
        return [Symbol(*row) for row in rows]

    def signatures(self, symbols: Sequence[tuple[int, int]]) -> dict[tuple[int, int], tuple[str, str]]:
        """The names and signatures of some symbols, by the id of the file and the position in it."""
        found: dict[tuple[int, int], tuple[str, str]] = {}
        for start in range(0, len(symbols), _MAX_VALUES // 2):
            part = symbols[start : start + _MAX_VALUES // 2]
            # The other order of the tables, or a pair of columns IN a list, would read every symbol.
            rows = self._all(
                "SELECT file_id, ordinal, name, signature"
                f" FROM (VALUES {', '.join(['(?, ?)'] * len(part))}) CROSS JOIN symbols"
                " ON file_id = column1 AND ordinal = column2",
                tuple(chain.from_iterable(part)),
            )
            found.update(((file, ordinal), (name, signature)) for file, ordinal, name, signature in rows)
        return found

    def facts_of(self, file_ids: Sequence[int]) -> dict[int, str]:
        """The packed facts of some files, by id."""
        return dict(self._among("SELECT file_id, facts FROM facts WHERE file_id IN", file_ids))

    def vocabulary(self) -> Vocabulary:
        """Every known term with its id."""
        with self._terms_lock:
            if self._terms is None:
                found = dict(self.columns("terms", ("id", "term")))
                terms = zip(found["term"], found["id"], strict=True)
                self._terms = Vocabulary(terms, self.meta(_EPOCH) or "")
            return self._terms

    def set_vocabulary(self, terms: Vocabulary) -> None:
        """Use a vocabulary that was read elsewhere."""
        with self._terms_lock:
            self._terms = terms

    def terms_since(self, known: Vocabulary) -> Vocabulary | None:
        """Add terms stored since `known` was read and return None; all terms if ids may have been reused."""
        if (self.meta(_EPOCH) or "") == known.epoch:
            fresh = self._all("SELECT term, id FROM terms WHERE id > ?", (known.highest,))
            if len(fresh) + len(known) == self.count("terms"):
                known.learn(fresh)
                return None
        return self.vocabulary()

    def highest_term(self) -> int:
        """The highest id of a term."""
        return int(self._all("SELECT ifnull(max(id), 0) FROM terms")[0][0])

    def prune_terms(self) -> None:
        """Delete the terms that no chunk has; their ids can be reused."""
        with self.writing():
            blobs = (blob for _, blob in self.terms())
            # Six bytes a term, the ids first.
            used = set(np.frombuffer(b"".join(b[: 4 * (len(b) // 6)] for b in blobs), np.uint32).tolist())
            unused = [(id,) for (id,) in self._all("SELECT id FROM terms") if id not in used]
            self._write_many("DELETE FROM terms WHERE id = ?", unused)
            self.set_meta(_EPOCH, str(self.generation + 1))
        self.forget_vocabulary()

    def forget_vocabulary(self) -> None:
        """Drop the cached terms; the next use reads them again."""
        with self._terms_lock:
            self._terms = None

    def vectors(self, model: str) -> Iterator[tuple[list[int], bytes]]:
        """Every stored vector of a model, in blocks: the keys, and the concatenated float16 values."""
        statement = "SELECT key, vector FROM embeddings WHERE model = ? AND key > ? ORDER BY key LIMIT ?"
        last = -math.inf
        while rows := self._all(statement, (model, last, _VECTOR_BLOCK)):
            yield [row[0] for row in rows], b"".join(row[1] for row in rows)
            last = rows[-1][0]

    def embed_keys(self) -> set[int]:
        """The keys of all chunks and files."""
        return {row[0] for row in self._all("SELECT embed_key FROM chunks UNION SELECT embed_key FROM files")}

    def count_vectors(self, model: str) -> int:
        """How many vectors of a model are stored."""
        return int(self._all("SELECT count(*) FROM embeddings WHERE model = ?", (model,))[0][0])

    def newest_chunk(self) -> int:
        """The highest chunk id."""
        return int(self._all("SELECT ifnull(max(id), 0) FROM chunks")[0][0])

    def vectors_of(self, model: str, keys: Sequence[int]) -> dict[int, bytes]:
        """The stored vectors of some keys, as float16 bytes."""
        statement = "SELECT key, vector FROM embeddings WHERE model = ? AND key IN"
        return dict(self._among(statement, keys, model))

    def add_vectors(self, model: str, keys: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Store vectors; a key that exists already stands for the same text and is left alone."""
        rows = [(model, key, vector) for key, vector in zip(keys, vectors, strict=True)]
        self._write_many("INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?)", rows)

    def drop_vectors(self, model: str, keys: Sequence[int]) -> None:
        """Delete vectors that turned out to be unusable."""
        rows = [(model, key) for key in keys]
        self._write_many("DELETE FROM embeddings WHERE model = ? AND key = ?", rows)

    def drop_all_vectors(self, model: str) -> None:
        """Delete every vector of a model."""
        self._write("DELETE FROM embeddings WHERE model = ?", (model,))

    def prune_vectors(self, model: str) -> None:
        """Delete vectors of other models and of text that is no longer indexed."""
        self._write(
            "DELETE FROM embeddings WHERE model != ? OR key NOT IN"
            " (SELECT embed_key FROM chunks UNION ALL SELECT embed_key FROM files)",
            (model,),
        )

    def skipped(self) -> dict[str, SkippedFile]:
        """The files that were found but not indexed, by path."""
        return {row[0]: SkippedFile(*row) for row in self._all("SELECT * FROM skipped")}

    def skipped_by_reason(self) -> dict[str, int]:
        """The number of files that were not indexed for each reason."""
        return dict(self._all("SELECT reason, count(*) FROM skipped GROUP BY reason"))

    def add_skipped(self, files: Iterable[SkippedFile]) -> None:
        """Record files that are not indexed."""
        rows = [(file.path, file.reason, file.size, file.mtime_ns) for file in files]
        self._write_many("INSERT OR REPLACE INTO skipped VALUES (?, ?, ?, ?)", rows)

    def drop_skipped(self, paths: Iterable[str]) -> None:
        """Delete the records of skipped files that are gone, or indexed now."""
        self._write_many("DELETE FROM skipped WHERE path = ?", [(path,) for path in paths])

    def _among(self, statement: str, values: Sequence[int], *first: object) -> Iterator[Any]:
        """The rows of a statement that ends in IN, for any number of values."""
        for start in range(0, len(values), _MAX_VALUES):
            part = values[start : start + _MAX_VALUES]
            yield from self._all(f"{statement} ({','.join('?' * len(part))})", (*first, *part))

    def _store_file(self, draft: FileDraft, generation: int) -> _StoredFile:
        """Store a file without what is new in it: its row, moved chunks, and no chunk that is gone."""
        old = self.file(draft.path)
        file = self._store_row(draft, old, generation)
        waiting = self._chunks_by_identity(file.id) if old else {}
        moved: list[MovedChunk] = []
        fresh: list[tuple[int, ChunkDraft]] = []
        for ordinal, chunk in enumerate(draft.chunks):
            same = waiting.get(chunk.identity)
            if same:
                moved.append(self._move(same.popleft(), ordinal, chunk))
            else:
                fresh.append((ordinal, chunk))
        removed = self._delete_chunks([id for ids in waiting.values() for id in ids])
        if old:
            self._write("DELETE FROM symbols WHERE file_id = ?", (file.id,))
        return _StoredFile(draft, file, tuple(moved), removed, fresh)

    def _store_row(self, draft: FileDraft, old: FileState | None, generation: int) -> FileState:
        values = (
            draft.digest,
            draft.size,
            draft.mtime_ns,
            draft.language,
            draft.parse,
            draft.note,
            draft.embed_key,
        )
        if old:
            self._write(
                "UPDATE files SET digest = ?, size = ?, mtime_ns = ?, language = ?, parse = ?, note = ?,"
                " embed_key = ?, generation = ? WHERE id = ?",
                (*values, generation, old.id),
            )
            return FileState(old.id, draft.path, *values)
        cursor = self._write(
            "INSERT INTO files (path, digest, size, mtime_ns, language, parse, note, embed_key, generation)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (draft.path, *values, generation),
        )
        return FileState(cursor.lastrowid or 0, draft.path, *values)

    def _chunks_by_identity(self, file_id: int) -> dict[bytes, deque[int]]:
        waiting: dict[bytes, deque[int]] = defaultdict(deque)
        for id, identity in self._all(
            "SELECT id, identity FROM chunks WHERE file_id = ? ORDER BY ordinal", (file_id,)
        ):
            waiting[identity].append(id)
        return waiting

    def _move(self, id: int, ordinal: int, draft: ChunkDraft) -> MovedChunk:
        chunk = draft.chunk
        self._write(
            "UPDATE chunks SET ordinal = ?, start_line = ?, end_line = ? WHERE id = ?",
            (ordinal, chunk.start_line, chunk.end_line, id),
        )
        return MovedChunk(id, ordinal, chunk.start_line, chunk.end_line)

    def _insert(self, fresh: Sequence[tuple[int, int, ChunkDraft]]) -> list[AddedChunk]:
        """Add chunks, each with the id of its file and its ordinal."""
        if not fresh:
            return []
        known = self.vocabulary()
        terms = known.counted([draft.words for _, _, draft in fresh])
        added = [
            AddedChunk(_row(id, *place), *numbers)
            for id, place, numbers in zip(count(self._next_chunk()), fresh, terms, strict=False)
        ]
        self._write_many("INSERT INTO terms VALUES (?, ?)", known.take_fresh())
        self._write_many(
            f"INSERT INTO chunks VALUES (?{', ?' * 16})",
            [_values(chunk, draft) for chunk, (_, _, draft) in zip(added, fresh, strict=True)],
        )
        return added

    def _next_chunk(self) -> int:
        # Not the highest plus one: an id must never be reused, or old snapshots would refer to other chunks.
        rows = self._all("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'")
        return int(rows[0][0]) + 1 if rows else 1

    def _roll_back(self) -> None:
        # Term ids assigned inside the transaction are invalid, so the vocabulary is read again.
        self.forget_vocabulary()
        super()._roll_back()

    def _delete_chunks(self, ids: Sequence[int]) -> tuple[RemovedChunk, ...]:
        removed = []
        for id in ids:
            ((key, terms),) = self._all("SELECT embed_key, terms FROM chunks WHERE id = ?", (id,))
            removed.append(RemovedChunk(id, key, unpack(terms)))
        self._write_many("DELETE FROM chunks WHERE id = ?", [(id,) for id in ids])
        return tuple(removed)

    def _store_symbols(self, files: Sequence[tuple[int, Sequence[Symbol]]]) -> None:
        self._write_many(
            f"INSERT INTO symbols VALUES (?{', ?' * 10})",
            [
                (file_id, ordinal, *symbol)
                for file_id, symbols in files
                for ordinal, symbol in enumerate(symbols)
            ],
        )


def _row(id: int, file_id: int, ordinal: int, draft: ChunkDraft) -> ChunkRow:
    chunk = draft.chunk
    return ChunkRow(
        id,
        file_id,
        ordinal,
        chunk.start_line,
        chunk.end_line,
        chunk.kind,
        chunk.symbol,
        chunk.container,
        chunk.defines,
        draft.content,
        draft.embed_key,
        chunk.branches,
    )


def _values(added: AddedChunk, draft: ChunkDraft) -> tuple[object, ...]:
    """A row of the `chunks` table."""
    chunk, row = draft.chunk, added.row
    return (
        row.id,
        row.file_id,
        row.ordinal,
        chunk.start_line,
        chunk.end_line,
        chunk.kind,
        chunk.symbol,
        chunk.container,
        chunk.signature,
        chunk.defines,
        "\n".join(chunk.calls),
        "\n".join(chunk.imports),
        draft.identity,
        draft.content,
        draft.embed_key,
        chunk.branches,
        pack(added.term_ids, added.term_counts),
    )


def _names(joined: str) -> tuple[str, ...]:
    return tuple(joined.split("\n")) if joined else ()
