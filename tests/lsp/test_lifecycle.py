"""Start and end: quick, clean, and for every way in which a client can disconnect."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline import __version__
from tests.lsp.project import write_modules
from tests.lsp.raw_client import TIMEOUT_SECONDS, RawClient

MakeClient = Callable[..., RawClient]


def test_initialize_reports_name_version_and_encoding(make_client: MakeClient, project: Path) -> None:
    result = make_client().start(project)
    assert result["serverInfo"] == {"name": "sightline", "version": __version__}
    assert result["capabilities"]["positionEncoding"] == "utf-16"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_the_first_encoding_the_client_offers_is_used(make_client: MakeClient, encoding: str) -> None:
    result = make_client().start(None, {"general": {"positionEncodings": [encoding, "utf-16"]}})
    assert result["capabilities"]["positionEncoding"] == encoding


def test_a_missing_folder_is_named_in_a_message_and_skipped(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    virtual = "vscode-vfs://github/owner/name"
    folders = [{"uri": uri, "name": "folder"} for uri in (virtual, project.as_uri())]
    client.start(project, workspaceFolders=folders)
    client.wait_ready()
    logged = [params["message"] for params in client.notified("window/logMessage")]
    assert any(virtual in message and "is not indexed" in message for message in logged), logged
    assert len(client.request("workspace/indexStatus", {})["folders"]) == 1


def test_shutdown_and_exit_end_with_success(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.start(project)
    assert client.stop() == 0


def test_exit_without_shutdown_ends_with_failure(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.start(project)
    client.notify("exit")
    assert client.process.wait(TIMEOUT_SECONDS) == 1


def test_end_of_stdin_ends_the_server(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.start(project)
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(TIMEOUT_SECONDS) == 1


def test_end_of_stdin_before_initialize_ends_the_server(make_client: MakeClient) -> None:
    client = make_client()
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(TIMEOUT_SECONDS) == 1


def test_the_server_ends_when_its_parent_process_ends(make_client: MakeClient, project: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    client = make_client()
    client.start(project, processId=parent.pid)
    parent.communicate(b"\n")
    assert client.process.wait(TIMEOUT_SECONDS) == 1


@pytest.mark.skipif(os.name == "nt", reason="on Windows a signal kills the process")
def test_sigterm_ends_the_server(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.start(project)
    client.process.send_signal(signal.SIGTERM)
    assert client.process.wait(TIMEOUT_SECONDS) == 1


def test_shutdown_is_prompt_while_indexing(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client()
    client.start(write_modules(tmp_path / "large", files=400, functions=200))
    client.wait(lambda: bool(client.request("workspace/indexStatus", {})["folders"][0]["filesTotal"]))
    started = time.monotonic()
    assert client.stop() == 0
    # Not a measurement: far less than indexing this takes, far more than a working shutdown needs.
    assert time.monotonic() - started < 30


def test_requests_before_initialize_and_after_shutdown_are_refused(make_client: MakeClient) -> None:
    client = make_client()
    assert client.answer(client.ask("workspace/indexStatus"))["error"]["code"] == -32002
    client.start(None)
    again = client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert client.answer(again)["error"]["code"] == -32600
    client.request("shutdown")
    assert client.answer(client.ask("workspace/indexStatus"))["error"]["code"] == -32600


def test_output_printed_by_libraries_does_not_reach_the_protocol(
    make_client: MakeClient, project: Path
) -> None:
    noisy = (
        "import os, sys, subprocess\n"
        "import sightline.lsp.server as server\n"
        "class Noisy(server.SightlineServer):\n"
        "    def __init__(self):\n"
        "        print('printed'); os.write(1, b'written'); sys.__stdout__.flush()\n"
        "        subprocess.run([sys.executable, '-c', 'print(1)'])\n"
        "        super().__init__()\n"
        "server.SightlineServer = Noisy\n"
        "from sightline.lsp.serve import serve\n"
        "sys.exit(serve(None))"
    )
    client = make_client((sys.executable, "-c", noisy))
    client.start(project)
    assert client.stop() == 0


def test_without_a_folder_searches_find_nothing_and_say_why(make_client: MakeClient) -> None:
    client = make_client()
    client.start(None)
    answer = client.request("workspace/semanticSearch", {"query": "anything"})
    assert answer["results"] == []
    assert client.request("workspace/indexStatus", {})["folders"] == []


def test_a_client_that_never_sends_its_settings_is_served(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.answer_requests = False
    client.start(project, {"workspace": {"configuration": True}})
    assert client.request("workspace/indexStatus", {})["folders"]


def test_tcp_serves_on_loopback_only() -> None:
    code = "import sys; from sightline.lsp.serve import serve; sys.exit(serve(('0.0.0.0', 0)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert "loopback" in run.stderr
