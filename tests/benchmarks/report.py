"""Formats figures as Markdown tables and records them in docs/benchmarks.md."""

from __future__ import annotations

import datetime
import os
import platform
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
_PAGE = DOCS / "benchmarks.md"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; the first column is text, the others are figures."""
    lines = [_line(head), _line(["---", *["---:"] * (len(head) - 1)])]
    return "\n".join([*lines, *(_line([figure(value) for value in row]) for row in rows)])


def figure(value: object) -> str:
    """A number with its significant digits; a dash for None."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return f"{value:,}" if isinstance(value, int) else str(value)
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def machine() -> str:
    """The date and the machine of a measurement."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{datetime.date.today().isoformat()}, {os.cpu_count()} cores, {gigabytes:.0f} GB, "
        f"{platform.system()}, Python {platform.python_version()}"
    )


def record(section: str, text: str) -> None:
    """Write text between a section's markers in docs/benchmarks.md."""
    begin, end = f"<!-- begin {section} -->", f"<!-- end {section} -->"
    page = _PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"{_PAGE.name} has no section {section!r}")
    whole = f"{begin}\n{text}\n\n({machine()})\n{end}"
    _PAGE.write_text(pattern.sub(lambda _: whole, page), encoding="utf-8")


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
