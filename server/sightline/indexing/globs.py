"""Gitignore patterns: the rules of one ignore file, matched one path component at a time as git does."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

Segment = Callable[[str], bool]

_META = re.compile(r"[*?\[\\]")
_STAR = "[^/]*"
_POSIX_CLASSES = {
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:blank:]": " \t",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": " \t\n\r\f\v",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-fA-F",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern: its path components, None standing for `**`; `floating` ones match a name at any depth."""

    segments: tuple[Segment | None, ...]
    negated: bool
    dir_only: bool
    floating: bool
    # The glob of the last component, as written.
    name: str

    def matches(self, parts: Sequence[str], is_dir: bool) -> bool:
        """Whether this very path (not a folder above it) is meant."""
        if self.dir_only and not is_dir:
            return False
        if self.floating:
            return _single(self.segments[-1], parts[-1])
        return len(self.segments) in _reached(self.segments, parts)

    @property
    def names_the_way(self) -> bool:
        """Whether the pattern spells the folders from the top, instead of matching at any depth."""
        return not self.floating and self.segments[0] is not None

    def reaches_into(self, parts: Sequence[str]) -> bool:
        """Whether something below this folder could match, by a pattern that names the way to it."""
        return self.names_the_way and any(
            state < len(self.segments) for state in _reached(self.segments, parts)
        )


def _single(segment: Segment | None, name: str) -> bool:
    return segment is None or segment(name)


def _reached(segments: Sequence[Segment | None], parts: Sequence[str]) -> set[int]:
    """How many segments can be used up by exactly these components: sets of states, so no backtracking."""
    states = _past_stars(segments, {0})
    for name in parts:
        if not states:
            break
        following = set()
        for state in states:
            if state < len(segments):
                segment = segments[state]
                if segment is None:
                    following.add(state)
                    if state == len(segments) - 1:
                        following.add(state + 1)
                elif segment(name):
                    following.add(state + 1)
        states = _past_stars(segments, following)
    return states


def _past_stars(segments: Sequence[Segment | None], states: set[int]) -> set[int]:
    """The states plus those behind a `**` that matches nothing; at the end `**` needs something to match."""
    grown = set(states)
    for state in states:
        while state < len(segments) - 1 and segments[state] is None:
            state += 1
            grown.add(state)
    return grown


class RuleSet:
    """The rules of one ignore file, with a quick way to see that none of them concerns a name."""

    def __init__(self, lines: Iterable[str], ignore_case: bool = False) -> None:
        """Rules of `lines`; with `ignore_case` paths must be given in lower case."""
        texts = (line.lower() if ignore_case else line for line in lines)
        self.rules = tuple(reversed([rule for rule in map(parse_rule, texts) if rule]))
        self._anchored = tuple(rule for rule in self.rules if not rule.floating)
        self._floating = tuple(rule for rule in self.rules if rule.floating)
        names = {rule.name: rule.segments[-1] for rule in self._floating}
        self._literals = frozenset(name for name in names if not _META.search(name))
        suffixes = {name for name in names if name.startswith("*") and not _META.search(name[1:])}
        self._suffixes = tuple(name[1:] for name in suffixes)
        self._globs = tuple(names[name] for name in names.keys() - self._literals - suffixes)

    def near(self, folder: Sequence[str]) -> tuple[Rule, ...]:
        """All rules that can match a child of this folder, if there are others than the floating ones."""
        if not any(_can_end(rule, folder) for rule in self._anchored):
            return ()
        return tuple(rule for rule in self.rules if rule.floating or _can_end(rule, folder))

    def last_match(
        self, folder: tuple[str, ...], name: str, is_dir: bool, near: tuple[Rule, ...]
    ) -> Rule | None:
        """The rule that decides about a child of a folder, given what `near` said of the folder."""
        if not near and not self._concerns(name):
            return None
        parts = (*folder, name)
        return next((rule for rule in near or self._floating if rule.matches(parts, is_dir)), None)

    def _concerns(self, name: str) -> bool:
        """Whether a floating rule could match this name; False is certain."""
        return (
            name in self._literals
            or name.endswith(self._suffixes)
            or any(_single(segment, name) for segment in self._globs)
        )


def _can_end(rule: Rule, folder: Sequence[str]) -> bool:
    return len(rule.segments) - 1 in _reached(rule.segments, folder)


def parse_rule(line: str) -> Rule | None:
    """The rule a line stands for; None for comments, blanks and patterns git gives no meaning."""
    text = _trimmed(line)
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text[1:] if negated else text
    dir_only = text.endswith("/")
    text = text[:-1] if dir_only else text
    names = text.split("/")
    if names[0] == "" and len(names) > 1:
        names = names[1:]
        floating = False
    else:
        floating = len(names) == 1
    if len(names) == 2 and names[0] == "**" and names[1] != "**":
        names, floating = names[1:], True
    if "" in names:
        return None
    try:
        segments = tuple(None if name == "**" else _segment(name) for name in names)
    except (ValueError, re.error):
        return None
    return Rule(segments, negated, dir_only, floating, names[-1])


def _trimmed(line: str) -> str:
    """The line without trailing spaces, except escaped ones."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and len(stripped) < len(line) else stripped


@lru_cache(maxsize=4096)
def _segment(glob: str) -> Segment:
    """How one path component is compared with its glob."""
    if not _META.search(glob):
        return glob.__eq__
    if not glob.strip("*"):
        return bool
    for name, members in _POSIX_CLASSES.items():
        glob = glob.replace(name, members)
    # pathspec strips what looks like trailing white space; in brackets it is safe.
    glob = re.sub(r"\\?(\s)$", r"[\1]", glob)
    with warnings.catch_warnings():
        # `[[]` is fine in git; Python only warns that it may mean something else one day.
        warnings.simplefilter("ignore", FutureWarning)
        compiled = GitIgnoreSpecPattern("/" + glob)
        if compiled.regex is None:
            raise ValueError(glob)
        search = re.compile(_without_backtracking(compiled.regex.pattern), re.DOTALL).search
    return lambda name: search(name) is not None


def _without_backtracking(regex: str) -> str:
    """The same regex with every `*` but the last settled at its first match, so no name makes it slow."""
    head, *pieces = regex.split(_STAR)
    if len(pieces) < 3:
        return regex
    settled = "".join(
        f"(?=(?P<s{number}>{_STAR}?{piece}))(?P=s{number})" for number, piece in enumerate(pieces[:-1])
    )
    return head + settled + _STAR + pieces[-1]
