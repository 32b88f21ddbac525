"""Commands on every kind of stream: no encoding, closed descriptor or full disk ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.location import CACHE_VARIABLE
from tests.files import write_files

_CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"
_TEXT = f'def grüße_lesen(x):\n    """Liest 你好 → {_CLIPBOARD}"""\n    return x\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project in it, indexed by the first test that uses it."""
    home = tmp_path_factory.mktemp("streams")
    write_files(home / "project", {"gruss.py": _TEXT})
    return home


def _run(
    home: Path, *arguments: str, shell: str = "", encoding: str = "utf-8", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, CACHE_VARIABLE: str(home / "cache"), "PYTHONIOENCODING": encoding}
    environment["XDG_CONFIG_HOME"] = str(home)
    command = [sys.executable, "-m", "sightline", *arguments]
    if shell:
        command = ["sh", "-c", f'"$@" {shell}', "sh", *command]
    return subprocess.run(command, env=environment, cwd=cwd, capture_output=True, timeout=120)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_output_works_in_every_encoding(home: Path, encoding: str) -> None:
    for arguments in (("search", "grüße lesen"), ("symbols", "grüße_lesen"), ("index",)):
        done = _run(home, *arguments, str(home / "project"), encoding=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\x1b" not in done.stdout
    done = _run(home, "search", "grüße lesen", str(home / "project"), "--json", encoding=encoding)
    assert json.loads(done.stdout.decode(encoding))["hits"][0]["snippet"]["text"] in _TEXT


@pytest.mark.skipif(os.name == "nt", reason="needs a Unix shell")
@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_are_not_an_error(home: Path, redirection: str) -> None:
    done = _run(home, "search", "lesen", str(home / "project"), shell=redirection)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_a_one_line_error(home: Path) -> None:
    done = _run(home, "search", "lesen", str(home / "project"), shell="> /dev/full")
    assert (done.returncode, done.stderr) == (2, b"sightline: No space left on device.\n")


@pytest.mark.skipif(os.name == "nt", reason="needs a Unix shell")
def test_a_reader_that_closes_the_pipe_is_not_an_error(home: Path) -> None:
    done = _run(home, "search", "lesen", str(home / "project"), shell="| true")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not delete the working directory of a process")
@pytest.mark.parametrize("command", [("search", "x"), ("index",), ("status",), ("clear",), ("symbols", "x")])
def test_a_deleted_working_directory_is_a_one_line_error(
    home: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    program = [sys.executable, "-m", "sightline", *command]
    environment = {**os.environ, CACHE_VARIABLE: str(home / "cache")}
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *program],
        env=environment,
        cwd=gone,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr == "sightline: The working directory no longer exists; change to one that does.\n"


@pytest.mark.parametrize("where", ["{}/missing/trace", "{}"])
def test_a_trace_that_cannot_be_written_is_a_one_line_error(home: Path, tmp_path: Path, where: str) -> None:
    done = _run(home, "search", "x", str(home / "project"), "--trace", where.format(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1


def test_bytes_of_a_query_that_are_not_text_are_ignored(home: Path) -> None:
    argument = os.fsdecode(b"lesen \xff")
    done = _run(home, "search", argument, str(home / "project"))
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not allow such file names")
def test_a_file_name_cannot_control_the_terminal(tmp_path: Path) -> None:
    write_files(tmp_path / "project", {f"a\n{_CLIPBOARD}.py": "def odd_name():\n    return 1\n"})
    for arguments in (("search", "odd_name"), ("symbols", "odd_name"), ("search", "odd_name", "--json")):
        done = _run(tmp_path, *arguments[:2], str(tmp_path / "project"), *arguments[2:])
        assert done.returncode == 0
        assert b"\x1b" not in done.stdout
        assert rb"a\n" in done.stdout


def test_a_message_is_printed_once(tmp_path: Path) -> None:
    write_files(tmp_path / "project", {".sightline.toml": "[search]\nlimt = 3\n", "a.py": "x = 1\n"})
    done = _run(tmp_path, "index", str(tmp_path / "project"))
    assert done.stderr.count(b"limt") == 1
