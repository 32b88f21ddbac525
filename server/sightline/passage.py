"""A passage of code: the place it stands in and what it says, joined to one text and parted again."""

from __future__ import annotations

_SEPARATOR = "\0"


def join(place: str, code: str) -> str:
    """The one text by which a passage is stored, compared and embedded."""
    return f"{place}{_SEPARATOR}{code}"


def part(text: str) -> tuple[str, str]:
    """Place and code; a text that is no passage has no place."""
    place, found, code = text.partition(_SEPARATOR)
    return (place, code) if found else ("", text)
