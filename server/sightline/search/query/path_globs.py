"""Globs over posix paths relative to a folder, and over names; matching takes time linear in the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sightline.errors import InvalidRequest

_CACHE_SIZE = 512
# Far above what people write; each limits how many states one character can lead to.
_MOST_CHARACTERS = 2000
_MOST_STARS = 32
_MOST_BRACES = 32
_MOST_ALTERNATIVES = 256
_MOST_GLOBS = 100
_SHOWN_CHARACTERS = 60
# The maximum number of cached steps per pattern; a hostile glob must not fill the memory.
_MOST_STEPS = 20_000

Test = Callable[[str], bool]
State = frozenset[int]


class _Program:
    """A nondeterministic automaton: each address holds a character test or a choice of addresses."""

    def __init__(self) -> None:
        self.tests: list[Test | None] = []
        self.choices: list[tuple[int, ...]] = []

    @property
    def here(self) -> int:
        """The address of the next instruction."""
        return len(self.tests)

    def take(self, test: Test) -> None:
        """Consume one character that passes the test."""
        self.tests.append(test)
        self.choices.append(())

    def go(self, *addresses: int) -> int:
        """Continue at any of the addresses; returns the address of this choice so that it can be changed."""
        self.tests.append(None)
        self.choices.append(addresses)
        return self.here - 1

    def repeat(self, test: Test) -> None:
        """Consume any number of characters that pass the test."""
        start = self.go()
        self.take(test)
        self.go(start)
        self.choices[start] = (start + 1, self.here)


class Pattern:
    """A compiled glob: a deterministic automaton that is built lazily as texts need it.

    A backtracking matcher takes exponential time for some globs, and `re` holds the GIL.
    """

    def __init__(self, program: _Program, ignore_case: bool = False) -> None:
        self._program = program
        self._ignore_case = ignore_case
        self._end = program.here
        self._steps: dict[tuple[State, str], State] = {}
        self._start = self._closed({0})
        self._last: tuple[str, State] = ("", self._start)

    def fullmatch(self, text: str) -> bool:
        """Whether the glob matches the whole text."""
        text = text.lower() if self._ignore_case else text
        name = text.rfind("/") + 1
        # Files of one folder follow each other: reuse the state that their folder leads to.
        folder, state = self._last
        if folder != text[:name]:
            state = self._run(self._start, text[:name])
            self._last = text[:name], state
        return self._end in self._run(state, text[name:])

    def _run(self, state: State, text: str) -> State:
        steps = self._steps
        for char in text:
            if not state:
                break
            following = steps.get((state, char))
            state = self._step(state, char) if following is None else following
        return state

    def _step(self, state: State, char: str) -> State:
        tests = self._program.tests
        passed = {at + 1 for at in state if at < self._end and (test := tests[at]) is not None and test(char)}
        following = self._closed(passed)
        if len(self._steps) >= _MOST_STEPS:
            self._steps.clear()
        self._steps[state, char] = following
        return following

    def _closed(self, addresses: set[int]) -> State:
        """The epsilon closure: the addresses that expect a character, or the end."""
        program, waiting, seen = self._program, list(addresses), set(addresses)
        while waiting:
            at = waiting.pop()
            if at == self._end or program.tests[at] is not None:
                continue
            fresh = [choice for choice in program.choices[at] if choice not in seen]
            seen.update(fresh)
            waiting.extend(fresh)
        return frozenset(at for at in seen if at == self._end or program.tests[at] is not None)


def _not_slash(char: str) -> bool:
    return char != "/"


def _anything(_: str) -> bool:
    return True


class _Compiler:
    """Compiles one glob into a program."""

    def __init__(self, glob: str, program: _Program) -> None:
        self._glob = glob
        self._program = program
        self._at = 0
        # For each open brace: the choice at its start, the starts of its alternatives, its jumps to the end.
        self._braces: list[tuple[int, list[int], list[int]]] = []

    def compile(self) -> None:
        """Compile the whole glob."""
        glob = self._glob
        while self._at < len(glob):
            char = glob[self._at]
            if char == "*":
                self._stars()
            elif char == "[":
                self._class()
            elif char == "{":
                start = self._program.go()
                self._braces.append((start, [self._program.here], []))
                self._at += 1
            elif char in ",}" and self._braces:
                self._alternative_ends(last=char == "}")
            else:
                self._program.take(_not_slash if char == "?" else char.__eq__)
                self._at += 1
        if self._braces:
            raise InvalidRequest(f"The glob '{_shown(glob)}' has a '{{' without a '}}'.")

    def _stars(self) -> None:
        """Only `**` crosses folders; as a whole path segment it can also match no folder."""
        glob, at, program = self._glob, self._at, self._program
        if not glob.startswith("**", at):
            program.repeat(_not_slash)
            self._at += 1
        elif glob.startswith("/", at + 2) and (at == 0 or glob[at - 1] == "/"):
            start = program.go()
            program.take(_not_slash)
            program.repeat(_not_slash)
            program.take("/".__eq__)
            program.go(start)
            program.choices[start] = (start + 1, program.here)
            self._at += 3
        else:
            program.repeat(_anything)
            self._at += 2

    def _alternative_ends(self, *, last: bool) -> None:
        start, alternatives, jumps = self._braces[-1]
        jumps.append(self._program.go())
        self._at += 1
        if not last:
            alternatives.append(self._program.here)
            return
        self._braces.pop()
        self._program.choices[start] = tuple(alternatives)
        for jump in jumps:
            self._program.choices[jump] = (self._program.here,)

    def _class(self) -> None:
        glob, start = self._glob, self._at
        first = start + 2 if glob[start + 1 : start + 2] in ("!", "^") else start + 1
        # A `]` right at the start is a member of the class.
        end = glob.find("]", first + 1)
        if end < 0:
            raise InvalidRequest(f"The glob '{_shown(glob)}' has a '[' without a ']'.")
        self._program.take(_class_test(glob, glob[first:end], negated=first == start + 2))
        self._at = end + 1


def _class_test(glob: str, members: str, *, negated: bool) -> Test:
    """Test whether a character is in a class such as `a-z_`; a slash never is, it only separates."""
    single, ranges = set[str](), list[tuple[str, str]]()
    at = 0
    while at < len(members):
        low = members[at]
        if members[at + 1 : at + 2] == "-" and at + 2 < len(members):
            high = members[at + 2]
            if high < low:
                raise InvalidRequest(
                    f"The glob '{_shown(glob)}' has the range '{low}-{high}', which is empty."
                )
            ranges.append((low, high))
            at += 3
        else:
            single.add(low)
            at += 1

    def test(char: str) -> bool:
        inside = char in single or any(low <= char <= high for low, high in ranges)
        return inside != negated and char != "/"

    return test


def literal_glob(path: str) -> str:
    """A glob that matches exactly this path."""
    return "".join(f"[{char}]" if char in "*?[{" else char for char in path)


def _shown(glob: str) -> str:
    return glob if len(glob) <= _SHOWN_CHARACTERS else glob[:_SHOWN_CHARACTERS] + "…"


def _bounded(glob: str) -> None:
    """Reject a glob that exceeds a limit which no hand-written glob reaches."""
    for what, count, most in (
        ("characters", len(glob), _MOST_CHARACTERS),
        ("stars", glob.count("*"), _MOST_STARS),
        ("braces", glob.count("{"), _MOST_BRACES),
        ("alternatives", glob.count(",") if "{" in glob else 0, _MOST_ALTERNATIVES),
    ):
        if count > most:
            raise InvalidRequest(f"The glob '{_shown(glob)}' has {count} {what}; at most {most} are allowed.")


def _add_path(program: _Program, glob: str) -> None:
    """A glob without a slash matches at any depth; a folder matches everything below it."""
    _bounded(glob)
    anchored = glob.removeprefix("./").replace("\\", "/")
    body = anchored.strip("/")
    if not body:
        raise InvalidRequest(f"The glob '{glob}' matches nothing.")
    if "/" not in anchored.rstrip("/"):
        start = program.go()
        program.repeat(_anything)
        program.take("/".__eq__)
        program.choices[start] = (start + 1, program.here)
    _Compiler(body, program).compile()
    below = program.go()
    program.take("/".__eq__)
    program.repeat(_anything)
    program.choices[below] = (below + 1, program.here)


@lru_cache(maxsize=_CACHE_SIZE)
def path_pattern(*globs: str) -> Pattern:
    """Matches a whole path that matches any of the globs."""
    if len(globs) > _MOST_GLOBS:
        raise InvalidRequest(f"A filter has {len(globs)} globs; at most {_MOST_GLOBS} are allowed.")
    program = _Program()
    start, starts, jumps = program.go(), list[int](), list[int]()
    for glob in globs:
        starts.append(program.here)
        _add_path(program, glob)
        jumps.append(program.go())
    program.choices[start] = tuple(starts)
    for jump in jumps:
        program.choices[jump] = (program.here,)
    return Pattern(program)


@lru_cache(maxsize=_CACHE_SIZE)
def name_pattern(glob: str) -> Pattern:
    """Matches a whole symbol name; without an upper-case letter, case does not matter."""
    _bounded(glob)
    program = _Program()
    _Compiler(glob, program).compile()
    return Pattern(program, ignore_case=not any(char.isupper() for char in glob))
