"""Schedules calls from any thread on the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)


def call_on_loop(loop: asyncio.AbstractEventLoop, action: Callable[..., None], *values: object) -> None:
    """Call a function on the loop; ignored after the loop has ended, when the client is gone."""
    try:
        loop.call_soon_threadsafe(action, *values)
    except RuntimeError:
        logger.debug("the event loop has ended")
