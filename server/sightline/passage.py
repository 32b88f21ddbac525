"""A passage of code: joins its place and its code to one text, and splits them again."""

from __future__ import annotations

_SEPARATOR = "\0"


def join(place: str, code: str) -> str:
    """The single text by which a passage is stored, compared and embedded."""
    return f"{place}{_SEPARATOR}{code}"


def part(text: str) -> tuple[str, str]:
    """Place and code; a text that is not a passage has no place."""
    place, found, code = text.partition(_SEPARATOR)
    return (place, code) if found else ("", text)
