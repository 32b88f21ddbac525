"""Mines tasks from history: a commit's subject is the query, what the commit changed is the answer.

The tree is that of the parent of the oldest chosen commit, so it contains none of the changes. A task has the
changed files that existed then, and as places the lines that the commit changed, if they can be located in
that tree. Subjects that name the file are skipped, because they would be too easy.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tests.benchmarks.ranking import layout, tasks
from tests.benchmarks.ranking.tasks import Place, Project, Task
from training.ranking import kept_out
from training.ranking.hunks import hunks, located
from training.ranking.subjects import query_of

_SOURCES = Path(__file__).parent / "sources.json"
MOST_TASKS = 60
# A project with fewer has too little history, or its subjects are not descriptive.
_FEWEST_COMMITS = 15
_MAX_COMMITS = 2500
# With fewer on the first-parent line, changes arrive through merges.
_FEWEST_FIRST_PARENTS = 200
_MAX_FILES = 3
_MAX_SOURCES = 4
# A shorter file name is likely a common word.
_MIN_STEM_LENGTH = 7

_SOURCE = re.compile(
    r"\.(?:py|pyx|js|jsx|ts|tsx|mjs|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|ex|exs|lua|vim|scala|sh)$"
)
_NOISE = re.compile(
    r"(?:^|/)(?:tests?|spec|specs|__tests__|testing|examples?|docs?|vendor|fixtures|locale|i18n|translations"
    r"|third_party|node_modules|bench(?:es|marks?)?)(?:/|$)"
    r"|_test\.|\.test\.|\.spec\.|_spec\.|Tests?\.(?:java|cs|kt|swift)$|/test_|(?:^|/)version|generated|CHANGELOG",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Change:
    """A commit with a descriptive subject: its parent, the resulting query, the modified files."""

    commit: str
    parent: str
    query: str
    files: tuple[str, ...]


def sources() -> dict[str, str]:
    """The mined repositories, `owner/name`, each with its newest commit to use."""
    listed: dict[str, str] = json.loads(_SOURCES.read_text(encoding="utf-8"))
    return listed


def mined(source: str, head: str, mirrors: Path, work: Path) -> Project:
    """The tasks of one repository; mined once, then cached in the work folder."""
    kept_out.check(source)
    kept = work / "mined" / f"{source.replace('/', '+')}-{head[:8]}.json"
    if not kept.exists():
        project = mine(source, head, mirrors, work)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([_raw(project)], indent=1), encoding="utf-8")
    return tasks.read(kept)[0]


def _raw(project: Project) -> dict[str, object]:
    """A project in the format of the task files."""
    made = [
        {
            "query": task.query,
            "files": task.files,
            "places": [(place.path, place.start, place.end) for place in task.places],
            "commit": task.commit,
        }
        for task in project.tasks
    ]
    return {"name": project.name, "source": project.source, "revision": project.revision, "tasks": made}


def mine(source: str, head: str, mirrors: Path, work: Path) -> Project:
    """The tasks of one repository; raises `Missing` if its mirror is missing or its history too short."""
    name = source.partition("/")[2]
    repo = layout.mirror_of(Project(name, source, head, ()), mirrors)
    prepared = list(islice(changes(repo, head), MOST_TASKS))
    if len(prepared) < _FEWEST_COMMITS:
        raise layout.Missing(f"{source} has only {len(prepared)} commits with descriptive subjects")
    bare = Project(name, source, prepared[-1].parent, ())
    root = layout.tree(bare, mirrors, work)
    made = tuple(task for each in prepared if (task := _task(repo, root, each)))
    return Project(name, source, bare.revision, made)


def changes(repo: Path, head: str) -> Iterator[Change]:
    """The commits of a repository with descriptive subjects, newest first."""
    log = _log(repo, head, "--first-parent")
    if len(log) < _FEWEST_FIRST_PARENTS:
        log = _log(repo, head)
    for entry in log:
        commit, parents, subject, *names = entry.strip("\n").split("\n")
        query = query_of(subject)
        files = _files([name for name in names if name])
        if parents and query and files and not _names_a_file(query, files):
            yield Change(commit, parents.split()[0], query, files)


def _log(repo: Path, head: str, *more: str) -> list[str]:
    wanted = ("--no-merges", f"-n{_MAX_COMMITS}", "--format=%x00%H%n%P%n%s", "--name-status", "--no-renames")
    return _git(repo, "log", *more, *wanted, head).split("\0")[1:]


def _files(names: list[str]) -> tuple[str, ...]:
    """The modified files of a commit; empty if it changes too many files or no code."""
    changed = [name.split("\t", 1) for name in names]
    code = [(status, path) for status, path in changed if _SOURCE.search(path) and not _NOISE.search(path)]
    files = tuple(path for status, path in code if status == "M")
    return files if len(files) <= _MAX_FILES and len(code) <= _MAX_SOURCES else ()


def _names_a_file(query: str, files: tuple[str, ...]) -> bool:
    said = query.lower().replace("_", "")
    stems = (Path(file).stem.lower().replace("_", "") for file in files)
    return any(len(stem) >= _MIN_STEM_LENGTH and stem in said for stem in stems)


def _task(repo: Path, root: Path, change: Change) -> Task | None:
    files = tuple(file for file in change.files if (root / file).is_file())
    if not files:
        return None
    diff = _git(repo, "diff", "-U3", "--no-renames", change.parent, change.commit, "--", *files)
    places = []
    for hunk in hunks(diff):
        lines = (root / hunk.path).read_text(encoding="utf-8", errors="replace").split("\n")
        at = located(hunk, lines)
        if at:
            places.append(Place(hunk.path, *at))
    return Task(change.query, files, tuple(places), commit=change.commit[:12])


def _git(repo: Path, *arguments: str) -> str:
    command = ["git", f"--git-dir={repo}", "-c", "core.quotePath=false", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise layout.Missing(f"git {arguments[0]}: {done.stderr.decode('utf-8', 'replace').strip()[:200]}")
    return done.stdout.decode("utf-8", "replace")
