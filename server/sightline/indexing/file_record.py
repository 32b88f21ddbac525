"""Turns a file's text into what the catalog stores; pure, so that it can run in any process."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from xxhash import xxh3_64_intdigest, xxh3_128_digest

from sightline.languages.table import LANGUAGES, Language, detect
from sightline.parsed_file import Chunk
from sightline.stores.catalog.records import ChunkDraft, FileDraft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sightline.indexing.content import Content

# Increase when parsing, chunking, the data stored for a chunk or the rules for skipping change: then every
# file is read again, once.
PARSER_VERSION = "8"
_HALF = 1 << 63
# Enough to get past a licence header to the code that distinguishes C++ from C.
_SNIFFED = 16384


class PreparedFile(NamedTuple):
    """A file ready to be stored, and the texts behind its embedding keys."""

    draft: FileDraft
    texts: Mapping[int, str]


def draft_file(path: str, content: Content, language: Language, *, parse: bool = True) -> PreparedFile:
    """Parse a file and prepare everything that is stored; without `parse` it is cut by lines."""
    # Import here: if no file changed, the parser is not loaded.
    from sightline.indexing.parsing.chunk_texts import file_text
    from sightline.indexing.parsing.parse_file import cut_by_lines, parse_file

    parsed = (parse_file if parse else cut_by_lines)(content.text, language)
    texts: dict[int, str] = {}
    chunks = tuple(_draft_chunk(path, chunk, texts) for chunk in parsed.chunks)
    about = file_text(path, parsed)
    key = text_key(about)
    texts[key] = about
    draft = FileDraft(
        path=path,
        digest=content.digest,
        size=content.size,
        mtime_ns=content.mtime_ns,
        language=parsed.language,
        parse=parsed.status,
        note=content.note,
        embed_key=key,
        chunks=chunks,
        symbols=parsed.symbols,
        facts=parsed.facts,
    )
    return PreparedFile(draft, texts)


def language_of(path: str, text: str, chosen: Mapping[str, str]) -> Language:
    """The language of a file: the user's choice for its extension, else by its name and first line."""
    language = LANGUAGES.get(chosen.get(PurePosixPath(path).suffix, "")) if chosen else None
    return language or detect(path, text[:_SNIFFED].encode("utf-8", "replace"))


def text_key(text: str) -> int:
    """The key of an embedded text: 64 bits, signed as SQLite and numpy require."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - _HALF


def _draft_chunk(path: str, chunk: Chunk, texts: dict[int, str]) -> ChunkDraft:
    from sightline.indexing.parsing.chunk_texts import embed_text, searched_words

    text = embed_text(path, chunk)
    key = text_key(text)
    texts[key] = text
    return ChunkDraft(chunk, _identity(chunk), text_key(chunk.text), key, searched_words(path, chunk))


def _identity(chunk: Chunk) -> bytes:
    """A digest that is equal for chunks that differ only in their position in the file."""
    fields = (
        PARSER_VERSION,
        chunk.kind,
        chunk.symbol,
        chunk.container,
        chunk.signature,
        chunk.doc,
        str(chunk.defines),
        "\n".join(chunk.calls),
        "\n".join(chunk.imports),
        str(chunk.branches),
        chunk.text,
    )
    return xxh3_128_digest("\0".join(fields).encode("utf-8", "surrogatepass"))
