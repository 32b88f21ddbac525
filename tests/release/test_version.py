"""The version is defined once, everything else follows it, and an unprepared release is rejected."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sightline import __version__
from tests.release import version
from tests.release.sbom import bill_of_materials

_TOP = Path(__file__).parents[2]
_EXTENSION = _TOP / "editors" / "vscode"


def test_the_extension_has_the_version_of_the_server() -> None:
    manifest = json.loads((_EXTENSION / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((_EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert {manifest["version"], lock["version"], lock["packages"][""]["version"]} == {__version__}


def test_the_package_takes_its_version_from_the_code() -> None:
    text = (_TOP / "pyproject.toml").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in text
    assert 'version = { attr = "sightline.__version__" }' in text
    assert not re.search(r"^version = \"", text, re.MULTILINE)


@pytest.mark.parametrize("page", version.CHANGELOGS, ids=lambda page: page.parent.name)
def test_the_newest_heading_of_a_changelog_is_the_version(page: Path) -> None:
    assert version.headings(page)[0][0] == __version__


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout that is ready for a release."""
    (tmp_path / "pyproject.toml").write_text('Repository = "https://github.com/owner/name"\n')
    page = tmp_path / "CHANGELOG.md"
    page.write_text(f"# Changelog\n\n## {__version__} - 2026-11-17\n", encoding="utf-8")
    monkeypatch.setattr(version, "_TOP", tmp_path)
    monkeypatch.setattr(version, "CHANGELOGS", (page,))
    return tmp_path


def test_a_prepared_release_is_accepted(prepared: Path) -> None:
    assert list(version.obstacles(f"v{__version__}")) == []


def test_a_tag_of_another_version_is_rejected(prepared: Path) -> None:
    assert "99" in " ".join(version.obstacles("v99"))


@pytest.mark.parametrize("heading", ["## 99.0.0 - 2026-11-17", f"## {__version__} - unreleased"])
def test_a_version_without_a_dated_heading_is_rejected(prepared: Path, heading: str) -> None:
    (prepared / "CHANGELOG.md").write_text(heading, encoding="utf-8")
    assert "CHANGELOG.md" in " ".join(version.obstacles(f"v{__version__}"))


def test_a_package_without_an_address_is_rejected(prepared: Path) -> None:
    (prepared / "pyproject.toml").write_text('Repository = "https://example.org/name"\n')
    assert "address" in " ".join(version.obstacles(f"v{__version__}"))


def test_the_bill_of_materials_lists_installed_and_bundled_packages() -> None:
    bill = bill_of_materials()
    assert bill["metadata"]["component"]["version"] == __version__
    addresses = [each["purl"] for each in bill["components"]]
    assert len(addresses) == len(set(addresses))
    for start in ("pkg:pypi/chromadb@", "pkg:pypi/numpy@", "pkg:npm/vscode-languageclient@"):
        assert any(address.startswith(start) for address in addresses), start
    assert not any("typescript" in address or "kubernetes" in address for address in addresses)
