"""Makes notebooks as Jupyter and VS Code write them."""

from __future__ import annotations

import json
from collections.abc import Sequence

# An image of a few kilobytes, as notebooks store plots.
_PICTURE = "iVBORw0KGgo" * 400
CELLS = (
    ("markdown", "# Weather\n\nHow warm it was in each month."),
    ("code", "%matplotlib inline\nimport pandas as pd"),
    ("markdown", "## Load the measurements"),
    (
        "code",
        'def load_measurements(path):\n    """Read the \\"raw\\" table of temperatures."""\n'
        '    return pd.read_csv(path, sep="\\t")',
    ),
    ("code", ""),
    ("code", "frame = load_measurements('größe 😋.csv')\nframe.groupby(\"month\").mean()"),
    ("raw", "to be left as it is"),
    ("code", "%%bash\nls -l"),
)


def notebook(
    cells: Sequence[tuple[str, str]] = CELLS,
    language: str = "python",
    indent: int | None = 1,
    *,
    lists: bool = True,
) -> str:
    """The text of a notebook of format 4, with a picture as the output of every code cell."""
    written: list[dict[str, object]] = []
    for kind, text in cells:
        cell: dict[str, object] = {"cell_type": kind, "id": f"{len(written)}", "metadata": {}}
        if kind == "code":
            output = {"output_type": "display_data", "data": {"image/png": _PICTURE}, "metadata": {}}
            cell |= {"execution_count": 1, "outputs": [output]}
        cell["source"] = text.splitlines(keepends=True) if lists else text
        written.append(cell)
    info = {"kernelspec": {"language": language, "name": "k"}, "language_info": {"name": language}}
    whole = {"cells": written, "metadata": info, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=indent, ensure_ascii=False) + "\n"
