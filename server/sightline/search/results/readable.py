"""A file's text as people read it, line by line as in the file: of a notebook, the cells without the JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sightline.languages.table import LANGUAGES
from sightline.types import Selection
from sightline.words import lines_of

if TYPE_CHECKING:
    from sightline.indexing.parsing.notebook import Notebook


@dataclass(frozen=True, slots=True)
class ReadableText:
    """The lines to search in and to show; columns of a notebook differ from those of its file."""

    text: str
    lines: list[str]
    notebook: Notebook | None = None

    @classmethod
    def of(cls, text: str, language: str) -> ReadableText:
        """The readable text of a file of a language."""
        if LANGUAGES[language].strategy != "cells":
            return cls(text, lines_of(text))
        from sightline.indexing.parsing.notebook import read_notebook

        notebook = read_notebook(text)
        return cls(text, notebook.readable_lines() if notebook else lines_of(text), notebook)

    def in_file(self, selection: Selection) -> Selection:
        """Where in the file a selected stretch of a readable line stands."""
        notebook, line = self.notebook, selection.line
        if notebook is None or line >= len(notebook.line_starts):
            return selection
        start, end = (
            notebook.file_column(self.text, line, column) for column in (selection.start, selection.end)
        )
        begin = notebook.line_starts[line]
        after = self.text.find("\n", begin)
        return Selection(line, start, end, self.text[begin : after if after >= 0 else None])

    def cell(self, selection: Selection) -> int | None:
        """The cell of a notebook that a stretch of the file stands in."""
        if self.notebook is None or selection.line >= len(self.notebook.line_starts):
            return None
        return self.notebook.cell_at(selection.line, selection.start)
