"""The extension in a real VS Code: packaged, installed, and driven in a browser by the tests in vscode/."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from sightline import __version__
from sightline.agents.tool_definitions import TOOLS
from sightline.embedding.load_model import PACKAGED_FOLDER
from sightline.settings.tree import schema
from tests.editors.stdlib_project import copy_standard_library
from tests.release.lockfile import LOCK

_HERE = Path(__file__).parent
_EXTENSION = _HERE.parents[1] / "editors" / "vscode"
_ARTEFACTS = Path(os.environ.get("SIGHTLINE_ARTEFACTS", _HERE / "artefacts"))
_INSTALL_SECONDS = 900
_RUN_SECONDS = 540

_can_install = sys.platform == "linux" and shutil.which("apt-get") is not None

pytestmark = [
    pytest.mark.editors,
    pytest.mark.xdist_group("editors"),
    pytest.mark.skipif(shutil.which("npm") is None, reason="VS CODE NOT TESTED: there is no npm here"),
]
in_the_editor = pytest.mark.skipif(
    not _can_install, reason="VS CODE NOT TESTED: code-server and Chromium are installed on Debian Linux only"
)


@pytest.fixture(scope="module")
def packages() -> None:
    """Install the extension's development packages."""
    manifest = json.loads((_EXTENSION / "package.json").read_text(encoding="utf-8"))
    wanted = {**manifest["dependencies"], **manifest["devDependencies"]}
    if not all((_EXTENSION / "node_modules" / name).is_dir() for name in wanted):
        # Not `npm ci`: a registry may lack the optional packages of other platforms in the lock file.
        command = ["npm", "install", "--no-save", "--no-audit", "--no-fund"]
        subprocess.run(command, cwd=_EXTENSION, check=True, timeout=_INSTALL_SECONDS)


@pytest.fixture(scope="module")
def vsix(packages: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("vsix") / "sightline.vsix"
    environment = {**os.environ, "PYTHON": sys.executable}
    command = [str(_EXTENSION / "package.sh"), "--out", str(target)]
    subprocess.run(command, env=environment, check=True, timeout=_INSTALL_SECONDS)
    return target


@pytest.fixture(scope="module")
def editor() -> None:
    """Install VS Code and a browser."""
    subprocess.run([_HERE / "install-vscode.sh"], check=True, timeout=_INSTALL_SECONDS)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = copy_standard_library(tmp_path / "library")
    shutil.copytree(_HERE / "vscode" / "fixtures", root, dirs_exist_ok=True)
    return root


def _run(file: str, **variables: str) -> None:
    """Run one file of node tests and print its output."""
    environment = {**os.environ, "SIGHTLINE_PYTHON": sys.executable, "SIGHTLINE_ARTEFACTS": str(_ARTEFACTS)}
    done = subprocess.run(
        ["node", "--test", "--test-reporter=spec", file],
        cwd=_HERE / "vscode",
        env={**environment, **variables},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_RUN_SECONDS,
    )
    print(done.stdout)
    assert done.returncode == 0


@pytest.mark.usefixtures("editor")
@pytest.mark.parametrize("journey", ["journey", "results", "themes", "untrusted", "install", "agents"])
@in_the_editor
def test_the_extension_works_in_vs_code(journey: str, vsix: Path, project: Path) -> None:
    _run(f"{journey}.test.mjs", SIGHTLINE_VSIX=str(vsix), SIGHTLINE_PROJECT=str(project))


def test_the_package_contains_the_server_its_lock_file_and_the_bundled_licences(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as archive:
        names = {name.removeprefix("extension/") for name in archive.namelist()}
        lock = archive.read("extension/bundled/requirements.lock")
        notices = archive.read("extension/ThirdPartyNotices.txt").decode()
    assert lock == LOCK.read_bytes()
    assert [name for name in names if name.endswith(".whl")] == [
        f"bundled/sightline-{__version__}-py3-none-any.whl"
    ]
    assert "LICENSE.txt" in names
    for name in ("vscode-languageclient", "vscode-jsonrpc", "minimatch", "semver"):
        assert re.search(rf"^{name} \d[\d.]* \(\S+\)\n\n\S", notices, re.MULTILINE), name
    assert (PACKAGED_FOLDER / "NOTICE").read_text(encoding="utf-8") in notices


@pytest.mark.usefixtures("packages")
def test_the_modules_that_need_no_editor_pass_their_unit_tests() -> None:
    _run("unit.test.mjs")


@pytest.mark.usefixtures("packages")
def test_the_code_passes_the_compiler_and_the_linter() -> None:
    subprocess.run(["npm", "run", "--silent", "check"], cwd=_EXTENSION, check=True, timeout=_RUN_SECONDS)


def _manifest_settings() -> dict[str, dict[str, object]]:
    manifest = json.loads((_EXTENSION / "package.json").read_text(encoding="utf-8"))
    sections = manifest["contributes"]["configuration"]
    return {key: described for section in sections for key, described in section["properties"].items()}


def test_the_extension_runs_beside_the_files_and_only_in_trusted_workspaces() -> None:
    manifest = json.loads((_EXTENSION / "package.json").read_text(encoding="utf-8"))
    # On a remote machine, in a container and in WSL, never on the local side.
    assert manifest["extensionKind"] == ["workspace"]
    assert "browser" not in manifest
    assert manifest["capabilities"]["virtualWorkspaces"]["supported"] == "limited"
    assert manifest["capabilities"]["untrustedWorkspaces"]["supported"] is False


def test_generated_settings_languages_and_kinds_match_the_server() -> None:
    subprocess.run(
        ["node", "scripts/generate.mjs", "--check"],
        cwd=_EXTENSION,
        env={**os.environ, "PYTHON": sys.executable},
        check=True,
        timeout=_RUN_SECONDS,
    )


def test_every_setting_is_declared_and_user_settings_have_machine_scope() -> None:
    ours = {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", key): key for key in _manifest_settings()}
    for key, each in schema().items():
        declared = _manifest_settings()[ours[f"sightline.{key}"]]
        assert declared["scope"] == ("machine" if each["scope"] == "user" else "resource")


def test_setting_names_and_examples_are_valid_and_experiments_are_hidden() -> None:
    settings = _manifest_settings()
    for key, described in settings.items():
        assert "_" not in key
        examples = re.findall("For example `([^`]+)`", str(described["markdownDescription"]))
        for example in examples:
            assert isinstance(json.loads(example), list if described["type"] == "array" else dict)
    hidden = {key for key, described in settings.items() if described.get("included") is False}
    assert hidden == {"sightline.search.tuning"}


def test_the_agent_tools_equal_those_of_the_server() -> None:
    manifest = json.loads((_EXTENSION / "package.json").read_text(encoding="utf-8"))
    offered = manifest["contributes"]["languageModelTools"]
    assert {each["name"]: (each["modelDescription"], each["inputSchema"]) for each in offered} == {
        f"sightline_{tool.name}": (tool.description, tool.schema) for tool in TOOLS.values()
    }
