"""Dependencies are listed and bounded as docs/security.md says, and can be audited."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.audit import audit, installed

_TOP = Path(__file__).parents[2]


def _declared() -> dict[str, str]:
    """The packages that pyproject.toml requires, with their version ranges."""
    text = (_TOP / "pyproject.toml").read_text()
    block = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert block is not None
    found = re.findall(r'"([A-Za-z0-9_-]+)([^";]*)', block[1])
    return dict(found)


def test_the_security_page_lists_the_declared_dependencies() -> None:
    page = (_TOP / "docs" / "security.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| ([a-z0-9-]+) \| `([^`]+)` \|", page, re.MULTILINE))
    assert listed == _declared()


def test_packages_that_could_break_a_security_promise_have_version_bounds() -> None:
    for name in ("chromadb", "fastembed", "tree-sitter-language-pack"):
        assert "<" in _declared()[name], name


def test_the_audit_finds_all_installed_runtime_dependencies() -> None:
    found = installed()
    assert {"sightline", "chromadb", "cryptography", "mcp", "numpy", "onnxruntime"} <= found.keys()
    assert "pytest" not in found


@pytest.mark.parametrize(
    ("version", "affected"),
    [("0.9", False), ("1.0", True), ("1.4.9", True), ("1.5", False), ("2.1", True), ("3.0", True)],
)
def test_an_advisory_affects_the_versions_in_its_ranges(tmp_path: Path, version: str, affected: bool) -> None:
    (tmp_path / "vulns" / "some-package").mkdir(parents=True)
    (tmp_path / "vulns" / "some-package" / "PYSEC-1.yaml").write_text(
        "id: PYSEC-1\naliases: [CVE-1]\naffected:\n"
        "- package: {name: some_package, ecosystem: PyPI}\n"
        "  ranges:\n"
        "  - {type: ECOSYSTEM, events: [{introduced: '1.0'}, {fixed: '1.5'}, {introduced: '2.0'}]}\n"
    )
    checked, found = audit(tmp_path, {"some-package": version, "other": "1.0"})
    assert checked == 1
    assert found == ([f"some-package {version}: PYSEC-1 CVE-1"] if affected else [])


def test_no_process_loads_a_web_server_or_the_kubernetes_client() -> None:
    """Packages that chromadb installs for its own server are not loaded by our server or Chroma's process."""
    unused = {"aiohttp", "kubernetes", "uvicorn", "fastapi"}
    for module in (
        "sightline.lsp.server, sightline.workspace, fastembed",
        "sightline.stores.vectors.chroma_process, chromadb",
    ):
        code = f"import sys, {module}; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert unused.isdisjoint(done.stdout.split())
