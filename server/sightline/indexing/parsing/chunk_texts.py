"""The text of a chunk that is embedded, and the terms under which keyword search finds it."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from sightline import passage
from sightline.parsed_file import Chunk, ParsedFile

# One BM25 index is enough if fields that say more than the body are repeated; other fields count once.
_SYMBOL_WEIGHT = 3
_STEM_WEIGHT = 2
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


def searched_words(path: str, chunk: Chunk) -> str:
    """The text whose words keyword search finds a chunk under; important fields are repeated."""
    names = f"{chunk.symbol} " * (_SYMBOL_WEIGHT if chunk.defines else 1)
    return f"{chunk.text} {_path_words(path)} {names}{chunk.container} {chunk.doc}"


# The chunks of a file are processed one after another.
@lru_cache(maxsize=8)
def _stem(path: str) -> str:
    """The name without its ending, as pathlib defines it."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return name[:dot] if 0 < dot < len(name) - 1 else name


@lru_cache(maxsize=8)
def _path_words(path: str) -> str:
    return f"{_stem(path)} " * _STEM_WEIGHT + path.rpartition("/")[0].replace("/", " ")
