"""A client that can send any message to a server in a separate process."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sightline.lsp.transport import Framing
from sightline.requests.uris import from_path
from tests.files import write_files

SERVE = (sys.executable, "-m", "sightline", "serve")
TIMEOUT_SECONDS = 120.0
_POLL_SECONDS = 0.05


def environment(home: Path) -> dict[str, str]:
    """An environment in which a server finds only the settings and indexes of the test."""
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "SIGHTLINE_CACHE_DIR": str(home / "cache"),
    }


def initialize_params(
    root: Path | None, capabilities: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """The params of initialize for one folder."""
    return {
        "processId": os.getpid(),
        "rootUri": from_path(str(root)) if root else None,
        "capabilities": capabilities or {},
        **more,
    }


class RawClient:
    """A client that sends any message it is given, and answers the server's requests."""

    def __init__(
        self, home: Path, command: tuple[str, ...] = SERVE, variables: Mapping[str, str] | None = None
    ) -> None:
        """Start a server, in the test environment unless variables are given."""
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables or environment(home)
        )
        self.settings: dict[str, Any] = {}
        self.root = Path()
        self.answer_requests = True
        self.replies: dict[str, list[Any]] = {}
        self.asked: list[dict[str, Any]] = []
        self._notifications: list[dict[str, Any]] = []
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._answers: dict[Any, dict[str, Any]] = {}
        self._ids = 0
        self._started = time.monotonic()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def seconds(self) -> float:
        """How long the server has been running."""
        return time.monotonic() - self._started

    def send_bytes(self, *bodies: bytes) -> None:
        """Send framed bodies with any content, all at once."""
        assert self.process.stdin is not None
        self.process.stdin.write(
            b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)
        )
        self.process.stdin.flush()

    def send(self, *messages: Mapping[str, Any]) -> None:
        """Send messages, all at once."""
        self.send_bytes(*(json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages))

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and return its id."""
        self._ids += 1
        self.send({"id": self._ids, "method": method, "params": params})
        return self._ids

    def answer(self, msg_id: Any, timeout: float = TIMEOUT_SECONDS) -> dict[str, Any]:
        """Wait for the complete response to a request."""
        self.wait(lambda: msg_id in self._answers, timeout)
        return self._answers.pop(msg_id)

    def request(self, method: str, params: Any = None, timeout: float = TIMEOUT_SECONDS) -> Any:
        """Send a request and return its result."""
        answer = self.answer(self.ask(method, params), timeout)
        assert "error" not in answer, answer
        return answer["result"]

    def start(self, root: Path | None, capabilities: dict[str, Any] | None = None, **more: Any) -> Any:
        """Do the handshake."""
        self.root = root or Path()
        result = self.request("initialize", initialize_params(root, capabilities, **more))
        self.notify("initialized", {})
        return result

    def save(self, path: str, text: str) -> None:
        """Write a file of the project and send didSave."""
        write_files(self.root, {path: text})
        self.notify("textDocument/didSave", {"textDocument": {"uri": from_path(str(self.root / path))}})

    def search(self, query: str, mode: str = "hybrid") -> list[str]:
        """The paths of the results of a search."""
        answer = self.request("workspace/semanticSearch", {"query": query, "mode": mode})
        return [hit["path"] for hit in answer["results"]]

    def notified(self, method: str) -> list[dict[str, Any]]:
        """The params of the notifications of a method that were received so far."""
        return [message["params"] for message in self._notifications if message["method"] == method]

    def shown(self) -> list[str]:
        """The messages that the user has seen."""
        return [params["message"] for params in self.notified("window/showMessage")]

    def wait(self, condition: Callable[[], bool], timeout: float = TIMEOUT_SECONDS) -> None:
        """Process messages until a condition holds; not every change is followed by a message."""
        deadline = time.monotonic() + timeout
        while not condition():
            try:
                message = self._inbox.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                assert time.monotonic() < deadline, f"the condition does not hold after {timeout} s"
                continue
            if message is None:
                raise AssertionError("the server closed the connection")
            self._take(message)

    def wait_ready(self, timeout: float = TIMEOUT_SECONDS) -> None:
        """Wait until every folder is indexed."""
        self.wait(self._is_ready, timeout)

    def stop(self) -> int:
        """Shut down as the protocol says."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(TIMEOUT_SECONDS)

    def end(self) -> None:
        """End the process if it still runs, and close the pipes."""
        self.process.kill()
        self.process.wait(TIMEOUT_SECONDS)
        self._reader.join(TIMEOUT_SECONDS)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _is_ready(self) -> bool:
        folders = self.request("workspace/indexStatus", {})["folders"]
        return all(folder["state"] == "ready" for folder in folders)

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self._answers[message.get("id")] = message
        elif "id" in message:
            self.asked.append(message)
            if not self.answer_requests:
                return
            self.send({"id": message["id"], "result": self._reply(message)})
        else:
            self._notifications.append(message)

    def _reply(self, question: dict[str, Any]) -> Any:
        if recorded := self.replies.get(question["method"]):
            return recorded[0]
        if question["method"] == "workspace/configuration":
            return [self.settings for _ in question["params"]["items"]]
        return None

    def _read(self) -> None:
        assert self.process.stdout is not None
        framing = Framing()
        while data := os.read(self.process.stdout.fileno(), 1 << 16):
            for body in framing.feed(data):
                self._inbox.put(json.loads(body))
        self._inbox.put(None)
