"""Text that a place must contain: literal text in quotes, or an expression between slashes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sightline.errors import InvalidRequest
from sightline.words import tokens

MOST_PATTERNS = 8
_MOST_CHARACTERS = 1000
# The memory limit of one expression; one that needs more (`a{999}{9}`) is rejected.
_MOST_BYTES = 1 << 23
_FLAGS = "i"
_IDENTIFIER = re.compile(r"\w+")
# The parts of an expression: an escape, a class, a group's bounds, a repetition, an alternative, a character.
_PART = re.compile(
    r"\\(?P<escaped>.)|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<sign>\{[\d,]*\}|[()|*+?{}.^$])|(?P<plain>.)",
    re.DOTALL,
)
# After a backslash, these characters do not stand for themselves.
_CLASS_LETTERS = re.compile(r"[\w]")
_REASONS = {
    "invalid perl operator": "looking ahead or behind is not supported",
    "invalid escape sequence": "there is no such escape; references to groups are not supported",
    "missing )": "a '(' has no ')'",
    "unexpected )": "a ')' has no '('",
    "missing ]": "a '[' has no ']'",
    "no argument for repetition operator": "there is nothing before a repetition to repeat",
    "bad repetition operator": "a repetition is repeated",
    "invalid repetition size": "a repetition is too large",
    "invalid character class range": "a range in a class is empty",
    "trailing \\": "it ends in a backslash",
    "pattern too large": "it is too large",
}

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ExactText:
    """Text that must occur literally."""

    text: str

    @property
    def written(self) -> str:
        """The pattern as the user typed it."""
        return f'"{self.text}"'

    @property
    def words(self) -> frozenset[str]:
        """Index terms that every matching text contains."""
        return whole_words(self.text)

    def occurs(self, text: str) -> bool:
        """Whether a text contains it."""
        return self.text in text

    def stretches(self, text: str) -> Iterator[Stretch]:
        """Where it occurs in a text."""
        at = text.find(self.text)
        while at >= 0:
            yield at, at + len(self.text)
            at = text.find(self.text, at + len(self.text))


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression that must match; RE2 takes time linear in the text, whatever the expression."""

    source: str
    ignore_case: bool = False

    @property
    def written(self) -> str:
        """The pattern as the user typed it."""
        return f"re:/{self.source}/{'i' if self.ignore_case else ''}"

    @property
    def words(self) -> frozenset[str]:
        """Index terms that every matching text contains."""
        return frozenset[str]().union(*map(whole_words, _literals(self.source)))

    def occurs(self, text: str) -> bool:
        """Whether it matches anywhere in a text."""
        return compiled(self).search(text) is not None

    def stretches(self, text: str) -> Iterator[Stretch]:
        """The ranges of a text that it matches."""
        for found in compiled(self).finditer(text):
            if found.end() > found.start():
                yield found.start(), found.end()


TextPattern = ExactText | Expression


def read_expression(source: str, flags: str, written: str) -> Expression:
    """Compile an expression once to check it; raises InvalidRequest if it is invalid."""
    if unknown := flags.lower().strip(_FLAGS):
        raise InvalidRequest(
            f"The expression '{_shown(written)}' ends in '/{unknown}'; the only flag is 'i', which ignores"
            " case. Write a slash inside it as '\\/'."
        )
    if len(source) > _MOST_CHARACTERS:
        raise InvalidRequest(
            f"The expression '{_shown(written)}' has {len(source)} characters;"
            f" at most {_MOST_CHARACTERS} are allowed."
        )
    expression = Expression(source, bool(flags))
    if compiled(expression).search(""):
        raise InvalidRequest(f"The expression '{_shown(written)}' matches the empty text, so everywhere.")
    return expression


@lru_cache(maxsize=64)
def compiled(expression: Expression) -> Any:
    """The compiled expression; `^` and `$` match at the ends of lines."""
    # Imported here because few searches need it.
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_BYTES
    options.case_sensitive = not expression.ignore_case
    try:
        return re2.compile(f"(?m){expression.source}", options)
    except re2.error as error:
        raise InvalidRequest(
            f"The expression '{_shown(expression.written)}' cannot be read: {_reason(str(error))}."
        ) from None


def whole_words(text: str) -> frozenset[str]:
    """The index terms of the words that are complete: no word character can extend them on either side."""
    inside = (
        word.group() for word in _IDENTIFIER.finditer(text) if word.start() > 0 and word.end() < len(text)
    )
    # The first term is the whole word, regardless of case; how it is split depends on capitals.
    return frozenset(term for word in inside for term in tokens(word)[:1])


def _literals(source: str) -> list[str]:
    """Runs of characters that every match contains, except those inside groups and next to alternatives."""
    runs, run, depth = [], "", 0
    for part in _PART.finditer(source):
        sign, escaped = part["sign"], part["escaped"]
        if sign == "|" and depth == 0:
            return []
        depth += {"(": 1, ")": -1}.get(sign or "", 0)
        literal = part["plain"] or (escaped if escaped and not _CLASS_LETTERS.match(escaped) else "")
        if literal and depth == 0:
            run += literal
            continue
        # A repetition may match its operand zero times.
        runs.append(run[:-1] if sign and sign[0] in "*?{" else run)
        run = ""
    return [each for each in [*runs, run] if each]


def _reason(error: str) -> str:
    message = error.removeprefix("b").strip("'\"")
    known = next((text for start, text in _REASONS.items() if message.startswith(start)), None)
    return known or message


def _shown(written: str) -> str:
    return written if len(written) <= 60 else f"{written[:60]}…"
