"""Messages are parsed however the stream is split, and sending never blocks."""

from __future__ import annotations

import threading
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from sightline.lsp.transport import Channel, Framing, Receiver, Writer, read_messages

# Longer than any wait that is expected to end without help.
_LONG = 60.0


def _frame(body: bytes, header: str = "Content-Length") -> bytes:
    return f"{header}: {len(body)}\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n".encode() + body


def _nothing(*_: object) -> None:
    pass


def _not_called() -> None:
    raise AssertionError


def _waits_for(event: threading.Event) -> Callable[[bytes], None]:
    def write(_: bytes) -> None:
        event.wait(_LONG)

    return write


@given(st.lists(st.binary(max_size=50), max_size=6), st.lists(st.integers(1, 40), max_size=30))
def test_bodies_are_parsed_however_the_stream_is_split(bodies: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(_frame(body) for body in bodies)
    framing, found = Framing(), list[bytes]()
    for cut in [*cuts, len(stream)]:
        found.extend(framing.feed(stream[:cut]))
        stream = stream[cut:]
    assert found == bodies


def test_the_length_is_found_in_any_case_and_order() -> None:
    message = b"Content-Type: x\r\ncontent-length:2\r\n\r\n{}"
    assert list(Framing().feed(message)) == [b"{}"]


def test_a_header_without_a_length_is_skipped() -> None:
    assert list(Framing().feed(b"Nonsense: 1\r\n\r\n" + _frame(b"{}"))) == [b"{}"]


@given(st.binary(max_size=200))
def test_any_bytes_are_accepted_without_an_error(data: bytes) -> None:
    list(Framing().feed(data))


def test_an_endless_header_uses_bounded_memory() -> None:
    framing = Framing()
    for _ in range(100):
        assert list(framing.feed(b"x" * 10_000)) == []
    assert list(framing.feed(b"\r\n\r\n" + _frame(b"{}"))) == [b"{}"]


def test_a_length_over_the_limit_is_refused_and_the_body_skipped() -> None:
    refused = list[int]()
    framing = Framing(refused.append)
    length = (1 << 27) + 1
    assert list(framing.feed(b"Content-Length: %d\r\n\r\n" % length)) == []
    assert refused == [length]
    for _ in range(1 << 7):
        assert list(framing.feed(bytes(1 << 20))) == []
        assert len(framing._buffer) == 0
    assert list(framing.feed(b"x" + _frame(b"{}"))) == [b"{}"]


def test_reading_pauses_for_a_client_that_does_not_read() -> None:
    reads_again, room = threading.Event(), threading.Event()
    writer = Writer(_waits_for(reads_again), _not_called, room=100)
    for _ in range(3):
        writer.write(b"x" * 50)

    def wait() -> None:
        writer.wait_for_room()
        room.set()

    threading.Thread(target=wait, daemon=True).start()
    assert not room.wait(0.1)
    reads_again.set()
    assert room.wait(_LONG)
    writer.close(_LONG)


def test_a_client_that_never_reads_is_disconnected() -> None:
    blocked, stuck = threading.Event(), list[str]()
    writer = Writer(_waits_for(blocked), lambda: stuck.append("left"), room=10, most=100)
    for _ in range(1000):
        writer.write(b"x" * 50)
    assert stuck == ["left"]
    assert writer._queue.qsize() <= 2
    writer.wait_for_room()
    blocked.set()
    writer.close(_LONG)


def test_a_reader_does_not_wait_for_a_client_that_is_gone() -> None:
    def write(data: bytes) -> None:
        raise BrokenPipeError

    writer = Writer(write, _not_called, room=10)
    writer.write(b"x" * 50)
    writer.wait_for_room()
    writer.close(_LONG)


def test_a_client_that_does_not_read_does_not_stop_the_writer() -> None:
    blocked, sent = threading.Event(), list[bytes]()

    def write(data: bytes) -> None:
        blocked.wait(_LONG)
        sent.append(data)

    writer = Writer(write, _not_called)
    for number in range(100):
        writer.write(b"%d" % number)
    blocked.set()
    writer.close(_LONG)
    assert sent == [b"%d" % number for number in range(100)]


def test_the_end_of_the_stream_is_reported_after_the_last_message() -> None:
    pieces, events, done = [_frame(b"1") + _frame(b"2"), b""], list[bytes | str](), threading.Event()

    def ended() -> None:
        events.append("end")
        done.set()

    read_messages(Channel(lambda: pieces.pop(0), _nothing), Receiver(events.append, _nothing, ended))
    assert done.wait(_LONG)
    assert events == [b"1", b"2", "end"]


def test_a_broken_connection_ends_the_stream() -> None:
    done = threading.Event()

    def read() -> bytes:
        raise ConnectionResetError("gone")

    read_messages(Channel(read, _nothing), Receiver(_nothing, _nothing, done.set))
    assert done.wait(_LONG)
