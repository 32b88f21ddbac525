"""The table: a row for each tool at each yardstick, a column for each figure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.benchmarks.ranking.intervals import figure
from tests.benchmarks.ranking.yardsticks import COLUMNS, POOLED, Row
from tests.benchmarks.report import table

Grouped = dict[str, list[float]]


def shown(rows: Sequence[Row]) -> str:
    """A table of the means of every tool at every yardstick, each with half the width of its interval."""
    head = ("yardstick", "tool", *COLUMNS, "tasks")
    lines = [
        (title, tool, *(mean(chosen, column) for column in COLUMNS), len(chosen))
        for (title, tool), chosen in _groups(rows).items()
    ]
    return table(head, lines)


def compared(rows: Sequence[Row], others: Sequence[Row]) -> str:
    """A table of the differences at the same tasks, with intervals."""
    before, lines = _groups(others), []
    for (title, tool), chosen in _groups(rows).items():
        known = before.get((title, tool), [])
        lines.append((title, tool, *(difference(chosen, known, column) for column in COLUMNS)))
    return table(("change at", "tool", *COLUMNS), lines)


def against(rows: Sequence[Row], tool: str, other: str) -> str:
    """A table of the differences between two tools at every yardstick."""
    groups = _groups(rows)
    lines = [
        (title, *(difference(groups[title, tool], chosen, column) for column in COLUMNS))
        for (title, name), chosen in groups.items()
        if name == other and (title, tool) in groups
    ]
    return table((f"{tool} - {other}", *COLUMNS), lines)


def mean(rows: Sequence[Row], column: str) -> str | None:
    """A figure's mean with half the width of its interval; None if no row has the figure."""
    values: Grouped = {}
    for row in rows:
        if column in row.figures:
            values.setdefault(row.project, []).append(row.figures[column])
    if not values:
        return None
    found = figure(values, pooled=rows[0].yardstick in POOLED)
    return f"{found.mean:.3f} ±{(found.high - found.low) / 2:.3f}"


def difference(rows: Sequence[Row], others: Sequence[Row], column: str) -> str | None:
    """The mean difference at the tasks that both have, with its interval; bold if significant."""
    before = {(row.project, row.query): row.figures for row in others}
    values: Grouped = {}
    for row in rows:
        other = before.get((row.project, row.query), {})
        if column in row.figures and column in other:
            values.setdefault(row.project, []).append(row.figures[column] - other[column])
    if not values:
        return None
    found = figure(values, pooled=rows[0].yardstick in POOLED)
    text = f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
    # A single project has no interval.
    return f"**{text}**" if found.low < found.high and (found.low > 0 or found.high < 0) else text


def _groups(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.yardstick, row.tool), []).append(row)
    titles = list(dict.fromkeys(title for title, _ in groups))
    return {key: groups[key] for key in sorted(groups, key=lambda key: titles.index(key[0]))}
