"""Transports messages: a framing parser, and reader and writer threads so the event loop never blocks."""

from __future__ import annotations

import logging
import os
import queue
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sightline.platforms import pass_bytes

_CONTENT_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,10})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_CHUNK = 1 << 16
_HEADER_END = b"\r\n\r\n"
# A longer header block is invalid: drop it, except for what may be the start of its end mark.
_LONGEST_HEADER = 1 << 14
# Editors do not send larger documents; the limit keeps a wrong length from filling the memory.
_LONGEST_BODY = 1 << 27
# Limits of the bytes queued for a client that does not read: pause its requests, then disconnect it.
_PAUSE_BYTES = 1 << 24
_DISCONNECT_BYTES = 1 << 28

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Channel:
    """The two blocking ends of a connection; an empty read means the client is gone."""

    read: Callable[[], bytes]
    write: Callable[[bytes], None]


class Framing:
    """Splits a stream of bytes into message bodies; one that is too long is refused and skipped."""

    def __init__(self, refuse: Callable[[int], None] = lambda _: None) -> None:
        """Start between messages."""
        self._refuse = refuse
        self._buffer = bytearray()
        self._wanted: int | None = None
        self._to_skip = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Add bytes and yield every body they complete."""
        self._buffer += data
        while True:
            passed = min(self._to_skip, len(self._buffer))
            del self._buffer[:passed]
            self._to_skip -= passed
            if self._to_skip:
                return
            if self._wanted is None and not self._header():
                return
            if self._wanted is None:
                continue
            if len(self._buffer) < self._wanted:
                return
            body = bytes(self._buffer[: self._wanted])
            del self._buffer[: self._wanted]
            self._wanted = None
            yield body

    def _header(self) -> bool:
        """Parse one header block if it is complete; skips a block without a length."""
        end = self._buffer.find(_HEADER_END)
        if end < 0:
            if len(self._buffer) > _LONGEST_HEADER:
                del self._buffer[: -len(_HEADER_END)]
            return False
        match = _CONTENT_LENGTH.search(bytes(self._buffer[:end]).replace(b"\r\n", b"\n"))
        del self._buffer[: end + len(_HEADER_END)]
        length = int(match.group(1)) if match is not None else None
        if length is not None and length > _LONGEST_BODY:
            self._to_skip = length
            self._refuse(length)
        else:
            self._wanted = length
        return True


class Writer:
    """Sends in the background, in order: a client that does not read blocks neither the loop nor others.

    The queue is bounded: first the client's requests are no longer read, then it is disconnected.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        disconnect: Callable[[], None],
        room: int = _PAUSE_BYTES,
        most: int = _DISCONNECT_BYTES,
    ) -> None:
        """Start the thread that owns the sending end."""
        self._write = write
        self._disconnect = disconnect
        self._room, self._most = room, most
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="sightline-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue one message; dropped once the client is gone or disconnected."""
        with self._changed:
            if self._closed:
                return
            self._waiting += len(data)
            stuck = self._waiting > self._most
        if stuck:
            logger.error("the client does not read its messages; disconnecting it")
            self._end()
            self._disconnect()
        else:
            self._queue.put(data)

    def wait_for_room(self) -> None:
        """Wait while the queue is over its first limit."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting <= self._room)

    def close(self, timeout: float = 1.0) -> None:
        """Send what is queued, up to a timeout."""
        self._queue.put(None)
        self._thread.join(timeout)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._write(data)
            except OSError as error:
                # The reader detects the same loss and ends the process.
                logger.info("the client no longer reads: %s", error)
                self._end()
                return
            with self._changed:
                self._waiting -= len(data)
                self._changed.notify_all()

    def _end(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class Receiver:
    """The callbacks for a client's messages; `ready` may block before more is read."""

    receive: Callable[[bytes], None]
    refuse: Callable[[int], None]
    ended: Callable[[], None]
    ready: Callable[[], None] = lambda: None


def read_messages(channel: Channel, to: Receiver) -> None:
    """Start the thread that passes on every body, and then the end of the stream."""

    def run() -> None:
        framing = Framing(to.refuse)
        try:
            while data := channel.read():
                for body in framing.feed(data):
                    to.receive(body)
                to.ready()
        except OSError as error:
            logger.info("the connection broke: %s", error)
        to.ended()

    threading.Thread(target=run, name="sightline-reader", daemon=True).start()


def stdio_channel() -> Channel:
    """Reserve stdin and stdout for the protocol; from now on, all other output goes to stderr."""
    source, target = os.dup(0), os.dup(1)
    pass_bytes(source, target)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2 if _is_open(2) else nothing, 1)
    sys.stdout = sys.stderr
    return Channel(read=lambda: os.read(source, _CHUNK), write=lambda data: _write_all(target, data))


def tcp_channel(host: str, port: int) -> Channel:
    """Wait for one client on a loopback address; for debugging."""
    with socket.create_server((host, port), family=_family(host)) as listener:
        address = listener.getsockname()
        print(f"listening on {address[0]}:{address[1]}", file=sys.stderr, flush=True)
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Channel(read=lambda: connection.recv(_CHUNK), write=connection.sendall)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
