"""One connection to a server shared by many threads, like the parts of an editor."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from tests.benchmarks.lsp_client import TimedClient

_TIMEOUT = 120.0


class SharedClient(TimedClient):
    """A client with concurrent requests; each thread gets its own answer."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """Start the server and a thread that dispatches its messages."""
        super().__init__(environment=environment)
        self._sending = threading.Lock()
        self._waiting: dict[int, Future[Any]] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result; raise RuntimeError on an error response."""
        answer: Future[Any] = Future()
        with self._sending:
            msg_id = next(self._ids)
            self._waiting[msg_id] = answer
            self._send({"id": msg_id, "method": method, "params": params})
        return answer.result(_TIMEOUT)

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        with self._sending:
            super().notify(method, params)

    def _listen(self) -> None:
        try:
            while True:
                self._dispatch(self._receive())
        except (EOFError, OSError, ValueError) as end:
            for answer in list(self._waiting.values()):
                answer.set_exception(RuntimeError(f"the connection ended: {end}"))

    def _dispatch(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            answer = self._waiting.pop(message["id"])
            if "error" in message:
                answer.set_exception(RuntimeError(message["error"]["message"]))
            else:
                answer.set_result(message["result"])
        elif "id" in message:
            with self._sending:
                self._send({"id": message["id"], "result": None})
