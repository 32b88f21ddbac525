"""Pasted text: a bug report, a log, a stack trace. Its first line says most; the rest is read separately."""

from __future__ import annotations

import re
from typing import NamedTuple

from sightline.search.query import traces
from sightline.search.query.traces import Frame

# A text with more words than this is not a question.
_LONGEST_QUERY = 60
_LONGEST_TITLE = 300
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")
_SPACES = re.compile(r"\s+")


class Report(NamedTuple):
    """The first line of a pasted text, the rest, and the frames of its stack trace."""

    title: str
    body: str
    frames: tuple[Frame, ...]


def read_report(text: str) -> Report | None:
    """Split a pasted text into its parts; None if it is an ordinary one-line query."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    frames = traces.frames(text)
    if len(lines) < 2 and len(text.split()) <= _LONGEST_QUERY and not frames:
        return None
    # An editor's input box joins the lines of a pasted text.
    title, _, rest = text.strip().partition("\n") if len(lines) > 1 else _first_sentence(text.strip())
    return Report(_flat(title[:_LONGEST_TITLE]), _flat(title[_LONGEST_TITLE:] + " " + rest), frames)


def _first_sentence(text: str) -> tuple[str, str, str]:
    parts = _SENTENCE_END.split(text, maxsplit=1)
    return parts[0], "", parts[1] if len(parts) > 1 else ""


def _flat(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
