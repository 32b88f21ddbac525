"""Writes one JSON line per stage, to see how an answer was computed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

Trace = Callable[[str], None]


class StageLog:
    """Reports each stage with the time since the last one; costs nothing without a listener."""

    def __init__(self, write: Trace | None) -> None:
        self._write = write
        self._last = time.perf_counter()

    def report(self, stage: str, **details: Any) -> None:
        """Write one line about a stage that has just finished."""
        if self._write is None:
            return
        now = time.perf_counter()
        line = {"stage": stage, "ms": round((now - self._last) * 1000, 3), **details}
        self._write(json.dumps(line, ensure_ascii=False, default=str))
        self._last = time.perf_counter()
