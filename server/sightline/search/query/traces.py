"""Finds stack traces in pasted text: the files, lines and functions they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Frame(NamedTuple):
    """One frame of a stack trace; the line is 1-based."""

    path: str
    line: int
    function: str = ""


# An input box joins the lines of a pasted text: then frames begin at these words.
_STEPS = re.compile(r'\n|(?<=\s)(?=at |File "|from |#\d+ )')
# A longer line is not a frame of a trace; a limit for each line keeps the time linear for any text.
_LONGEST = 500
_MOST = 60
_LINE = r"(?P<line>\d+)"
_DIGIT = re.compile(r"\d")
# Each pattern is matched at the start of a line. Python lists the innermost call last, all others first.
_PYTHON = re.compile(rf'File "(?P<path>[^"]+)", line {_LINE}(?:, in (?P<function>\S+))?')
_OTHERS = (
    # C#: `at Name.Space.Type.Method(args) in C:\a\b.cs:line 12`.
    re.compile(rf"at (?P<function>[\w.`<>]+)\([^)]*\) in (?P<path>.+):line {_LINE}"),
    # Java, Kotlin, Scala: `at package.Type.method(File.java:12)`.
    re.compile(rf"at (?P<function>[\w.$<>/]+)\((?P<path>[\w$]+\.(?:java|kt|scala|groovy)):{_LINE}\)"),
    # JavaScript: `at name (a/b.js:12:5)`, `at a/b.js:12:5`; Rust: `at src/a.rs:12:5`.
    re.compile(
        rf"at (?:async )?(?:new )?(?:(?P<function>[^\s(]+) )?\(?(?:file://)?(?P<path>[^\s():]+):{_LINE}(?::\d+)?\)?$"
    ),
    # Ruby: a/b.rb:12:in `name'.
    re.compile(rf"(?:from )?(?P<path>[^\s:]+):{_LINE}:in [`'](?P<function>[^']+)'"),
    # PHP: `#0 a/b.php(12): Type->name()`.
    re.compile(rf"#\d+ (?P<path>[^\s(]+\.php)\({_LINE}\):(?: (?P<function>[^\s(]+)\()?"),
    # Go: `a/b.go:12 +0x1d` below `name(args)`.
    re.compile(rf"(?P<path>\S+\.go):{_LINE}(?: \+0x[0-9a-f]+)?$"),
    re.compile(rf"thread \S+ panicked at (?P<path>[^\s:]+):{_LINE}"),
)
# The line above a frame's location in Go and Rust: `main.(*Server).Serve(0xc0)`, `3: crate::module::name`.
_CALL_ABOVE = re.compile(r"(?:\d+: )?(?P<function>[^\s]+?)(?:::h[0-9a-f]{16})?(?:\([^()]*\))?$")
_SIMPLE = re.compile(r"\w+[!?]?$")


def frames(text: str) -> tuple[Frame, ...]:
    """The frames of the trace in a text, the innermost call first."""
    # A frame has a line number, and few queries have any.
    if not _DIGIT.search(text):
        return ()
    lines = (line.strip() for line in _STEPS.split(text))
    found = [line for line in lines if 0 < len(line) <= _LONGEST]
    last_first = [_frame(match) for line in found if (match := _PYTHON.match(line))]
    if last_first:
        return tuple(reversed(last_first))[:_MOST]
    return tuple(_others(found))[:_MOST]


def _others(lines: list[str]) -> Iterator[Frame]:
    for above, line in zip(["", *lines], lines, strict=False):
        match = next((match for pattern in _OTHERS if (match := pattern.match(line))), None)
        if match is not None:
            frame = _frame(match)
            yield frame if frame.function else Frame(frame.path, frame.line, _called(above))


def _called(line: str) -> str:
    match = _CALL_ABOVE.match(line)
    return _simple(match["function"]) if match else ""


def _frame(match: re.Match[str]) -> Frame:
    named = match.groupdict().get("function") or ""
    return Frame(match["path"].replace("\\", "/"), int(match["line"]), _simple(named))


def _simple(name: str) -> str:
    """The last part of a qualified name."""
    found = _SIMPLE.search(name.rstrip(">`')("))
    return found.group() if found else ""
