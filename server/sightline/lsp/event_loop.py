"""Hands calls from any thread to the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)


def call_on_loop(loop: asyncio.AbstractEventLoop, action: Callable[..., None], *values: object) -> None:
    """Call something on the loop; after the loop's end nobody listens, and that is fine."""
    try:
        loop.call_soon_threadsafe(action, *values)
    except RuntimeError:
        logger.debug("the conversation is over")
