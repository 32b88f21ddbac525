"""The text of a chunk that is embedded, and the terms under which keyword search finds it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath

from sightline import passage
from sightline.types import Chunk, ParsedFile
from sightline.words import counted, tokens

# One BM25 index is enough if fields that say more than the body count as if they were repeated.
_SYMBOL_WEIGHT = 3
_STEM_WEIGHT = 2
_FOLDER_WEIGHT = 1
_CONTAINER_WEIGHT = 1
_DOC_WEIGHT = 1
# A longer chunk is data, and tokenising it costs more than it is worth.
_MAX_EMBED_CHARACTERS = 2000
_MAX_FILE_NAMES = 60
# A file's name says more than its folders and a signature: with the one in the path it occurs four times.
_STEM_REPEATS = 3


def embed_text(path: str, chunk: Chunk) -> str:
    """The passage whose vector represents a chunk: its location and name, then the code."""
    name = f"{_stem(path)} " * _STEM_REPEATS
    place = " > ".join(part for part in (path, chunk.container, chunk.signature or chunk.symbol) if part)
    return passage.join(name + place, chunk.text[:_MAX_EMBED_CHARACTERS])


def file_text(path: str, parsed: ParsedFile) -> str:
    """The text whose vector represents a whole file: its name and its top-level definitions."""
    names = (symbol.name for symbol in parsed.symbols if not symbol.container)
    return " ".join((_stem(path), *islice(names, _MAX_FILE_NAMES)))


def terms(path: str, chunk: Chunk) -> Mapping[str, int]:
    """The search terms of a chunk with their counts; important fields count several times."""
    counts = counted(chunk.text)
    for token, weight in _path_terms(path):
        counts[token] = counts.get(token, 0) + weight
    for token in _name_terms(chunk.symbol) if chunk.symbol else ():
        counts[token] = counts.get(token, 0) + (_SYMBOL_WEIGHT if chunk.defines else 1)
    for token in _name_terms(chunk.container) if chunk.container else ():
        counts[token] = counts.get(token, 0) + _CONTAINER_WEIGHT
    for token in tokens(chunk.doc) if chunk.doc else ():
        counts[token] = counts.get(token, 0) + _DOC_WEIGHT
    return counts


# The chunks of a file are processed one after another.
@lru_cache(maxsize=8)
def _stem(path: str) -> str:
    return PurePosixPath(path).stem


@lru_cache(maxsize=256)
def _name_terms(name: str) -> list[str]:
    return tokens(name)


@lru_cache(maxsize=8)
def _path_terms(path: str) -> tuple[tuple[str, int], ...]:
    where = PurePosixPath(path)
    stem = tuple((token, _STEM_WEIGHT) for token in tokens(where.stem))
    return stem + tuple((token, _FOLDER_WEIGHT) for token in tokens(" ".join(where.parent.parts)))
