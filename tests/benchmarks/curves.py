"""Small line charts side by side as SVG, without a plotting library."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from tests.benchmarks.report import figure

_WIDTH, _HEIGHT = 240, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 34, 44, 30
_COLUMNS = 3

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Panel:
    """One curve: its title and its points from left to right; `log` makes both axes logarithmic.

    Points `beside` the curve are drawn alone, in another colour.
    """

    title: str
    points: Sequence[Point]
    log: bool = True
    beside: Sequence[Point] = ()


def panels(title: str, shown: Sequence[Panel]) -> str:
    """The panels in rows of three."""
    rows = math.ceil(len(shown) / _COLUMNS)
    width, height = _WIDTH * min(_COLUMNS, len(shown)), _HEIGHT * rows + 34
    drawn = [
        f'<g transform="translate({_WIDTH * (number % _COLUMNS)},{34 + _HEIGHT * (number // _COLUMNS)})">'
        f"{_panel(panel)}</g>"
        for number, panel in enumerate(shown)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            'font-family="sans-serif" font-size="11">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            f'<text x="12" y="24" font-size="16">{escape(title)}</text>',
            *drawn,
            "</svg>",
        ]
    )


def _panel(panel: Panel) -> str:
    wide, high = zip(*panel.points, *panel.beside, strict=True)
    # Linear axes start at zero; logarithmic axes have equally many decades, so linear growth is a diagonal.
    floor = max(high) * min(wide) / max(wide) if panel.log else 0.0
    across = _scale(wide, _LEFT, _WIDTH - _RIGHT, panel.log)
    up = _scale([floor, *high], _HEIGHT - _BOTTOM, _TOP, panel.log)
    places = [(across(x), up(y)) for x, y in panel.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [
        f'<text x="{_LEFT}" y="18" font-size="13">{escape(panel.title)}</text>',
        f'<path d="M{_LEFT} {_HEIGHT - _BOTTOM}H{_WIDTH - _RIGHT}" stroke="#999"/>',
        f'<polyline points="{path}" fill="none" stroke="#3b6ea8" stroke-width="2"/>',
    ]
    marked = zip(panel.points, places, strict=True) if len(places) <= 8 else _ends(panel.points, places)
    for (x, y), (at, height) in marked:
        parts.append(f'<circle cx="{at:.1f}" cy="{height:.1f}" r="3" fill="#3b6ea8"/>')
        parts.append(_label(at, height - 7, figure(y)))
        parts.append(_label(at, _HEIGHT - 14, _short(x)))
    for x, y in panel.beside:
        parts.append(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="#b3542e"/>')
        parts.append(_label(across(x), up(y) + 15, figure(y)))
    return "".join(parts)


def _label(across: float, down: float, text: str) -> str:
    return f'<text x="{across:.1f}" y="{down:.1f}" text-anchor="middle">{escape(text)}</text>'


def _ends(points: Sequence[Point], places: Sequence[Point]) -> list[tuple[Point, Point]]:
    return [(points[at], places[at]) for at in (0, -1)]


def _scale(values: Sequence[float], low: float, high: float, log: bool) -> Callable[[float], float]:
    def of(value: float) -> float:
        return math.log(max(value, 1e-9)) if log else value

    first, last = of(min(values)), of(max(values))
    span = (last - first) or 1.0
    return lambda value: low + (of(value) - first) / span * (high - low)


def _short(value: float) -> str:
    return f"{value / 1000:.3g}k" if value >= 1000 else f"{value:.3g}"
