"""`sightline serve`: runs the language server until the client disconnects."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import sys
from typing import TYPE_CHECKING

from sightline.lsp.event_loop import call_on_loop
from sightline.lsp.transport import Channel, Receiver, Writer, read_messages, stdio_channel, tcp_channel
from sightline.processes.serving import end_within, log_to_stderr

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

_CLOSE_SECONDS = 2.0
# Library threads may still run at the end; the editor must not wait for them.
_LINGER_SECONDS = 0.5
_LAST_RESORT_SECONDS = 4.0


def serve(tcp: tuple[str, int] | None) -> int:
    """Serve one client on stdio, or on a loopback address for debugging; returns the exit code."""
    log_to_stderr()
    if tcp is None:
        # Before any heavy import: a library that prints would break the protocol.
        return _serve_channel(stdio_channel())
    if not _is_loopback(tcp[0]):
        print(f"{tcp[0]} is not a loopback address; the server has no authentication", file=sys.stderr)
        return 2
    return _serve_channel(tcp_channel(*tcp))


def _serve_channel(channel: Channel) -> int:
    from sightline.lsp.server import SightlineServer

    server = SightlineServer()
    server.ended.add_done_callback(lambda ended: end_within(_LAST_RESORT_SECONDS, ended.result()))
    writer = Writer(channel.write, server.end)
    server.protocol.set_writer(writer)
    code = asyncio.run(_run(server, channel, writer))
    server.session.close(_CLOSE_SECONDS)
    writer.close()
    server.session.wait_closed(_CLOSE_SECONDS)
    end_within(_LINGER_SECONDS, code)
    return code


async def _run(server: SightlineServer, channel: Channel, writer: Writer) -> int:
    """Handle messages until exit, the end of the stream, the end of the parent process, or a signal."""
    loop = asyncio.get_running_loop()

    def end_soon(*_: object) -> None:
        # On the loop, so that messages received before the end of the stream are handled first.
        call_on_loop(loop, server.end)

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, end_soon)
    receiver = Receiver(
        receive=lambda body: call_on_loop(loop, server.protocol.receive, body),
        refuse=lambda length: call_on_loop(loop, server.protocol.refuse_length, length),
        ended=end_soon,
        ready=writer.wait_for_room,
    )
    read_messages(channel, receiver)
    return await asyncio.wrap_future(server.ended)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
