"""Tasks mined from the history of a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.benchmarks.ranking.layout import Missing
from tests.benchmarks.ranking.tasks import Place, Project
from tests.files import write_files
from training.ranking import kept_out, mine
from training.ranking.hunks import hunks, located
from training.ranking.subjects import query_of

_SOURCE = "owner/project"


class _History:
    """A repository that grows commit by commit."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        command = ["git", "-C", str(self._folder), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, subject: str, files: dict[str, str]) -> str:
        write_files(self._folder, files)
        self.git("add", ".")
        self.git("commit", "-qm", subject)
        return self.git("rev-parse", "HEAD")


def _body(*changed: str) -> str:
    """Twenty lines, the last ones as given."""
    return "\n".join([*(f"line_{number} = {number}" for number in range(20)), *changed, ""])


@pytest.fixture
def history(tmp_path: Path) -> _History:
    made = _History(tmp_path / "mirrors" / "owner+project" / "made")
    made.commit("Start", {"src/queue.py": _body("size = 0"), "tests/test_queue.py": "old\n"})
    return made


def _mined(history: _History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(mine, "_FEWEST_COMMITS", 1)
    head = history.git("rev-parse", "HEAD")
    folder = tmp_path / "mirrors" / "owner+project"
    (folder / "made" / ".git").rename(folder / "repo")
    return mine.mined(_SOURCE, head, tmp_path / "mirrors", tmp_path / "work")


def test_the_answer_to_a_subject_is_the_lines_its_commit_changed(
    history: _History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = history.git("rev-parse", "HEAD")
    commit = history.commit("Let waiting jobs run in order (#12)", {"src/queue.py": _body("size = 1")})
    project = _mined(history, tmp_path, monkeypatch)
    assert project.revision == before
    (task,) = project.tasks
    assert task.query == "Let waiting jobs run in order"
    assert task.files == ("src/queue.py",)
    assert task.places == (Place("src/queue.py", 21, 21),)
    assert commit.startswith(task.commit)


def test_the_tree_does_not_contain_the_changes(
    history: _History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.commit("Let waiting jobs run in order", {"src/queue.py": _body("size = 1")})
    history.commit("Stop counting jobs that have failed", {"src/queue.py": _body("size = 2")})
    project = _mined(history, tmp_path, monkeypatch)
    tree = tmp_path / "work" / "trees" / f"project-{project.revision[:8]}"
    assert "size = 0" in (tree / "src/queue.py").read_text()
    # The newer change was made to lines that the tree does not have yet.
    assert [bool(task.places) for task in project.tasks] == [False, True]


@pytest.mark.parametrize(
    ("subject", "files"),
    [
        ("Bump the version of the parser", {"src/queue.py": _body("size = 1")}),
        ("Count the jobs twice in tests", {"src/queue.py": _body("size = 1")}),
        ("Fix it", {"src/queue.py": _body("size = 1")}),
        ("Let waiting jobs run in order", {"tests/test_queue.py": "new\n"}),
        ("Let waiting jobs run in order", {"src/fresh.py": "new\n"}),
        ("Let the scheduler run jobs in order", {"src/scheduler.py": "b\n"}),
    ],
)
def test_commits_that_say_nothing_or_too_much_are_skipped(
    history: _History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subject: str, files: dict[str, str]
) -> None:
    history.commit("Start again", {"src/scheduler.py": "a\n"})
    history.commit("Let waiting jobs go on for ever", {"src/queue.py": _body("size = 3")})
    history.commit(subject, files)
    found = _mined(history, tmp_path, monkeypatch)
    assert [task.query for task in found.tasks] == ["Let waiting jobs go on for ever"]


def test_a_short_history_is_refused(history: _History, tmp_path: Path) -> None:
    head = history.git("rev-parse", "HEAD")
    (tmp_path / "mirrors/owner+project/made/.git").rename(tmp_path / "mirrors/owner+project/repo")
    with pytest.raises(Missing, match="0 commits"):
        mine.mined(_SOURCE, head, tmp_path / "mirrors", tmp_path / "work")


@pytest.mark.parametrize(
    "source", ["django/django", "TeamNewPipe/NewPipe", "mitmproxy/mitmproxy", "redis/redis", "sympy/sympy"]
)
def test_evaluation_projects_are_not_mined(source: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="kept to judge by"):
        mine.mined(source, "0" * 40, tmp_path, tmp_path)


def test_no_listed_source_is_an_evaluation_project() -> None:
    for source in mine.sources():
        kept_out.check(source)


@pytest.mark.parametrize(
    ("subject", "query"),
    [
        ("Fixed #123, #124 -- Made the pool wait for its workers.", "Made the pool wait for its workers."),
        ("[core] keep the order of headers", "keep the order of headers"),
        ("feat(http)!: keep the order of headers", "keep the order of headers"),
        ("keep the order of headers, closes #12.", "keep the order of headers"),
        ("Merge branch that keeps the order", None),
        ("Release 1.2.3 of the whole thing", None),
    ],
)
def test_subjects_become_queries(subject: str, query: str | None) -> None:
    assert query_of(subject) == query


def test_a_removed_comment_is_not_taken_for_a_file() -> None:
    diff = "--- a/x.lua\n+++ b/x.lua\n@@ -1,3 +1,2 @@\n a\n--- b\n c\n@@ -9 +8 @@\n-d\n+e\n"
    found = list(hunks(diff))
    assert [(each.path, each.lines, each.removed) for each in found] == [
        ("x.lua", ("a", "-- b", "c"), (1,)),
        ("x.lua", ("d",), (0,)),
    ]


def test_lines_that_occur_twice_are_not_located() -> None:
    (hunk,) = hunks("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-d\n+e\n")
    assert located(hunk, ["c", "d"]) == (2, 2)
    assert located(hunk, ["d", "c", "d"]) is None
    assert located(hunk, ["c"]) is None
