"""The child's side of a worker process: requests arrive on stdin, replies go to the original stdout."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any

from sightline.platforms import lower_priority, pass_bytes

# The number of the request, the name of the operation, and its arguments.
Request = tuple[int, str, tuple[Any, ...]]
# The number of the request, whether it succeeded, and its value or the error message.
Reply = tuple[int, bool, Any]


def pipes(niceness: int) -> tuple[IO[bytes], IO[bytes]]:
    """Reserve both pipes, so that library output goes to stderr, and give the user's own work priority."""
    pass_bytes(0, 1)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lower_priority(niceness)
    return sys.stdin.buffer, replies


def received(requests: IO[bytes]) -> Iterator[Request]:
    """Every request until the parent closes the pipe or dies."""
    while True:
        try:
            request: Request = pickle.load(requests)
        except (EOFError, pickle.UnpicklingError):
            return
        yield request


def run(operation: Callable[..., Any], number: int, arguments: tuple[Any, ...]) -> Reply:
    """The result of an operation, or why it failed."""
    try:
        return number, True, operation(*arguments)
    except BaseException as error:  # pyo3 panics are not an Exception, and the parent judges every failure
        return number, False, f"{type(error).__name__}: {error}"


def send(replies: IO[bytes], reply: Reply) -> None:
    """Send a reply to the parent."""
    pickle.dump(reply, replies, protocol=5)
    replies.flush()
