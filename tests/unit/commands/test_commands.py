"""The command line as a person and as a program use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sightline.cli import main
from sightline.location import CACHE_VARIABLE, index_dir


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "dates.py").write_text(
        'def parse_date(text):\n    """Read a calendar date."""\n    return text.split("-")\n\n\n'
        "def caller():\n    return parse_date('2020-01-01')\n"
    )
    (folder / "logo.png").write_bytes(b"\x89PNG\0\0")
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_search_shows_the_place_and_the_code(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "search", "parse_date", project)
    assert code == 0
    assert out.startswith("dates.py:1  function parse_date")
    assert "\x1b" not in out


def test_search_for_programs_is_one_json_value(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "search", "calendar", project, "--json", "--explain")
    answer = json.loads(out)
    assert answer["hits"][0]["path"] == "dates.py"
    assert answer["hits"][0]["explain"]
    assert answer["coverage"]["state"] == "ready"


def test_trace_writes_one_json_line_a_stage(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "search", "calendar date", project, "--trace", tmp_path / "trace")
    stages = [json.loads(line)["stage"] for line in (tmp_path / "trace").read_text().splitlines()]
    assert stages[0] == "parse"
    assert stages[-1] == "context"


def test_status_counts_what_was_skipped_with_the_reason(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "status", project, "--json")
    status = json.loads(out)
    assert (code, status["files_indexed"], status["skipped"]) == (0, 1, {"binary": 1})


def test_index_says_what_it_holds(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "index", project)
    assert code == 0
    assert "1 of 1" in out


def test_related_names_the_caller(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "other.py").write_text(
        "from dates import parse_date\n\n\ndef other():\n    return parse_date('x')\n"
    )
    _, out, _ = run(capsys, "related", f"{project / 'dates.py'}:1", "--folder", project, "--json")
    assert ("other.py", "called by") in {(hit["path"], hit["reason"]) for hit in json.loads(out)}


def test_symbols_finds_by_humps(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "symbols", "pDate", project)
    assert out.startswith("dates.py:1  function parse_date")


def test_clear_deletes_the_index(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "index", project)
    assert index_dir(project).exists()
    run(capsys, "clear", project)
    assert not index_dir(project).exists()


def test_doctor_finds_this_installation_well(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "doctor", "--json")
    assert code == 0, out
    assert {finding["name"] for finding in json.loads(out)} >= {"cache", "grammars", "model", "vectors"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("index", "{project}/missing"), "does not exist"),
        (("index", "{project}/dates.py"), "is a file"),
        (("search", "lang:klingon x", "{project}"), "klingon"),
        (("related", "{project}/dates.py"), "FILE:LINE"),
        (("related", "{project}/nothing.py:3"), "is not a file"),
    ],
)
def test_bad_input_is_one_line_that_helps(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, *(argument.format(project=project) for argument in arguments))
    assert (code, out) == (1, "")
    assert sentence in err
    assert err.count("\n") == 1
