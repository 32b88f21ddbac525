"""Trees checked out from mirrors, and the tasks generated from trees."""

import subprocess
from pathlib import Path

import pytest

from tests.benchmarks.ranking.layout import Missing, Steps, tree
from tests.benchmarks.ranking.others import Kept, Ripgrep
from tests.benchmarks.ranking.sentences import tasks_of
from tests.benchmarks.ranking.tasks import Place, Project


def _git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def mirrors(tmp_path: Path) -> Path:
    """A mirror with two commits: src/old.py and docs/page.md, then src/new.py instead of the first."""
    work = tmp_path / "mirrors" / "owner+name"
    (work / "src").mkdir(parents=True)
    (work / "docs").mkdir()
    _git(work, "init", "-q")
    (work / "src" / "old.py").write_text("old = 1\n")
    (work / "docs" / "page.md").write_text("# Page\n")
    _git(work, "add", ".")
    _git(work, "commit", "-qm", "one")
    (work / "src" / "old.py").rename(work / "src" / "new.py")
    _git(work, "add", ".")
    _git(work, "commit", "-qm", "two")
    (work / ".git").rename(work / "repo")
    return tmp_path / "mirrors"


def _revision(mirrors: Path, name: str) -> str:
    return _git(mirrors, "--git-dir", str(mirrors / "owner+name" / "repo"), "rev-parse", name)


def _files(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_a_tree_is_the_tree_of_its_revision(mirrors: Path, tmp_path: Path) -> None:
    project = Project("name", "owner/name", _revision(mirrors, "HEAD~1"), ())
    assert _files(tree(project, mirrors, tmp_path / "work")) == ["docs/page.md", "src/old.py"]


def test_only_the_root_is_checked_out_without_the_excluded_files(mirrors: Path, tmp_path: Path) -> None:
    revision = _revision(mirrors, "HEAD")
    part = Project("part", "owner/name", revision, (), root="src")
    assert _files(tree(part, mirrors, tmp_path / "work")) == ["new.py"]
    without = Project("without", "owner/name", revision, (), leave_out=("docs",))
    assert _files(tree(without, mirrors, tmp_path / "work")) == ["src/new.py"]


def test_an_error_names_the_missing_mirror(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="owner/other"):
        tree(Project("other", "owner/other", "0" * 40, ()), tmp_path, tmp_path / "work")


def test_steps_follow_the_commits_and_do_not_change_the_mirror(mirrors: Path, tmp_path: Path) -> None:
    project = Project("name", "owner/name", _revision(mirrors, "HEAD"), ())
    head = (mirrors / "owner+name" / "repo" / "HEAD").read_text()
    steps = Steps(project, mirrors, tmp_path / "work")
    for name, file in (("HEAD~1", "src/old.py"), ("HEAD", "src/new.py"), ("HEAD~1", "src/old.py")):
        steps.move(_revision(mirrors, name))
        assert _files(steps.root) == ["docs/page.md", file]
    assert (mirrors / "owner+name" / "repo" / "HEAD").read_text() == head


def test_the_answer_to_a_sentence_is_the_lines_of_its_function(tmp_path: Path) -> None:
    (tmp_path / "cache.go").write_text(
        "package cache\n\n// Evict removes an entry that has expired.\nfunc Evict(key string) {\n"
        "\tentry := entries[key]\n\tentry.Close()\n}\n"
    )
    (task,) = tasks_of(tmp_path)
    assert task.query == "Evict removes an entry that has expired"
    assert task.places == (Place("cache.go", 4, 7),)


def test_a_sentence_of_two_functions_is_not_used_as_a_query(tmp_path: Path) -> None:
    body = '    """Return the value that was asked for."""\n    value = 1\n    return value\n'
    (tmp_path / "a.py").write_text(f"def one():\n{body}\n\ndef two():\n{body}")
    assert tasks_of(tmp_path) == ()


def test_the_results_of_a_tool_are_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def search(self: Ripgrep, query: str, limit: int, one_per_file: bool) -> list[Place]:
        asked.append(query)
        return [Place("a.py")]

    monkeypatch.setattr(Ripgrep, "search", search)
    monkeypatch.setattr(Ripgrep, "installed", staticmethod(lambda: True))
    for _ in range(2):
        kept = Kept(Ripgrep, tmp_path, tmp_path / "work", "tree")
        assert kept.tools["ripgrep"]("query", 10, True) == [Place("a.py")]
        kept.close()
    assert asked == ["query"]
