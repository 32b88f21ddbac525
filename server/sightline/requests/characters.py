"""Makes text from JSON valid for UTF-8."""

from __future__ import annotations


def whole_characters(text: str) -> str:
    """The text with lone surrogates, which JSON allows and UTF-8 does not, replaced one for one."""
    if text.isascii():
        return text
    # The JSON parser has already joined the pairs that came as two escapes; the remaining ones are lone.
    return (
        "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        if _has_surrogates(text)
        else text
    )


def _has_surrogates(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
