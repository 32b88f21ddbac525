"""A pasted message of a program: fixed words, which the code contains, around values, which it does not."""

from __future__ import annotations

import re

from sightline.search.query.classify import QUESTION_WORDS
from sightline.wordlist import words

_QUOTED = re.compile(r'"[^"]*"')
_VALUE = re.compile(
    r"""https?://\S+|"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)|(?<!\w)[~.]?/[\w.\-/]+|\S*\d[\w.:\-]*|\w+(?:\.\w+)+"""
)
_SENTENCE_END = re.compile(r"[.!](?:\s|$)")
# `error:`, `[warning]`, `ValueError:`, `panic:` at the start.
_LABEL = re.compile(
    r"\W*(?:[a-z]*(?:error|exception)|fatal|warn(?:ing)?|panic|failure|critical|notice)\b\W*", re.IGNORECASE
)
# Programs say these of something that went wrong.
_FAILURE = re.compile(
    r"\b(?:cannot|can't|unable to|failed|invalid|unexpected|unknown|unsupported|already|denied|deprecated"
    r"|(?:does|did|was|is|has|could|must)(?: not|n't))\b",
    re.IGNORECASE,
)
_ASKING = QUESTION_WORDS | words("find show list")
# With fewer words besides, a quoted text is what the user looks for.
_FEWEST_WORDS = 4


def is_message(line: str) -> bool:
    """Whether a line with quotes is a message as programs print it, so that what it quotes is a value."""
    besides = _QUOTED.sub(" ", line).split()
    if len(besides) < _FEWEST_WORDS or besides[0].lower() in _ASKING:
        return False
    text = " ".join(besides)
    capital = text[0].isupper() and len(besides) > _FEWEST_WORDS
    return capital or any(sign.search(text) for sign in (_SENTENCE_END, _FAILURE)) or bool(_LABEL.match(text))


def fixed_text(text: str) -> str:
    """The text without what can only be a value: quoted texts, addresses, paths, dotted names, numbers."""
    return _VALUE.sub(" ", text)
