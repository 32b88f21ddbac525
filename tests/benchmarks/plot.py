"""A horizontal bar chart as SVG, without a plotting library."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

_ROW = 22
_LABEL = 190
_WIDTH = 720
_TOP = 48


def bar_chart(title: str, values: Mapping[str, float]) -> str:
    """Values between 0 and 1 as labelled bars, best first, with their mean as a line."""
    ordered = sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
    height = _TOP + _ROW * len(ordered) + 16
    span = _WIDTH - _LABEL - 70
    mean = sum(values.values()) / len(values) if values else 0.0
    at = _LABEL + span * mean
    rows = [_bar(name, value, _TOP + _ROW * index, span) for index, (name, value) in enumerate(ordered)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
            'font-family="sans-serif" font-size="13">',
            f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
            f'<text x="12" y="24" font-size="16">{escape(title)} (mean {mean:.3f})</text>',
            *rows,
            f'<line x1="{at:.1f}" y1="{_TOP - 6}" x2="{at:.1f}" y2="{height - 10}" stroke="#c0392b" '
            'stroke-dasharray="4 3"/>',
            "</svg>",
        ]
    )


def _bar(name: str, value: float, top: int, span: int) -> str:
    width = max(0.0, min(1.0, value)) * span
    return (
        f'<text x="{_LABEL - 8}" y="{top + 13}" text-anchor="end">{escape(name)}</text>'
        f'<rect x="{_LABEL}" y="{top + 2}" width="{width:.1f}" height="{_ROW - 7}" fill="#3b6ea8"/>'
        f'<text x="{_LABEL + width + 6:.1f}" y="{top + 13}">{value:.3f}</text>'
    )
