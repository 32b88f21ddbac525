"""A model hub on the loopback interface that implements only what one model download needs."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_REVISION = "0123456789abcdef0123456789abcdef01234567"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, *arguments: object) -> None:
        self._folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, *_: object) -> None:
        """Log nothing: the tests check the client, not the hub."""

    def _answer(self, with_body: bool) -> None:
        path = self.path.partition("?")[0]
        file = self._folder / path.rpartition("/")[2]
        if "/resolve/" in path and not file.is_file():
            body, code = b"", 404
        elif "/resolve/" in path:
            body, code = file.read_bytes(), 200
        else:
            body, code = json.dumps(self._tree() if "/tree/" in path else self._model()).encode(), 200
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{hashlib.sha1(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", _REVISION)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _model(self) -> dict[str, object]:
        files = [{"rfilename": file.name} for file in self._folder.iterdir()]
        return {"id": "owner/model", "sha": _REVISION, "siblings": files}

    def _tree(self) -> list[dict[str, object]]:
        return [
            {
                "type": "file",
                "path": file.name,
                "size": file.stat().st_size,
                "oid": hashlib.sha1(file.read_bytes()).hexdigest(),
            }
            for file in self._folder.iterdir()
        ]


@contextmanager
def model_hub(folder: Path) -> Iterator[str]:
    """Serve the files of a folder as any requested model; yield the address of the hub."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
