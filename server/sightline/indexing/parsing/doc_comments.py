"""The first sentence of a documentation comment, whatever comment syntax a language uses."""

from __future__ import annotations

import re

_MAX_DOC = 240
# A sentence that does not end in this many bytes is cut anyway.
_WINDOW = 800
# The comment markers at the start of a line: // /// /** * # -- ;; %% {-| (** """ !> @doc and the like.
_SIGNS = re.compile(
    r"""\s*(?:/\*+!?|///?!?|\*+/|\*+|\#+'?|--+(?:[ \t]*\|)?|;+|%+|\{-+\|?|\(\*+|!+[<>]?"""
    r"""|@(?:module|type)?doc\b(?:\s+~[sS])?)?\s*(?:[rRuUbBfF]{0,2}(?:\"{3}|'{3}|["']))?[ \t]*"""
    r"""(?:@(?:notice|brief|summary|title|dev)\b[ \t]*)?"""
)
_END_SIGNS = re.compile(r"""(?:\*+/|-\}|\*\)|\"{3}|'{3}|")\s*$""")
_ENDS = ("*/", "-}", "*)", '"', "'''")
_SENTENCE = re.compile(r".+?[.!?](?=\s|$)")
_TAG = re.compile(r"</?\w+[^>]*>")


def first_sentence(source: bytes, start: int, end: int) -> str:
    """The first sentence of the comments in a range of bytes, without comment markers and markup."""
    words: list[str] = []
    for line in source[start : min(end, start + _WINDOW)].decode("utf-8", "ignore").split("\n"):
        bare = _bare(line)
        if bare:
            words.append(bare)
        elif words:
            break
    paragraph = _TAG.sub("", " ".join(words)).strip()
    sentence = _SENTENCE.match(paragraph)
    return (sentence.group() if sentence else paragraph)[:_MAX_DOC]


def _bare(line: str) -> str:
    signs = _SIGNS.match(line)
    bare = line[signs.end() :] if signs else line
    # Most lines have no such end, which this finds out in a tenth of the time.
    if bare.rstrip().endswith(_ENDS):
        bare = _END_SIGNS.sub("", bare)
    return " ".join(bare.split())
