"""Errors that are meant to be read by a person."""

from __future__ import annotations


class SightlineError(Exception):
    """Something the user can act on: the message says what happened and what to do next."""


class InvalidRequest(SightlineError):
    """The caller asked for something that cannot be answered as written."""


class IndexUnavailable(SightlineError):
    """The index of a folder cannot be opened or written."""


class Cancelled(SightlineError):
    """The caller no longer wants the answer."""
