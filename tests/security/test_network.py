"""No data leaves the machine, and no outside connection is accepted."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.raw_client import RawClient
from tests.security.harness import PROGRAM, Home

# Vectors are stored in Chroma, so that its process is watched too.
_THROUGH_CHROMA = "[search]\nexact_limit = 0\n"
# urllib3, a dependency of Chroma and fastembed, checks on import whether this machine supports IPv6.
_IPV6_PROBE = "('::1', 0)"
_TABLES = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")


@pytest.fixture
def server(home: Home, project: Path) -> Iterator[RawClient]:
    """A language server that has indexed the project."""
    home.set(_THROUGH_CHROMA)
    client = RawClient(home.folder, (str(PROGRAM), "serve"))
    client.start(project)
    client.wait_ready()
    yield client
    client.end()


def test_indexing_and_searching_work_without_a_network(home: Home, project: Path) -> None:
    alone = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("no network namespaces here: work without a network NOT TESTED")
    home.set(_THROUGH_CHROMA)
    hits = home.search("take money from a card", project, before=alone)
    assert hits[0]["path"] == "src/basket.py"
    assert hits[0]["match"] in ("both", "semantic")


def test_no_process_opens_a_connection(home: Home, project: Path) -> None:
    home.set(_THROUGH_CHROMA)
    for arguments in (("index", project), ("search", "credit card", project), ("doctor",)):
        done = home.run(*arguments, watched=True)
        assert done.returncode == 0, done.stderr
    assert any("chroma_process" in command for command in home.events("start"))
    assert home.events("network") == []
    assert set(home.events("bind")) <= {_IPV6_PROBE}
    assert all(Path(name).is_relative_to(home.cache) for name in home.events("bind to a file"))


def test_the_mcp_server_opens_no_connection(home: Home, project: Path) -> None:
    command = [str(PROGRAM), "mcp", "--folder", str(project)]
    environment = home.environment(watched=True)
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert home.events("network") == []
    assert set(home.events("bind")) <= {_IPV6_PROBE}
    assert all(Path(name).is_relative_to(home.cache) for name in home.events("bind to a file"))


def test_a_stdio_server_has_no_listening_socket(server: RawClient) -> None:
    if not Path("/proc/self/net").exists():
        pytest.skip("no /proc here: open sockets NOT TESTED")
    assert server.request("workspace/semanticSearch", {"query": "credit card"})["results"]
    processes = [server.process.pid, *_children(server.process.pid)]
    assert len(processes) > 1, "Chroma's process should be there"
    assert [name for pid in processes for name in _internet_sockets(pid)] == []


def test_a_debugging_server_listens_on_loopback_only() -> None:
    done = subprocess.run([PROGRAM, "serve", "--tcp", "0.0.0.0:9"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "must be a whole number" in done.stderr


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in found for child in file.read_text().split()]


def _internet_sockets(pid: int) -> list[str]:
    own = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(descriptor)
        except FileNotFoundError:
            # It was closed since it was listed.
            continue
        if target.startswith("socket:["):
            own.add(target[len("socket:[") : -1])
    rows = [
        (name, line.split())
        for name in _TABLES
        if (table := Path(f"/proc/{pid}/net/{name}")).exists()
        for line in table.read_text().splitlines()[1:]
    ]
    return [f"{name} {row[1]}" for name, row in rows if row[9] in own]
