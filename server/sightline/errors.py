"""Errors whose messages are for the user."""

from __future__ import annotations

from collections.abc import Callable


class SightlineError(Exception):
    """An error the user can act on: the message says what happened and what to do next."""


class InvalidRequest(SightlineError):
    """The request is invalid as written."""


class IndexUnavailable(SightlineError):
    """The index of a folder cannot be opened or written."""


class Cancelled(SightlineError):
    """The caller no longer wants the answer."""


def stop_if(cancelled: Callable[[], bool] | None) -> None:
    """Raise Cancelled if the caller no longer waits for the answer."""
    if cancelled is not None and cancelled():
        raise Cancelled("The request was cancelled.")
