"""Chooses the line to land on in a place, and the words to highlight."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence, Set
from itertools import chain, islice

from sightline.search.query.text_patterns import TextPattern
from sightline.types import Highlight, Selection
from sightline.words import parts_of, stem

Span = tuple[int, int]
# A range of a text, and the term of the query that the word there stands for.
_Word = tuple[int, int, str]

_INDENT = re.compile(r"\s*")
# Takes half as long as the constructor, and an answer has hundreds of highlights.
_new = tuple.__new__
# A longer line is data.
_LONGEST_LINE = 400
_MOST_LINES = 400
_MOST_MARKS = 60


class Matcher:
    """Finds the words of a query, and the texts that must match, in lines of text."""

    def __init__(self, terms: Mapping[str, float], patterns: Sequence[TextPattern] = ()) -> None:
        self._terms = terms
        self.patterns = patterns
        # A word starts with its stem, except for a final `y`: this check alone skips most lines.
        self._starts = _shortest({term.removesuffix("i") for term in terms} - {""})
        self._term_of = _TermOf(terms)

    def best_line(self, lines: Sequence[str], span: Span) -> int:
        """The line of a span that contains most of the query; its first non-empty line if none does."""
        first, last = span[0], min(span[1], span[0] + _MOST_LINES, len(lines) - 1)
        if last < first:
            return first
        worth = self._worths([line[:_LONGEST_LINE] for line in lines[first : last + 1]])
        if worth:
            return first + max(worth, key=lambda at: (worth[at], -at))
        return next((at for at in range(first, last + 1) if lines[at].strip()), first)

    def first_word(self, line: str) -> Span | None:
        """The first range of a line that is a word of the query."""
        found = self._words(line[:_LONGEST_LINE])
        return found[0][:2] if found else None

    def highlights(self, text: str) -> tuple[Highlight, ...]:
        """The first occurrences of the query's words in a snippet."""
        marks: list[Highlight] = []
        line = line_start = marked = 0
        line_end = text.find("\n")
        for start, end, _ in self._stretches(text):
            if start < marked:
                continue
            marked = end
            if 0 <= line_end < start:
                line += text.count("\n", line_start, start)
                line_start = text.rfind("\n", line_start, start) + 1
                line_end = text.find("\n", start)
            # A word is on one line.
            last = _on_line(text, start, end) if self.patterns else end
            marks.append(_new(Highlight, (line, start - line_start, last - line_start)))
        return tuple(marks[:_MOST_MARKS])

    def matches(self, lines: Sequence[str], span: Span) -> bool:
        """Whether every text that must match occurs in a span of lines."""
        text = "\n".join(lines[span[0] : span[1] + 1])
        return all(pattern.occurs(text) for pattern in self.patterns)

    def first_match(self, lines: Sequence[str], span: Span) -> Selection | None:
        """The first match in a span of lines, of the first required text that has one."""
        text = "\n".join(lines[span[0] : span[1] + 1])
        found = next((each for pattern in self.patterns for each in pattern.stretches(text)), None)
        if found is None:
            return None
        start = text.rfind("\n", 0, found[0]) + 1
        line = span[0] + text.count("\n", 0, start)
        return Selection(line, found[0] - start, _on_line(text, *found) - start, lines[line])

    def _stretches(self, text: str) -> list[_Word]:
        """The ranges to highlight in a text, in order; of those that overlap the first counts."""
        words = self._words(text)
        if not self.patterns:
            return words
        found = (islice(pattern.stretches(text), _MOST_MARKS) for pattern in self.patterns)
        must = ((start, end, "") for start, end in chain(*found))
        return sorted(chain(must, words), key=lambda each: (each[0], -each[1]))

    def _worths(self, lines: Sequence[str]) -> dict[int, float]:
        """By its position, the summed weights of the query's terms in each line that has any."""
        # In the order of the text, not of a set: a sum of the same numbers in another order is another one.
        terms: dict[int, dict[str, None]] = {}
        line, line_end, text = 0, len(lines[0]), "\n".join(lines)
        for start, _, term in self._words(text):
            while start > line_end:
                line += 1
                line_end += 1 + len(lines[line])
            terms.setdefault(line, {})[term] = None
        return {at: sum(map(self._terms.__getitem__, found)) for at, found in terms.items()}

    def _words(self, text: str) -> list[_Word]:
        """The ranges of a text that are words of the query, in order, each with its term."""
        folded = text.lower()
        # A case-insensitive expression is slower. For a few letters, lower case has another length; in such a
        # text upper case is not matched.
        find = (folded if len(folded) == len(text) else text).find
        match_part, term_of, found = parts_of(text).match, self._term_of, []
        for prefix in self._starts:
            at = find(prefix)
            while at >= 0:
                # Else it is inside a word.
                if not at or not text[at - 1].isalpha() or text[at].isupper():
                    part = match_part(text, at)
                    if part is not None and (term := term_of[part[0]]) is not None:
                        found.append((at, part.end(), term))
                at = find(prefix, at + 1)
        found.sort()
        return found


class _TermOf(dict[str, str | None]):
    """The query term that a word stands for, or None; the same few words occur many times in an answer."""

    def __init__(self, terms: Container[str]) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, word: str) -> str | None:
        term = stem(word.lower())
        found = self[word] = term if term in self._terms else None
        return found


def _shortest(starts: Set[str]) -> list[str]:
    """Some starts of words without those that begin with another one, so that no word is found twice."""
    found: list[str] = []
    for start in sorted(starts):
        # A start is preceded by those that it begins with.
        if not found or not start.startswith(found[-1]):
            found.append(start)
    return found


def _on_line(text: str, start: int, end: int) -> int:
    """The end of a range, or of the line it starts on if that comes first."""
    line_end = text.find("\n", start, end)
    return end if line_end < 0 else line_end


def on_name(lines: Sequence[str], line: int, column: int, name: str) -> Selection | None:
    """The name of a symbol at its indexed position; None if the text has something else there."""
    if line >= len(lines):
        return None
    text = lines[line]
    if text.startswith(name, column):
        return Selection(line, column, column + len(name), text)
    # Names of several tokens (`impl Trait for Type`, operators) are one name in the index.
    word = re.split(r"\W+", name)[-1] if name else ""
    at = text.find(word) if word else -1
    return Selection(line, at, at + len(word), text) if at >= 0 else None


def on_line(lines: Sequence[str], line: int, matcher: Matcher) -> Selection:
    """The first matching words of a line, or all of it."""
    text = lines[line] if line < len(lines) else ""
    found = matcher.first_word(text)
    if found:
        return Selection(line, found[0], found[1], text)
    indent = _INDENT.match(text)
    return Selection(line, indent.end() if indent else 0, len(text.rstrip()), text)
