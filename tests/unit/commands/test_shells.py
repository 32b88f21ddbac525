"""Completions and the manual page match what the command line accepts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sightline.cli import main
from sightline.commands.arguments import SHELLS, parser
from sightline.commands.completions import commands_of, options_of
from sightline.commands.manual import manual

_PAGE = Path(__file__).resolve().parents[3] / "docs" / "sightline.1"


def _script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completions", shell]) == 0
    return capsys.readouterr().out


def _needed(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed: NOT TESTED")
    return found


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_completed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = _script(shell, capsys)
    for name, command in commands_of(parser()).items():
        assert name in script
        for option in options_of(command):
            assert option.option_strings[-1].lstrip("-") in script


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_accepts_its_completion_script(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "script").write_text(_script(shell, capsys))
    check = "--no-execute" if shell == "fish" else "-n"
    subprocess.run([_needed(shell), check, str(tmp_path / "script")], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("sightline se", "search serve"),
        ("sightline search --mo", "--mode"),
        ("sightline search x --mode s", "semantic"),
        ("sightline completions f", "fish"),
        ("sightline search x -n ", ""),
    ],
)
def test_bash_completes_commands_and_options(
    words: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "script").write_text(_script("bash", capsys))
    ask = (
        f'source "$1"; read -ra COMP_WORDS <<< "{words}"; [[ "{words}" == *" " ]] && COMP_WORDS+=("");'
        ' COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sightline; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        [_needed("bash"), "-c", ask, "bash", str(tmp_path / "script")],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == expected


def test_the_manual_page_is_the_generated_one() -> None:
    assert _PAGE.read_text("utf-8") == "\n".join(manual()) + "\n", "run `make docs`"


def test_the_manual_page_has_no_warnings() -> None:
    done = subprocess.run(
        [_needed("groff"), "-man", "-ww", "-Tutf8", str(_PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    for name in commands_of(parser()):
        assert name in done.stdout
