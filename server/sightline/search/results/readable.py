"""The readable text of a file, with the file's line numbers: for a notebook, the cells without the JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sightline.languages.table import LANGUAGES
from sightline.types import Selection, Source

if TYPE_CHECKING:
    from sightline.indexing.parsing.notebook import Notebook


class ReadableText(NamedTuple):
    """The lines to search and to show; in a notebook, their columns differ from those of the file."""

    text: str
    lines: list[str]
    notebook: Notebook | None = None

    @classmethod
    def of(cls, source: Source, language: str) -> ReadableText:
        """The readable text of a file in a language."""
        if LANGUAGES[language].strategy != "cells":
            return cls(source.text, source.lines)
        from sightline.indexing.parsing.notebook import read_notebook

        notebook = read_notebook(source.text)
        return cls(source.text, notebook.readable_lines() if notebook else source.lines, notebook)

    def in_file(self, selection: Selection) -> Selection:
        """The range in the file of a selection in a readable line."""
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
        """The cell of a notebook that contains a range of the file."""
        if self.notebook is None or selection.line >= len(self.notebook.line_starts):
            return None
        return self.notebook.cell_at(selection.line, selection.start)
