"""The documentation is consistent: no dead links, and the generated parts match the code."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)


def pages() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found = _HEADING.findall(page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_has_a_target(page: Path) -> None:
    for target in _LINK.findall(re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{page.name}: {target}"
        if anchor and linked.suffix == ".md":
            assert anchor in anchors(linked), f"{page.name}: {target}"


def test_ci_runs_the_command_of_the_readme() -> None:
    assert "exec make test" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("path", ["save", "query"])
def test_the_architecture_page_follows_a_save_and_a_query_in_ten_steps(path: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = text.partition(f"## The path of a {path}\n")[2].partition("\n## ")[0]
    steps = re.findall(r"^\d+\. .*$", section, re.MULTILINE)
    assert 1 < len(steps) <= 10
    assert all(re.search(r"`[\w/]+\.py`", step) for step in steps)


def test_every_module_that_the_architecture_page_names_exists() -> None:
    package = ROOT / "server" / "sightline"
    existing = {file.relative_to(package).as_posix() for file in package.rglob("*") if file.is_file()}
    named = re.findall(r"`([\w/]+\.(?:py|toml))`", (ROOT / "docs" / "architecture.md").read_text("utf-8"))
    in_repository = {name for name in named if (ROOT / name).exists()}
    missing = [
        name
        for name in named
        if name not in in_repository and not any(f"/{each}".endswith(f"/{name}") for each in existing)
    ]
    assert not missing
