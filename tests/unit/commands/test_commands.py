"""The command line as users and programs use it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline.cli import main
from sightline.commands.arguments import parser
from sightline.commands.completions import commands_of
from sightline.location import CACHE_VARIABLE, index_dir
from sightline.workspace import Workspace
from tests.files import write_files
from tests.notebooks import notebook

Run = Callable[..., tuple[int, str, str]]

_FILES = {
    "dates.py": 'def parse_date(text):\n    """Read a calendar date."""\n    return text.split("-")\n\n\n'
    "def caller():\n    return parse_date('2020-01-01')\n",
    "web/pages.py": "class Page:\n    def render_page(self, date):\n        return f'{date}'\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is the working directory."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = write_files(tmp_path / "project", _FILES)
    (folder / ".git").mkdir()
    (folder / "logo.png").write_bytes(b"\x89PNG\0\0")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in the project."""

    def command(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        return (code, *capsys.readouterr())

    return command


def test_search_shows_the_place_and_the_code(run: Run) -> None:
    code, out, _ = run("search", "parse_date")
    assert code == 0
    assert out.startswith("dates.py:1  function parse_date")
    assert "    1  def parse_date(text):\n" in out
    assert "\x1b" not in out


def test_a_command_waits_for_its_snapshot_but_not_after_an_error(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    close = Workspace.close

    def record(workspace: Workspace, timeout: float) -> None:
        waited.append(timeout)
        close(workspace, timeout)

    monkeypatch.setattr(Workspace, "close", record)
    run("search", "parse_date")
    run("search", "parse_date lang:klingon")
    # A busy machine needs more than a few seconds to write the snapshot of a large index.
    assert waited[0] > 30
    assert waited[1] <= 5


def test_oneline_prints_one_line_per_result(run: Run) -> None:
    _, out, _ = run("search", "parse_date", "--oneline", "-n", 1)
    assert out == "dates.py:1: function parse_date: def parse_date(text)\n"


def test_vimgrep_prints_lines_that_vim_can_parse(run: Run) -> None:
    _, out, _ = run("search", "render_page", "--vimgrep", "-n", 1)
    path, line, column, text = out.rstrip("\n").split(":", 3)
    assert (path, line, int(column) >= 1) == (os.path.join("web", "pages.py"), "2", True)
    assert text == "    def render_page(self, date):"


@pytest.mark.parametrize("lines", [0, 1])
def test_context_is_lines_around_the_place(run: Run, lines: int) -> None:
    _, out, _ = run("search", "parse_date", "-C", lines, "-n", 1)
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["1", "2"][: lines + 1]


def test_json_output_is_one_value_with_one_based_numbers(run: Run, project: Path) -> None:
    _, out, _ = run("search", "calendar", "--json", "--explain")
    answer = json.loads(out)
    hit = answer["hits"][0]
    assert (hit["path"], hit["file"]) == ("dates.py", str(project / "dates.py"))
    assert (hit["line"], hit["column"] >= 1, hit["start_line"], hit["snippet"]["start_line"]) == (
        1,
        True,
        1,
        1,
    )
    assert hit["explain"]
    assert answer["coverage"]["state"] == "ready"


def test_an_explanation_is_a_table(run: Run) -> None:
    _, out, _ = run("search", "calendar date", "--explain", "-n", 1)
    assert "{" not in out.split('"-"')[1]
    assert any(line.split() and line.split()[-1].replace(".", "").isdigit() for line in out.splitlines())


def test_nothing_found_is_exit_status_1(run: Run) -> None:
    for command in (("search", "zzqqxx", "--mode", "keyword"), ("symbols", "zzqqxx")):
        code, out, err = run(*command)
        assert (code, out, err.count("\n")) == (1, "", 1)


def test_options_may_come_before_the_path(run: Run) -> None:
    _, out, _ = run("search", "date", "--oneline", "web")
    assert {line.split(":")[0] for line in out.splitlines()} == {os.path.join("web", "pages.py")}


def test_trace_writes_one_json_line_per_stage(run: Run, tmp_path: Path) -> None:
    run("search", "calendar date", "--trace", tmp_path / "trace")
    stages = [json.loads(line)["stage"] for line in (tmp_path / "trace").read_text().splitlines()]
    assert stages[0] == "prepare"
    assert stages[-1] == "context"


def test_status_counts_what_was_skipped_with_the_reason(run: Run) -> None:
    run("index")
    code, out, _ = run("status", "--json")
    status = json.loads(out)
    assert (code, status["files_indexed"], status["skipped"]["binary"]) == (0, 2, 1)


def test_status_of_a_project_without_index_builds_nothing(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("status")
    assert code == 1
    assert "not indexed" in out
    assert json.loads(run("status", "--json")[1])["state"] == "unknown"
    assert not (tmp_path / "cache").exists()


def test_index_reports_what_it_contains(run: Run) -> None:
    code, out, _ = run("index")
    assert code == 0
    assert "2 of 2" in out


def test_related_names_the_caller(run: Run, project: Path) -> None:
    write_files(
        project, {"other.py": "from dates import parse_date\n\n\ndef other():\n    return parse_date('x')\n"}
    )
    _, out, _ = run("related", "dates.py:1", "--json")
    assert ("other.py", "called by") in {(hit["path"], hit["reason"]) for hit in json.loads(out)}


def test_symbols_finds_a_name_by_its_camel_case_initials(run: Run) -> None:
    assert run("symbols", "pDate")[1].startswith("dates.py:1  function parse_date")
    (hit,) = json.loads(run("symbols", "render_page", "--json")[1])
    assert (hit["line"], hit["column"], hit["container"]) == (2, 9, "Page")


def test_symbols_of_a_part_of_the_project(run: Run) -> None:
    assert run("symbols", "parse_date", "web")[0] == 1
    assert run("symbols", "render_page", "web")[0] == 0


def test_clear_deletes_the_index(run: Run, project: Path) -> None:
    run("index")
    assert (index_dir(project) / "catalog.sqlite").exists()
    assert run("clear")[0] == 0
    assert not (index_dir(project) / "catalog.sqlite").exists()


def test_doctor_reports_no_problem_here(run: Run) -> None:
    code, out, _ = run("doctor", "--json")
    assert code == 0, out
    assert {finding["name"] for finding in json.loads(out)} >= {"cache", "grammars", "model", "vectors"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("index", "missing"), "does not exist"),
        (("index", "dates.py"), "is a file"),
        (("search", "lang:klingon x"), "klingon"),
        (("search", "x", "logo.png"), "left out as binary"),
        (("related", "dates.py"), "FILE:LINE"),
        (("related", "nothing.py:3"), "is not a file"),
        (("related", "dates.py:0"), "counted from 1"),
        (("related", "dates.py:100000000000000000000"), "counted from 1"),
        (("related", "dates.py:99"), "dates.py has 7 lines"),
        (("related", "dates.py:1:99"), "has 21 columns"),
        (("related", "dates.py:1", "--folder", "web"), "is not in"),
    ],
)
def test_bad_input_gives_a_helpful_one_line_message(
    run: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    if "web" in arguments:
        Path("web", ".git").mkdir()
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (("search", "x", "-n", "-3"), "from 1 to 1000, not '-3'"),
        (("search", "x", "-n", "1" * 5000), "from 1 to 1000"),
        (("search", "x", "--min-score", "5"), "from 0 to 1, not '5'"),
        (("search", "x", "--min-score", "nan"), "from 0 to 1"),
        (("search", "x", "--offset", "-1"), "from 0 to"),
        (("search", "x", "-C", "many"), "from 0 to 500"),
        (("search", " "), "must not be empty"),
        (("symbols", ""), "must not be empty"),
        (("search",), "required: query\n"),
        (("search", "x", "--mode", "magic"), "hybrid"),
        (("search", "x", "--json", "--vimgrep"), "not allowed with"),
        (("serve", "--tcp", "99999"), "from 0 to 65535"),
        (("status", "--nonsense"), "--nonsense"),
        (("completions", "tcsh"), "bash"),
    ],
)
def test_bad_values_are_refused_with_the_allowed_ones(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], allowed: str
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert allowed in capsys.readouterr().err


def test_every_command_and_option_has_help() -> None:
    for command in commands_of(parser()).values():
        assert command.description
        assert all(action.help for action in command._actions), command.prog


def test_here_is_the_working_directory(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "web")
    _, out, _ = run("search", "date in:here", project, "--json")
    assert {hit["path"] for hit in json.loads(out)["hits"]} == {"web/pages.py"}


def test_exact_text_selects_the_match(run: Run) -> None:
    code, out, _ = run("search", '"parse_date(\'2020"', "--vimgrep")
    assert (code, out) == (0, "dates.py:7:12:    return parse_date('2020-01-01')\n")


def test_text_without_a_match_is_reported(run: Run) -> None:
    code, out, err = run("search", '"no such text"')
    assert (code, out) == (1, "")
    assert 'No place contains "no such text"' in err


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("in:open x", "needs an editor"),
        ("in:changed x", "git could not list the changes"),
        ("in:nowhere x", "changed, here, open"),
        ("re:/(/", "has no ')'"),
    ],
)
def test_an_invalid_scope_or_expression_is_refused(run: Run, query: str, message: str) -> None:
    code, out, err = run("search", query)
    assert (code, out) == (2, "")
    assert message in err


def test_the_changed_scope_has_what_git_shows_as_changed(run: Run, project: Path) -> None:
    (project / ".git").rmdir()
    for arguments in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", project, *arguments], check=True, capture_output=True)
    assert run("search", "date in:changed")[0] == 1
    (project / "web/pages.py").write_text("def shown_date(date):\n    return date\n")
    _, out, _ = run("search", "date in:changed", "--json")
    assert {hit["path"] for hit in json.loads(out)["hits"]} == {"web/pages.py"}


def test_a_hit_in_a_notebook_names_its_cell(run: Run, project: Path) -> None:
    write_files(project, {"weather.ipynb": notebook()})
    lines = notebook().split("\n")
    line = next(at for at, text in enumerate(lines, 1) if "def load_measurements" in text)
    _, out, _ = run("search", "load_measurements", "-n", 1)
    assert out.startswith(f"weather.ipynb:{line} (cell 4)  function load_measurements")
    assert f"    {line}  def load_measurements(path):\n" in out
    _, out, _ = run("search", "load_measurements", "-n", 1, "--json")
    (hit,) = json.loads(out)["hits"]
    assert (hit["cell"], hit["line"]) == (4, line)
