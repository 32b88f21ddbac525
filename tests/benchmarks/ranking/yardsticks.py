"""The yardsticks: the tasks that each uses, and how an answer is judged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.benchmarks.ranking.metrics import DEPTH, distinct_files, first_rank, ndcg, reciprocal, within
from tests.benchmarks.ranking.tasks import Place, Task
from tests.benchmarks.ranking.tools import Search

Figures = dict[str, float]
Judge = Callable[[Search, Task], Figures]

FILE_NDCG, FILE_1, FILE_10 = "file NDCG@10", "file @1", "file @10"
PLACE_MRR, PLACE_1, PLACE_3, PLACE_10 = "place MRR", "place @1", "place @3", "place @10"
COLUMNS = (FILE_NDCG, FILE_1, FILE_10, PLACE_MRR, PLACE_1, PLACE_3, PLACE_10)

# Hits for an issue are counted as in published runs: only Python files that are not tests.
_PYTHON_TEST = re.compile(r"(^|/)(tests?|testing)(/|$)|(^|/)(test_|conftest)|_test\.py$")
_ISSUE_POOL = 60
# The hits of these tools are whole files, which would overlap every place.
_FILE_LEVEL_TOOLS = frozenset(("ripgrep",))


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of a tool for one task."""

    yardstick: str
    tool: str
    project: str
    query: str
    figures: Figures


def _file_figures(files: list[Place], targets: list[Place]) -> Figures:
    rank = first_rank(files, targets)
    return {FILE_NDCG: ndcg(files, targets), FILE_1: within(rank, 1), FILE_10: within(rank, DEPTH)}


def _place_figures(hits: list[Place], task: Task) -> Figures:
    if not task.places:
        return {}
    rank = first_rank(hits[:DEPTH], task.places)
    at = {name: within(rank, depth) for name, depth in ((PLACE_1, 1), (PLACE_3, 3), (PLACE_10, DEPTH))}
    return {PLACE_MRR: reciprocal(rank), **at}


def topic(search: Search, task: Task) -> Figures:
    """Judge a topic, whose answers are files and a few places: one hit per file."""
    return _file_figures(search(task.query, DEPTH, True), task.targets())


def topic_seen(search: Search, task: Task) -> Figures:
    """Judge the same on the page that the user sees, with several places per file."""
    hits = search(task.query, DEPTH, False)
    return {FILE_NDCG: ndcg(hits, task.targets())}


def change(search: Search, task: Task) -> Figures:
    """Judge a change, sentence or question: files in a list of files, places on the page the user sees."""
    files = _file_figures(search(task.query, DEPTH, True), task.whole_files())
    return {**files, **_place_figures(search(task.query, DEPTH, False), task)}


def issue_title(search: Search, task: Task) -> Figures:
    """Judge a search for the title of a bug report."""
    return _issue(search, task, task.query)


def issue_text(search: Search, task: Task) -> Figures:
    """Judge a search for the whole bug report."""
    return _issue(search, task, task.text)


def _issue(search: Search, task: Task, query: str) -> Figures:
    hits = [hit for hit in search(query, _ISSUE_POOL, False) if _is_code(hit.path)]
    return {**_file_figures(distinct_files(hits), task.whole_files()), **_place_figures(hits, task)}


def _is_code(path: str) -> bool:
    return path.endswith(".py") and not _PYTHON_TEST.search(path)


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Tasks and the ways to judge them; `pooled` if there are too few projects to average over."""

    name: str
    judges: Mapping[str, Judge]
    pooled: bool = False

    def rows(self, tool: str, search: Search, project: str, task: Task) -> Iterator[Row]:
        """The rows of a tool for one task, one for each way to judge it."""
        for title, judge in self.judges.items():
            figures = judge(search, task)
            if tool in _FILE_LEVEL_TOOLS:
                figures = {name: value for name, value in figures.items() if name.startswith("file ")}
            yield Row(title, tool, project, task.query, figures)


TOPICS = Yardstick("topics", {"topics": topic, "topics, as seen": topic_seen})
CHANGES = Yardstick("changes", {"changes": change})
SENTENCES = Yardstick("sentences", {"doc sentences": change})
ISSUES = Yardstick("issues", {"issues, title": issue_title, "issues, text": issue_text}, pooled=True)
MESSAGES = Yardstick("messages", {"messages": change})
DEVELOPMENT = Yardstick("development", {"development questions": change})
SEARCHES = Yardstick("searches", {"short searches": change})
QUESTIONS = Yardstick("questions", {"questions": change}, pooled=True)

_ALL = (TOPICS, CHANGES, SENTENCES, MESSAGES, DEVELOPMENT, SEARCHES, ISSUES, QUESTIONS)
YARDSTICKS = {each.name: each for each in _ALL}
POOLED = frozenset(title for each in YARDSTICKS.values() if each.pooled for title in each.judges)
