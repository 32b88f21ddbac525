"""Search results as a text file, for clients that cannot show a list from the server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from sightline.location import cache_dir, make_cache_dir
from sightline.lsp.wire import WireHit, WirePosition
from sightline.names import PRODUCT
from sightline.requests.uris import to_path
from sightline.visible import quoted, unlinked, visible

_FOLDER = "results"
_SUFFIX = ".txt"
# An editor may still show a page when the next search writes a new one.
_MOST_PAGES = 20


def page(title: str, hits: Sequence[WireHit], note: str = "") -> str:
    """A heading, the server's note, and one line per hit: absolute path, line, column and text."""
    remark = [visible(note), ""] if note else []
    return "\n".join([f"{PRODUCT}: {visible(title)}", f"{len(hits)} found", "", *remark, *_rows(hits), ""])


def summary(hits: Sequence[WireHit], most: int) -> str:
    """The first hits in one line, for a message in the status line."""
    if not hits:
        return f"{PRODUCT}: nothing found"
    return " | ".join(unlinked(f"{quoted(hit['path'])}:{_line(hit)} {_excerpt(hit)}") for hit in hits[:most])


def write(text: str) -> Path:
    """Write a page to a new file that only its owner can read, and delete the oldest pages."""
    make_cache_dir(cache_dir())
    folder = cache_dir() / _FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    _prune(folder)
    handle, name = tempfile.mkstemp(_SUFFIX, "search-", folder)
    with open(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return Path(name)


def _rows(hits: Sequence[WireHit]) -> Iterator[str]:
    """The hits under the headings of their groups; if all hits are weak, the note says so."""
    heading = _heading(hits[0]) if hits and hits[0].get("weak") else ""
    for hit in hits:
        if _heading(hit) != heading:
            heading = _heading(hit)
            yield f"\n{heading}:\n"
        yield _row(hit)


def _heading(hit: WireHit) -> str:
    """The group of a hit: the reason for related code, or that the hit is weak."""
    return hit.get("reason", "less likely" if hit.get("weak") else "")


def _row(hit: WireHit) -> str:
    column = _landing(hit)["character"] + 1
    place = f"{quoted(to_path(hit['uri']) or hit['path'])}:{_line(hit)}:{column}"
    cell = f" [cell {hit['cell'] + 1}]" if "cell" in hit else ""
    why = f"  ({visible(hit['why'])})" if hit.get("why") else ""
    return f"{place}{cell}  {_excerpt(hit)}{why}"


def _landing(hit: WireHit) -> WirePosition:
    return hit.get("selectionRange", hit["range"])["start"]


def _line(hit: WireHit) -> int:
    return _landing(hit)["line"] + 1


def _excerpt(hit: WireHit) -> str:
    """The signature of the definition, else the first non-blank line."""
    signature = hit["symbol"]["signature"] if "symbol" in hit else ""
    lines = (line for line in hit["snippet"]["text"].splitlines() if line.strip())
    return visible(" ".join((signature or next(lines, "")).split()))


def _prune(folder: Path) -> None:
    pages = sorted(folder.glob(f"search-*{_SUFFIX}"), key=os.path.getmtime)
    for old in pages[: max(0, len(pages) - _MOST_PAGES + 1)]:
        old.unlink(missing_ok=True)
