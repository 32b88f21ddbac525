"""The wheel and the source distribution are complete, contain nothing else, and can be run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from sightline import __version__
from tests.files import write_files

_TOP = Path(__file__).parents[2]
_SECONDS = 300
_DATA = {
    "sightline/py.typed",
    "sightline/search/ranking/weights.toml",
    "sightline/embedding/packaged/MODEL_CARD.md",
    "sightline/embedding/packaged/NOTICE",
    "sightline/embedding/packaged/manifest.json",
    "sightline/embedding/packaged/model.safetensors",
    "sightline/embedding/packaged/tokenizer.json",
}
_ABOUT = {
    "METADATA",
    "RECORD",
    "WHEEL",
    "entry_points.txt",
    "top_level.txt",
    "licenses/LICENSE",
    "licenses/server/sightline/embedding/packaged/NOTICE",
}
_MANUAL = "data/share/man/man1/sightline.1"


def _tracked() -> list[str]:
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=_TOP, check=True, capture_output=True, text=True).stdout
    return [name for name in listed.splitlines() if (_TOP / name).is_file()]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both, built from a copy of the checkout: the wheel from the source distribution."""
    source = tmp_path_factory.mktemp("source")
    for name in _tracked():
        if name.split("/")[0] not in ("tests", "editors"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(_TOP / name, source / name)
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)]
    # The build must find its backend in this environment, but not the package through PYTHONPATH.
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run(command, check=True, env=variables, capture_output=True, timeout=_SECONDS)
    return target


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def test_both_file_names_contain_the_version(built: Path) -> None:
    names = {file.name for file in built.iterdir()}
    assert names == {f"sightline-{__version__}-py3-none-any.whl", f"sightline-{__version__}.tar.gz"}


def test_the_wheel_contains_only_the_package_its_data_and_its_manual(wheel: Path) -> None:
    code = {name.removeprefix("server/") for name in _tracked() if name.startswith("server/sightline/")}
    modules = {name for name in code if name.endswith(".py")}
    queries = {name for name in code if name.endswith(".scm")}
    about = {f"sightline-{__version__}.dist-info/{name}" for name in _ABOUT}
    expected = modules | queries | _DATA | about | {f"sightline-{__version__}.data/{_MANUAL}"}
    assert queries
    with zipfile.ZipFile(wheel) as archive:
        assert set(archive.namelist()) == expected


def test_the_source_distribution_contains_the_sources_of_the_wheel(built: Path) -> None:
    with tarfile.open(built / f"sightline-{__version__}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "docs/sightline.1"} <= names
    assert {f"server/{name}" for name in _DATA} <= names
    assert not any(name.startswith(("tests", "editors", "server/training")) for name in names)


def test_the_first_command_runs_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=False, symlinks=os.name != "nt")
    programs = str(environment / ("Scripts" if os.name == "nt" else "bin"))
    python = shutil.which("python", path=programs)
    assert python
    pip = [sys.executable, "-m", "pip", "--python", python]
    install = [*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    # With this checkout on the path, pip would find it installed already.
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(install, check=True, timeout=_SECONDS, env=clean)
    _borrow_dependencies(python)
    program = shutil.which("sightline", path=programs)
    assert program
    project = write_files(tmp_path / "project", {"a.py": "def greet(): ...\n"})
    for arguments, said in ((["--version"], __version__), (["search", "greet", "."], "a.py")):
        assert said in _printed([program, *arguments], project, tmp_path / "cache")
    assert (environment / "share" / "man" / "man1" / "sightline.1").is_file()


def _printed(command: list[str], folder: Path, cache: Path) -> str:
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    variables["SIGHTLINE_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=True, timeout=_SECONDS
    )
    return done.stdout


def _borrow_dependencies(python: str) -> None:
    """Add this environment's packages to another one's path, after its own, so that no network is needed."""
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip())
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "borrowed.pth").write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
