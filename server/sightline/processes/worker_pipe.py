"""The child's end of a worker process: requests come in on stdin, replies go out where stdout was."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any

from sightline.platforms import lower_priority, pass_bytes

# The number of the request, the name of what is to be done, and its arguments.
Request = tuple[int, str, tuple[Any, ...]]
# The number of the request, whether it went well, and its value or the sentence that says why not.
Reply = tuple[int, bool, Any]


def pipes(niceness: int) -> tuple[IO[bytes], IO[bytes]]:
    """Both ends for ourselves: whatever a library prints goes to stderr; people's own work goes first."""
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
    """What an operation gave, or why it could not."""
    try:
        return number, True, operation(*arguments)
    except BaseException as error:  # pyo3 panics are no Exception, and every failure is the parent's to judge
        return number, False, f"{type(error).__name__}: {error}"


def send(replies: IO[bytes], reply: Reply) -> None:
    """Give the parent its answer."""
    pickle.dump(reply, replies, protocol=5)
    replies.flush()
