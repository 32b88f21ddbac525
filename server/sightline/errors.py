"""Errors that are meant to be read by a person."""

from __future__ import annotations

from collections.abc import Callable


class SightlineError(Exception):
    """Something the user can act on: the message says what happened and what to do next."""


class InvalidRequest(SightlineError):
    """The caller asked for something that cannot be answered as written."""


class IndexUnavailable(SightlineError):
    """The index of a folder cannot be opened or written."""


class Cancelled(SightlineError):
    """The caller no longer wants the answer."""


def stop_if(cancelled: Callable[[], bool] | None) -> None:
    """Raise Cancelled if the caller says that it does not wait any longer."""
    if cancelled is not None and cancelled():
        raise Cancelled("The request was cancelled.")
