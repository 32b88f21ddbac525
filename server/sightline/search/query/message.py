"""A pasted message of a program: fixed words, which the code contains, around values, which it does not."""

from __future__ import annotations

import re
from functools import lru_cache

from sightline.search.query.classify import QUESTION_WORDS, QueryKind
from sightline.wordlist import words
from sightline.words import tokens

_QUOTED = re.compile(r'"[^"]*"')
_ADDRESS_OR_QUOTED = r"""https?://\S+|"[^"]*"|"""
_OTHER_VALUE = r"""(?<!\w)'[^']*'(?!\w)|(?<!\w)[~.]?/[\w.\-/]+|\S*\d[\w.:\-]*"""
_SURE_VALUE = re.compile(_ADDRESS_OR_QUOTED + _OTHER_VALUE)
# A text in backticks and a dotted name may as well be names of the code.
_VALUE = re.compile(rf"{_ADDRESS_OR_QUOTED}`[^`]*`|{_OTHER_VALUE}|\w+(?:\.\w+)+")
# What each of the values above has; most queries have none of it, and are searched for it ten times as fast.
_OF_VALUES = re.compile(r"""["`'/.\d]""")
_SENTENCE_END = re.compile(r"[.!](?:\s|$)")
# `error:`, `[warning]`, `ValueError:`, `panic:` at the start.
_LABEL = re.compile(
    r"\W*(?:[a-z]*(?:error|exception)|fatal|warn(?:ing)?|panic|failure|critical|notice)\b\W*", re.IGNORECASE
)
# Programs say these of something that went wrong.
_FAILURE = re.compile(
    r"\b(?:cannot|can't|unable to|failed|invalid|unexpected|expected|unknown|unsupported|already|denied"
    r"|deprecated|malformed|mismatch|refused|exceed(?:s|ed)|timed out|no such"
    r"|not (?:found|allowed|supported|permitted)|(?:does|did|was|is|has|could|must)(?: not|n't))\b",
    re.IGNORECASE,
)
_ASKING = QUESTION_WORDS | words("find show list")
# With fewer words besides, a quoted text is what the user looks for.
_FEWEST_WORDS = 4
# With fewer fixed terms the values are most of what a message says.
_FEWEST_FIXED = 3
# A question or a change is a person's.
_KINDS: frozenset[QueryKind] = frozenset({"statement", "topic"})
_RECENT_LINES = 32


# Several steps of a search ask.
@lru_cache(maxsize=_RECENT_LINES)
def is_message(line: str) -> bool:
    """Whether a line is a message as programs print it, so that what it quotes is a value."""
    besides = _QUOTED.sub(" ", line).split()
    if len(besides) < _FEWEST_WORDS or besides[0].lower() in _ASKING:
        return False
    text = " ".join(besides)
    # People begin with a capital, too, but then they seldom quote.
    capital = '"' in line and text[0].isupper() and len(besides) > _FEWEST_WORDS
    return capital or any(sign.search(text) for sign in (_SENTENCE_END, _FAILURE)) or bool(_LABEL.match(text))


def is_pasted(text: str, kind: QueryKind) -> bool:
    """Whether a query of this kind is a message that was pasted, with or without quotes."""
    return kind in _KINDS and is_message(text)


def value_terms(message: str) -> frozenset[str]:
    """The terms of a message that can only be values of it; none if it has little else."""
    if not _OF_VALUES.search(message):
        return frozenset()
    fixed = frozenset(tokens(_SURE_VALUE.sub(" ", message)))
    return frozenset(tokens(message)) - fixed if len(fixed) >= _FEWEST_FIXED else frozenset()


def fixed_text(text: str) -> str:
    """The text without what can only be a value: quoted texts, addresses, paths, dotted names, numbers."""
    return _VALUE.sub(" ", text) if _OF_VALUES.search(text) else text
