"""The environment that the VS Code extension creates: every feature works, and nothing else is installed."""

from __future__ import annotations

import os
import re
import shutil
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.release.loaded import loaded, needed
from tests.release.lockfile import LOCK, TARGETS, blocks
from tests.security.audit import installed

_TOP = Path(__file__).parents[2]
_NEVER_LOADED = {"kubernetes", "uvicorn", "aiohttp", "typer", "bcrypt", "pypika", "rank-bm25", "hf-xet"}


def _requirements() -> list[Requirement]:
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    return [Requirement(line.removesuffix("\\").strip()) for line in lines if re.match("[a-z]", line)]


def _locked_here() -> set[str]:
    return {
        canonicalize_name(each.name)
        for each in _requirements()
        if not each.marker or each.marker.evaluate({"extra": ""})
    }


def _only(names: set[str], folder: Path) -> Path:
    """Fill a module folder with the files of the named installed distributions only."""
    place = shutil.copyfile if os.name == "nt" else os.symlink
    for name in names:
        for file in distribution(name).files or ():
            source = Path(str(file.locate()))
            if ".." not in file.parts and source.suffix != ".pyc" and source.is_file():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                place(source, folder / file)
    return folder


@pytest.mark.slow
def test_every_feature_works_with_the_locked_distributions_and_needs_each_of_them(tmp_path: Path) -> None:
    names = _locked_here()
    modules = _only(names, tmp_path / "modules")
    venv.create(tmp_path / "venv", with_pip=False, symlinks=os.name != "nt")
    python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    imported = loaded(python, tmp_path / "features", (_TOP / "server", modules))
    assert needed(imported) == names


def test_the_lock_excludes_distributions_that_are_never_loaded() -> None:
    assert _NEVER_LOADED.isdisjoint(canonicalize_name(each.name) for each in _requirements())
    assert len(_locked_here()) < len(installed())


@pytest.mark.parametrize(
    "target", TARGETS, ids=lambda target: f"{target['sys_platform']}-{target['python_version']}"
)
def test_each_system_and_python_gets_one_version_of_each(target: dict[str, str]) -> None:
    chosen = [each.name for each in _requirements() if not each.marker or each.marker.evaluate(target)]
    assert len(chosen) == len(set(chosen))
    assert {"numpy", "chromadb", "mcp", "onnxruntime", "pygls"} <= set(chosen)
    assert ("tomli" in chosen) == (target["python_version"] == "3.10")
    for name in ("colorama", "pywin32"):
        assert (name in chosen) == (target["sys_platform"] == "win32")


def test_every_entry_is_one_version_with_its_hashes_and_no_address() -> None:
    text = LOCK.read_text(encoding="utf-8")
    assert "://" not in text
    for name, entry in blocks(text):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), name
    for each in _requirements():
        assert re.fullmatch(r"==[0-9a-z.]+", str(each.specifier)), each


def test_the_lock_satisfies_what_the_package_declares() -> None:
    versions = {canonicalize_name(each.name): each.specifier for each in _requirements()}
    text = (_TOP / "pyproject.toml").read_text(encoding="utf-8")
    declared = re.findall(r"^(?:dependencies|mcp) = \[(.*?)\]", text, re.MULTILINE | re.DOTALL)
    assert len(declared) == 2
    for wanted in map(Requirement, re.findall(r'"([^"]+)"', "".join(declared))):
        pinned = str(versions[canonicalize_name(wanted.name)]).removeprefix("==")
        assert pinned in wanted.specifier, wanted
