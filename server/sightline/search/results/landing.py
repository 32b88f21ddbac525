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
        # The lines in which the best one is looked for are often what is shown then.
        self._last: tuple[str, list[_Word]] = "", []

    def best_word(self, lines: Sequence[str], span: Span) -> tuple[int, Span | None]:
        """The line of a span that contains most of the query, and the first word of the query there.

        If none has any, it is the first line that is not empty.
        """
        first, last = span[0], min(span[1], span[0] + _MOST_LINES, len(lines) - 1)
        if last < first:
            return first, None
        found = self._by_line([line[:_LONGEST_LINE] for line in lines[first : last + 1]])
        if found:
            # In the order of the text, not of a set: a sum of the same numbers in another order is another
            # one. Of the best lines this is the first.
            worth = {at: sum(map(self._terms.__getitem__, terms)) for at, (_, terms) in found.items()}
            best = max(worth, key=worth.__getitem__)
            return first + best, found[best][0]
        return next((at for at in range(first, last + 1) if lines[at].strip()), first), None

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

    def _by_line(self, lines: Sequence[str]) -> dict[int, tuple[Span, dict[str, None]]]:
        """By its position, the first word and the terms of each line that has any."""
        found: dict[int, tuple[Span, dict[str, None]]] = {}
        line, line_start, line_end = 0, 0, len(lines[0])
        for start, end, term in self._words("\n".join(lines)):
            while start > line_end:
                line, line_start = line + 1, line_end + 1
                line_end = line_start + len(lines[line])
            if line in found:
                found[line][1][term] = None
            else:
                found[line] = (start - line_start, end - line_start), {term: None}
        return found

    def _words(self, text: str) -> list[_Word]:
        """The ranges of a text that are words of the query, in order, each with its term."""
        known, words = self._last
        if known != text:
            words = self._found_in(text)
            self._last = text, words
        return words

    def _found_in(self, text: str) -> list[_Word]:
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


def on_best_line(lines: Sequence[str], span: Span, matcher: Matcher) -> Selection:
    """The first matching word of the line of a span that matches best, or all of the line if none does."""
    line, word = matcher.best_word(lines, span)
    text = lines[line] if line < len(lines) else ""
    if word is not None:
        return Selection(line, *word, text)
    indent = _INDENT.match(text)
    return Selection(line, indent.end() if indent else 0, len(text.rstrip()), text)
