"""Edits of a catalog, applied to its memory index."""

from __future__ import annotations

from sightline.indexing.content import Content
from sightline.indexing.file_record import draft_file
from sightline.languages.table import detect
from sightline.stores.memory.memory_index import MemoryIndex


def edit(memory: MemoryIndex, path: str, text: str | None) -> None:
    """Store a file with a text, or remove it if there is none."""
    catalog = memory.catalog
    with catalog.writing():
        if text is None:
            change = catalog.remove(path)
        else:
            content = Content(text, b"", len(text), 0, "utf-8")
            (change,) = catalog.store([draft_file(path, content, detect(path, b"")).draft])
    memory.apply([change] if change else [], catalog.generation)
