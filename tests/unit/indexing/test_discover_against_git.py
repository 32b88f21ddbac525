"""Random trees with random ignore files, compared with git itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.indexing.discovery.discover import FoundFile, Ignore, scan
from sightline.settings.tree import IndexingSettings

_NAMES = ["a", "b", "ab", "abc", "a.c", "b.c", "x.log", "A", "a b", "#a", "!a", "a ", "a[b"]
# In git an unclosed bracket can match a slash; nobody writes that, and here it matches nothing.
_LITERALS = [name for name in _NAMES if "[" not in name]
_GLOBS = [
    "*", "**", "?", "a*", "*c", "*.c", "*.log", "[ab]", "[!a]", "[^b]*", "[a-c]?", "a?c", "**c", "*b*",
    "*a*b*c*",
    "\\!a", "\\#a", "\\a", "a\\ ", "a\\*", "a[[]b", "[[:alpha:]]", "[[:digit:]x]*", "??",
]  # fmt: skip


@st.composite
def _patterns(draw: st.DrawFn) -> str:
    segments = draw(st.lists(st.sampled_from(_LITERALS + _GLOBS), min_size=1, max_size=3))
    start = draw(st.sampled_from(["", "", "", "/", "**/"]))
    end = draw(st.sampled_from(["", "", "/", "/**", "/*", "  ", "\r"]))
    return draw(st.sampled_from(["", "", "!"])) + start + "/".join(segments) + end


_IGNORE_FILES = st.lists(
    st.one_of(_patterns(), st.sampled_from(["", "# note", "/", "!", "\\", "a\\"])), max_size=6
).map("\n".join)
_PATHS = st.lists(st.sampled_from(_NAMES), min_size=1, max_size=4).map("/".join)
_FOLDERS = st.lists(st.sampled_from(_NAMES), max_size=2).map("/".join)
_TREES = st.lists(_PATHS, min_size=1, max_size=14)
_PLACED = st.dictionaries(_FOLDERS, _IGNORE_FILES, max_size=3)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty repository, without the git configuration of the user who runs the tests."""
    home = tmp_path_factory.mktemp("home")
    root = tmp_path_factory.mktemp("repository")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.delenv("GIT_CONFIG_GLOBAL", raising=False)
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        yield root


def _fill(root: Path, tree: list[str], ignore_files: dict[str, str], name: str = ".gitignore") -> None:
    """Replace the content of a repository; skip a path that needs a file where a folder is."""
    for entry in root.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for path in tree:
        _write(root / path, "x")
    _place(root, ignore_files, name)


def _place(root: Path, ignore_files: dict[str, str], name: str) -> None:
    for folder, lines in ignore_files.items():
        _write(root / folder / name, lines)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError:
        return


def _listed_by_git(root: Path) -> set[str]:
    answer = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    )
    return {path for path in answer.stdout.decode().split("\0") if path}


def _walked(root: Path, rules: IndexingSettings | None = None) -> set[str]:
    return {found.path for found in scan(root, rules or IndexingSettings()) if isinstance(found, FoundFile)}


def _all_files(root: Path) -> set[str]:
    return {
        Path(folder, name).relative_to(root).as_posix()
        for folder, _, names in os.walk(root)
        if ".git" not in Path(folder).parts
        for name in names
    }


_bounded = settings(
    derandomize=True,
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@_bounded
@given(tree=_TREES, ignore_files=_PLACED)
def test_the_walk_finds_what_git_would_add(
    repository: Path, tree: list[str], ignore_files: dict[str, str]
) -> None:
    _fill(repository, tree, ignore_files)
    assert _walked(repository) == _listed_by_git(repository)


@_bounded
@given(tree=_TREES, ignore_files=_PLACED, exclude=_IGNORE_FILES, personal=_IGNORE_FILES)
def test_info_exclude_and_the_global_file_have_the_priority_of_git(
    repository: Path, tree: list[str], ignore_files: dict[str, str], exclude: str, personal: str
) -> None:
    _fill(repository, tree, ignore_files)
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "git" / "ignore"
    try:
        _write(repository / ".git" / "info" / "exclude", exclude)
        _write(config, personal)
        assert _walked(repository) == _listed_by_git(repository)
    finally:
        (repository / ".git" / "info" / "exclude").unlink()
        config.unlink()


@_bounded
@given(
    tree=_TREES,
    ignore_files=_PLACED,
    own_files=_PLACED,
    include=st.lists(_patterns(), max_size=2),
    exclude=st.lists(_patterns(), max_size=2),
)
def test_the_check_of_one_path_agrees_with_the_walk(
    repository: Path,
    tree: list[str],
    ignore_files: dict[str, str],
    own_files: dict[str, str],
    include: list[str],
    exclude: list[str],
) -> None:
    _fill(repository, tree, ignore_files)
    _place(repository, own_files, ".sightlineignore")
    rules = IndexingSettings(include=tuple(include), exclude=tuple(exclude))
    ignore = Ignore(repository, rules)
    judged = {path for path in _all_files(repository) if ignore.reason(path) is None}
    assert judged == _walked(repository, rules)


@_bounded
@given(tree=_TREES, ignore_files=_PLACED)
def test_the_rules_above_an_opened_subfolder_apply_in_it(
    repository: Path, tree: list[str], ignore_files: dict[str, str]
) -> None:
    _fill(repository, [*tree, "a/keep/file"], ignore_files)
    if not (repository / "a" / "keep").is_dir():
        return
    force = _listed_by_git(repository)
    opened = {path.removeprefix("a/keep/") for path in force if path.startswith("a/keep/")}
    walked = _walked(repository / "a" / "keep")
    # A folder that was opened is not hidden, even if git ignores the folder itself.
    assert opened in (walked, set())
