"""Messages are found in the stream however it is cut, and sending never blocks."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from sightline.lsp.transport import Channel, Framing, Writer, read_messages


def _frame(body: bytes, header: str = "Content-Length") -> bytes:
    return f"{header}: {len(body)}\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n".encode() + body


@given(st.lists(st.binary(max_size=50), max_size=6), st.lists(st.integers(1, 40), max_size=30))
def test_bodies_are_found_however_the_stream_is_cut(bodies: list[bytes], cuts: list[int]) -> None:
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
def test_any_bytes_are_taken_without_an_error(data: bytes) -> None:
    list(Framing().feed(data))


def test_an_endless_header_does_not_fill_the_memory() -> None:
    framing = Framing()
    for _ in range(100):
        assert list(framing.feed(b"x" * 10_000)) == []
    assert list(framing.feed(b"\r\n\r\n" + _frame(b"{}"))) == [b"{}"]


def test_a_client_that_does_not_read_does_not_stop_the_writer() -> None:
    blocked, sent = threading.Event(), list[bytes]()

    def write(data: bytes) -> None:
        blocked.wait(10)
        sent.append(data)

    writer = Writer(write)
    for number in range(100):
        writer.write(b"%d" % number)
    blocked.set()
    writer.close(10)
    assert sent == [b"%d" % number for number in range(100)]


def test_the_end_of_the_stream_is_told_after_the_last_message() -> None:
    pieces, events, done = [_frame(b"1") + _frame(b"2"), b""], list[bytes | str](), threading.Event()

    def ended() -> None:
        events.append("end")
        done.set()

    read_messages(Channel(lambda: pieces.pop(0), lambda _: None), events.append, ended)
    assert done.wait(10)
    assert events == [b"1", b"2", "end"]


def test_a_broken_connection_is_an_end() -> None:
    done = threading.Event()

    def read() -> bytes:
        raise ConnectionResetError("gone")

    read_messages(Channel(read, lambda _: None), lambda _: None, done.set)
    assert done.wait(10)
