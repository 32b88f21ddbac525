"""What a workspace reports while it works: one stream of events, sent from any thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Phase = Literal["scanning", "reading", "embedding"]
Level = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The status of some folder may have changed; a listener that shows it must request it."""


class Message(NamedTuple):
    """A sentence for the user."""

    level: Level
    text: str


class IndexProgress(NamedTuple):
    """Progress of the work on one folder; `current` is the folder being read."""

    root: str
    done: int
    total: int
    phase: Phase
    current: str = ""
    finished: bool = False


Event: TypeAlias = "StatusChanged | Message | IndexProgress"
Listener: TypeAlias = Callable[[Event], None]
