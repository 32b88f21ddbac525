"""Static checks of the GitHub workflows, which cannot run here: they must match what they call."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.release.lockfile import PYTHONS

_TOP = Path(__file__).parents[2]
_GITHUB = _TOP / ".github"
_WORKFLOWS = sorted((_GITHUB / "workflows").glob("*.yml"))
_WINDOWS = "runner.os == 'Windows'"
_PERMISSIONS = {"release.yml": {"index": {"id-token": "write"}, "page": {"contents": "write"}}}
# Commands of jobs without a checkout, which have no Makefile.
_WITHOUT_CHECKOUT = ("mkdir dist && mv release/", 'gh release create "$TAG" ')


def _read(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return content


def _steps(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job["steps"]


def _targets() -> set[str]:
    text = (_TOP / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z][a-z-]*):", text, re.MULTILINE))


def test_there_is_one_workflow_for_changes_and_one_for_releases() -> None:
    assert [file.name for file in _WORKFLOWS] == ["ci.yml", "release.yml"]


@pytest.mark.parametrize("file", _WORKFLOWS, ids=lambda file: file.name)
def test_every_command_is_a_target_of_the_makefile(file: Path) -> None:
    targets = _targets()
    for step in _steps(_read(file)):
        command = step.get("run")
        if command is None or command.startswith(_WITHOUT_CHECKOUT):
            continue
        if step.get("if") == _WINDOWS:
            assert command.startswith("python -m "), command
        else:
            program, *wanted = command.split()
            assert program == "make", command
            assert {each for each in wanted if re.fullmatch("[a-z-]+", each)} <= targets, command


@pytest.mark.parametrize("file", _WORKFLOWS, ids=lambda file: file.name)
def test_every_action_is_pinned_by_hash_with_its_version(file: Path) -> None:
    used = re.findall(r"uses: (.*)", file.read_text(encoding="utf-8"))
    assert used
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_the_files_follow_the_schemas_of_github() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    subprocess.run([*check, "vendor.github-workflows", *_WORKFLOWS], check=True)
    subprocess.run([*check, "vendor.dependabot", _GITHUB / "dependabot.yml"], check=True)


def test_the_audit_of_the_workflows_finds_nothing() -> None:
    program = Path(sysconfig.get_path("scripts")) / "zizmor"
    subprocess.run([program, "--offline", "--no-config", _GITHUB], check=True)


@pytest.mark.parametrize("file", _WORKFLOWS, ids=lambda file: file.name)
def test_a_job_has_a_time_limit_and_minimal_permissions(file: Path) -> None:
    workflow = _read(file)
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 60, name
        assert job.get("permissions") == _PERMISSIONS.get(file.name, {}).get(name), name
        if "permissions" in job:
            assert not any("checkout" in step.get("uses", "") for step in job["steps"]), name


def test_no_expression_is_interpolated_into_a_command() -> None:
    """An interpolated branch or pull request name would run as code; an environment variable does not."""
    for file in _WORKFLOWS:
        for step in _steps(_read(file)):
            assert "${{" not in step.get("run", ""), step


def test_every_system_and_python_is_tested() -> None:
    matrix = _read(_GITHUB / "workflows" / "ci.yml")["jobs"]["systems"]["strategy"]["matrix"]
    assert {name.split("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}
    assert tuple(matrix["python"]) == PYTHONS
    classifiers = (_TOP / "pyproject.toml").read_text(encoding="utf-8")
    for python in PYTHONS:
        assert f'"Programming Language :: Python :: {python}"' in classifiers


def test_windows_runs_the_command_of_the_make_target() -> None:
    text = (_TOP / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^test-core:.*\n\t\$\(BIN\)/(.*)$", text, re.MULTILINE)
    assert recipe is not None
    jobs = _read(_GITHUB / "workflows" / "ci.yml")["jobs"]
    commands = [step["run"] for step in jobs["systems"]["steps"] if step.get("if") == _WINDOWS]
    assert commands[-1] == recipe[1]


def test_updates_are_proposed_for_all_pinned_dependencies() -> None:
    updates = _read(_GITHUB / "dependabot.yml")["updates"]
    found = {each["package-ecosystem"]: each["directory"] for each in updates}
    assert found == {"pip": "/", "npm": "/editors/vscode", "github-actions": "/"}
    assert (_TOP / "editors" / "vscode" / "package.json").is_file()
