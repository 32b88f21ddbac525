"""Hostile files are handled in bounded time and memory."""

from __future__ import annotations

import os
import random
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from sightline.errors import InvalidRequest
from sightline.location import CACHE_VARIABLE
from sightline.types import SearchRequest
from sightline.workspace import Workspace
from tests.files import write_files
from tests.security.harness import Home

_MIB = 1 << 20
# Limits of a whole index run; address space includes memory that libraries only reserve.
_LIMITS = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_CPU, (90, 90)); " + (
    "resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30)); os.execv(sys.argv[1], sys.argv[1:])"
)


def _hostile_texts() -> dict[str, str]:
    """Each text is just below the size limit, so that none is skipped as too large."""
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return {
        "open.py": "(" * (_MIB - 1),
        "nested.js": "function f(){\n" * 60_000,
        "calls.js": "f(\n" * 150_000 + ")" * 150_000,
        "nested.json": "[" * (_MIB // 2 - 1) + "]" * (_MIB // 2 - 1),
        "nested.yaml": "".join(" " * depth + "a:\n" for depth in range(1400)),
        "nested.html": "<div>" * 200_000,
        "quotes.md": ">" * (_MIB - 10),
        "headings.md": "# a\n" * 250_000,
        "line.txt": "x" * (_MIB - 1),
        "words.txt": " ".join("".join(rng.choices(letters, k=8)) for _ in range(110_000)),
        "symbols.py": "".join(f"def f{number}(): pass\n" for number in range(45_000)),
        "humps.py": "aB" * (_MIB // 2 - 1),
        "accents.txt": "e" + "\u0301" * 500_000,
        "backslashes.py": "'" + "\\" * (_MIB - 10),
        "comment.c": "/*" * (_MIB // 2 - 1),
        "templates.cpp": "a<" * (_MIB // 2 - 1),
        "heredocs.sh": "cat <<A\n" * 100_000,
    }


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no resource limits of this kind")
def test_hostile_files_are_indexed_within_bounds(home: Home, project: Path) -> None:
    write_files(project, {f"hostile/{name}": text for name, text in _hostile_texts().items()})
    bounded = (sys.executable, "-c", _LIMITS)
    done = home.run("index", project, "--json", before=bounded)
    assert done.returncode == 0, done.stderr
    assert home.search("charge_credit_card", project)[0]["path"] == "src/basket.py"


def test_hostile_rules_are_applied_within_bounds(home: Home, project: Path) -> None:
    stars = "*".join("a" * 30) + "*b\n"
    rules = {
        ".gitignore": stars * 50 + "**/" * 100 + "x\n" + "[" * 1000 + "\n" + "!" * 1000 + "\n",
        ".sightlineignore": "".join(f"*{number}*z\n/a{number}/**/b?\n" for number in range(20_000)),
        ".sightline.toml": "[indexing]\nexclude = [" + f'"{stars.strip()}",' * 50 + "]\n",
        f"src/{'a' * 200}.py": "def long_name():\n    pass\n",
    }
    write_files(project, rules)
    assert home.search("charge_credit_card", project)[0]["path"] == "src/basket.py"


def test_a_sparse_file_of_a_terabyte_is_not_read(home: Home, project: Path) -> None:
    with (project / "huge.py").open("wb") as file:
        try:
            os.truncate(file.fileno(), 1 << 40)
        except OSError:
            pytest.skip("this file system has no sparse files of that size: NOT TESTED")
    assert home.search("charge_credit_card", project)[0]["path"] == "src/basket.py"


def test_a_hostile_query_is_answered_or_rejected_with_a_message(
    home: Home, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(home.cache))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home.folder))
    workspace = Workspace()
    workspace.add_folder(project).wait_idle()
    for query in (
        "a" * 100_000,
        "lang:" * 5000,
        "path:" + "*a" * 5000,
        "parse path:" + "*c" * 20 + "*d",
        "parse name:" + "*c" * 20 + "*d",
        "parse path:" + "**r" * 8 + "d",
        "parse path:" + "{c,ch,cha}" * 25 + "d",
        "parse path:" + "{" * 2000 + "a" + "}" * 2000,
        "(" * 10_000,
        "\u0301" * 10_000,
        "\0",
    ):
        with suppress(InvalidRequest):
            assert workspace.search(SearchRequest(query)).coverage.state == "ready"
    workspace.close()
