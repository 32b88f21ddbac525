"""Carries messages: a framing parser, and threads that read and write so the event loop never blocks."""

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

_CONTENT_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,10})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_CHUNK = 1 << 16
_HEADER_END = b"\r\n\r\n"
# A header block longer than this is no header: the stream is dropped up to the last piece of one.
_LONGEST_HEADER = 1 << 14

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Channel:
    """Two blocking ends of a conversation; an empty read means the client is gone."""

    read: Callable[[], bytes]
    write: Callable[[bytes], None]


class Framing:
    """Cuts a stream of bytes into the bodies of messages."""

    def __init__(self) -> None:
        """Start between messages."""
        self._buffer = bytearray()
        self._wanted: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take more bytes and give every body they complete."""
        self._buffer += data
        while True:
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
        """Read one header block if it is there; a block without a length is skipped."""
        end = self._buffer.find(_HEADER_END)
        if end < 0:
            if len(self._buffer) > _LONGEST_HEADER:
                del self._buffer[: -len(_HEADER_END)]
            return False
        match = _CONTENT_LENGTH.search(bytes(self._buffer[:end]).replace(b"\r\n", b"\n"))
        del self._buffer[: end + len(_HEADER_END)]
        if match is not None:
            self._wanted = int(match.group(1))
        return True


class Writer:
    """Sends in the background, in order: a client that does not read never stops the server."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        """Start the thread that owns the sending end."""
        self._write = write
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="sightline-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue one message."""
        self._queue.put(data)

    def close(self, timeout: float = 1.0) -> None:
        """Send what is queued, for a bounded time."""
        self._queue.put(None)
        self._thread.join(timeout)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._write(data)
            except OSError as error:
                # The reading side notices the same loss and ends the process.
                logger.info("the client no longer reads: %s", error)
                return


def read_messages(channel: Channel, receive: Callable[[bytes], None], ended: Callable[[], None]) -> None:
    """Start the thread that hands over every body, and then the end of the stream."""

    def run() -> None:
        framing = Framing()
        try:
            while data := channel.read():
                for body in framing.feed(data):
                    receive(body)
        except OSError as error:
            logger.info("the connection broke: %s", error)
        ended()

    threading.Thread(target=run, name="sightline-reader", daemon=True).start()


def stdio_channel() -> Channel:
    """Take stdin and stdout for the protocol; whatever else prints goes to stderr from here on."""
    source, target = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(target, os.O_BINARY)
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
