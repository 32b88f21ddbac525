"""Text from JSON as text that UTF-8 can carry."""

from __future__ import annotations


def whole_characters(text: str) -> str:
    """The text with lone surrogates, which JSON can carry and UTF-8 cannot, replaced one for one."""
    if text.isascii():
        return text
    # A pair that arrived as two escapes is joined by the JSON reader already; what is left is alone.
    return (
        "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        if _broken(text)
        else text
    )


def _broken(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
