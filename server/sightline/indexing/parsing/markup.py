"""The headings of Markdown and reStructuredText as nested sections, and the links between documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from sightline.indexing.parsing.captures import MAX_DEFINITIONS, Captures, Definition, Span

_LINE = re.compile(rb"[^\n]+")
_FENCE = re.compile(rb"[ ]{0,3}(`{3,}|~{3,})")
_ATX = re.compile(rb"[ ]{0,3}(#{1,6})[ \t]+(\S.*)")
_SETEXT = re.compile(rb"[ ]{0,3}(=+|-+)[ \t]*\r?$")
_NO_TITLE = re.compile(rb"\s*$|[ ]{0,3}(?:[>|#]|[-*+] |\d+[.)] |```|~~~|---|:::|\s*<)|[ ]{4}")
_UNDERLINE = re.compile(rb"([=\-`:.'\"~^_*+#])\1{2,}[ \t]*\r?$")
_FRONT_MATTER = re.compile(rb"---\r?\n.*?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
_LINK = re.compile(rb"\]\(\s*<?([^()\s>]+)|\[\[([^\]|#\n]{1,200})|^\[[^\]\n]+\]:[ \t]*(\S+)", re.MULTILINE)
_RST_LINK = re.compile(rb":(?:doc|ref|file):`(?:[^`<\n]*<)?([^`>\n]+)>?`|^\.\. include:: (\S+)", re.MULTILINE)

Heading = tuple[int, int, int, int]
"""Level, start of the line, start and end of the title."""


def sections(source: bytes, language: str) -> Captures:
    """Every heading as a definition that reaches to the next heading of its level or above."""
    headings = _rst_headings(source) if language == "rst" else _markdown_headings(source)
    links = _RST_LINK if language == "rst" else _LINK
    found = Captures(imports=[_target(link) for link in links.finditer(source)])
    found.definitions = _nested(list(islice(headings, MAX_DEFINITIONS)), source)
    return found


def _target(link: re.Match[bytes]) -> Span:
    return link.span(link.lastindex or 0)


def _nested(headings: list[Heading], source: bytes) -> list[Definition]:
    definitions: list[Definition] = []
    open_sections: list[tuple[int, Definition]] = []
    for level, start, name_start, name_end in headings:
        while open_sections and open_sections[-1][0] >= level:
            open_sections.pop()[1].end = start
        section = Definition(
            kind="section",
            name=source[name_start:name_end].decode("utf-8", "replace"),
            start=start,
            head=start,
            end=len(source),
            name_start=name_start,
            name_end=name_end,
            node=None,
        )
        definitions.append(section)
        open_sections.append((level, section))
    return definitions


def _lines(source: bytes, start: int = 0) -> Iterator[tuple[int, bytes, bool]]:
    """Every non-empty line: its start, its text, and whether the line before it was empty."""
    end = -1
    for line in _LINE.finditer(source, start):
        yield line.start(), line.group(), line.start() != end + 1
        end = line.end()


def _markdown_headings(source: bytes) -> Iterator[Heading]:
    front = _FRONT_MATTER.match(source)
    fence = b""
    previous: tuple[int, bytes] | None = None
    for start, line, after_empty in _lines(source, front.end() if front else 0):
        mark = _FENCE.match(line)
        if fence or mark:
            fence = _fence_after(fence, mark)
            previous = None
            continue
        atx = _ATX.match(line)
        under = _SETEXT.match(line) if previous and not after_empty else None
        if atx:
            title = atx.group(2).rstrip().rstrip(b"#").rstrip()
            yield len(atx.group(1)), start, start + atx.start(2), start + atx.start(2) + len(title)
        elif under and previous:
            yield 1 if under.group(1)[:1] == b"=" else 2, previous[0], *_trimmed(*previous)
        previous = None if atx or under or _NO_TITLE.match(line) else (start, line)


def _fence_after(fence: bytes, mark: re.Match[bytes] | None) -> bytes:
    """The fence that is open after a line; the closing fence is at least as long as the opening one."""
    if not mark:
        return fence
    if not fence:
        return mark.group(1)
    return b"" if mark.group(1).startswith(fence) else fence


def _rst_headings(source: bytes) -> Iterator[Heading]:
    levels: dict[bytes, int] = {}
    previous: tuple[int, bytes] | None = None
    for start, line, after_empty in _lines(source):
        under = _UNDERLINE.match(line)
        if under and previous and not after_empty and len(line.rstrip()) >= len(previous[1].strip()):
            yield levels.setdefault(under.group(1), len(levels) + 1), previous[0], *_trimmed(*previous)
        previous = (start, line) if not under and line.strip() and not line[:1].isspace() else None


def _trimmed(start: int, line: bytes) -> tuple[int, int]:
    bare = line.strip()
    first = start + line.index(bare)
    return first, first + len(bare)
