"""A minimal client for timing: it sends, waits, and does nothing else."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks.processes import compiled

_SERVER = (sys.executable, "-m", "sightline", "serve")


class TimedClient:
    """A client of a server process that sends one request at a time."""

    def __init__(
        self, command: tuple[str, ...] = _SERVER, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start the process."""
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**compiled(), **(environment or {})},
        )
        self._ids = itertools.count(1)

    def initialize(self, root: Path, settings: Mapping[str, Any] | None = None) -> None:
        """Do the handshake."""
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "capabilities": {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}},
                "initializationOptions": settings or {},
            },
        )
        self.notify("initialized", {})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """Send a request and return its result; answer or drop messages that arrive before it."""
        msg_id = next(self._ids)
        self._send({"id": msg_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" in message:
                if "id" in message:
                    self._send({"id": message["id"], "result": None})
            elif message["id"] == msg_id:
                if "error" in message:
                    raise RuntimeError(message["error"]["message"])
                return message["result"]

    def wait_ready(self, seconds: float = 1800) -> dict[str, Any]:
        """Wait until the folder is indexed and return its status."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            folder: dict[str, Any] = self.request("workspace/indexStatus", {})["folders"][0]
            if folder["state"] == "ready":
                return folder
            time.sleep(0.2)
        raise TimeoutError("the folder is not indexed")

    def close(self) -> None:
        """End the server."""
        self.process.kill()
        self.process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise EOFError("the server closed the connection")
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        return dict(json.loads(self.process.stdout.read(length)))
