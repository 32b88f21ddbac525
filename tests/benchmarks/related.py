"""Checks "calls", "called by" and "test of" of textDocument/related against a language's own tools.

    python -m tests.benchmarks.related --root DIR --judge jedi            (needs jedi in this Python)
    python -m tests.benchmarks.related --root DIR --judge gopls --suffix .go
    python -m tests.benchmarks.related --root DIR --judge "clangd --background-index" --suffix .c --warm 60
    python -m tests.benchmarks.related --root DIR --judge "typescript-language-server --stdio" --suffix .ts

For each sampled function the ground truth is what the judge resolves for the calls in its body, inside DIR.
Precision is the share of the reported relations that are true, recall the share of the true ones that are
reported. Beside the precision of all, that of the "judged" ones is given: without those where the judge
resolves the call to nothing at all, such as a method of a parameter without a type. "called by" is judged in
reverse: whether the judge finds the function among the callees of the reported caller. "test of" must have a
test on exactly one side.
"""

from __future__ import annotations

import ast
import json
import random
import re
import shlex
import statistics
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from tests.benchmarks.lsp_client import TimedClient
from tests.benchmarks.options import parser

_TEST = re.compile(r"(^|/)tests?(/|_)|test_|_test\.|(^|/)testing(/|\.)")
_LEFT_OUT = re.compile(r"(^|/)(docs?|data|examples?|vendor|third_party|deps)(/|$)")
_CALLED = re.compile(r"\b(?!function\b|constructor\b)([A-Za-z_]\w*)\s*\(")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_LEAST_LINES = 5
_LIMIT = 30
_FUNCTION_KINDS = frozenset({6, 9, 12})
_LANGUAGES = {
    ".go": "go", ".c": "c", ".h": "c", ".js": "javascript", ".mjs": "javascript", ".ts": "typescript"
}  # fmt: skip

Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the project; lines are 0-based."""

    path: str
    name: str
    line: int
    column: int
    end: int


@dataclass(frozen=True, slots=True)
class Callees:
    """The definitions inside the project that a function calls, and the called names that lead nowhere."""

    inside: frozenset[Name]
    unresolved: frozenset[str]


class Judge(ABC):
    """Finds the functions of a project and their callees."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[Function, Callees] = {}

    @abstractmethod
    def functions(self, path: str) -> list[Function]:
        """The functions of a file."""

    @abstractmethod
    def find_callees(self, function: Function) -> Callees:
        """What a function calls."""

    def callees(self, function: Function) -> Callees:
        """The same, cached."""
        if function not in self._known:
            self._known[function] = self.find_callees(function)
        return self._known[function]


class JediJudge(Judge):
    """A judge for Python that uses jedi."""

    def __init__(self, root: Path, source: str) -> None:
        import jedi  # type: ignore[import-not-found, import-untyped, unused-ignore]

        super().__init__(root)
        self._jedi = jedi
        self._project = jedi.Project(str(root))
        if source:
            # jedi searches the folders around a file too, where a module may hide a package of its name.
            self._project = jedi.Project(str(root), added_sys_path=[str(root / source)], smart_sys_path=False)
        self._nodes: dict[Function, ast.AST] = {}

    def functions(self, path: str) -> list[Function]:
        """Every function of at least a few lines."""
        text = (self.root / path).read_text()
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return []
        lines, found = text.split("\n"), []
        for node in ast.walk(tree):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            end, line = node.end_lineno or node.lineno, node.lineno - 1
            if end - node.lineno >= _LEAST_LINES:
                function = Function(path, node.name, line, lines[line].find(node.name), end - 1)
                self._nodes[function] = node
                found.append(function)
        return found

    def find_callees(self, function: Function) -> Callees:
        """The definitions that jedi finds for each call."""
        script = self._jedi.Script(path=str(self.root / function.path), project=self._project)
        found, unresolved = set[Name](), set[str]()
        for call in ast.walk(self._nodes[function]):
            if isinstance(call, ast.Call):
                names = self._goto(script, call.func)
                found |= self._inside(names)
                if not names and isinstance(call.func, ast.Attribute):
                    unresolved.add(call.func.attr)
        return Callees(frozenset(found), frozenset(unresolved))

    def _goto(self, script: Any, callee: ast.expr) -> list[Any]:
        at = (callee.lineno, callee.col_offset)
        if isinstance(callee, ast.Attribute):
            at = (callee.end_lineno or 0, (callee.end_col_offset or 1) - 1)
        try:
            return list(script.goto(*at, follow_imports=True))
        except Exception:
            # jedi raises arbitrary errors on code it does not understand: treat that as no result.
            return []

    def _inside(self, names: list[Any]) -> set[Name]:
        paths = [(each.module_path, each.name) for each in names if each.module_path]
        inside = [(path, name) for path, name in paths if path.is_relative_to(self.root)]
        return {(path.relative_to(self.root).as_posix(), name) for path, name in inside}


class ServerJudge(Judge):
    """A judge for any language that uses its language server."""

    def __init__(self, root: Path, command: str, warm: float) -> None:
        super().__init__(root)
        self._client = TimedClient(tuple(shlex.split(command)))
        nested = {"hierarchicalDocumentSymbolSupport": True}
        params = {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": {"textDocument": {"documentSymbol": nested}},
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        }
        self._client.request("initialize", params)
        self._client.notify("initialized", {})
        self._opened: dict[str, str] = {}
        time.sleep(warm)

    def _text(self, path: str) -> str:
        if path not in self._opened:
            self._opened[path] = text = (self.root / path).read_text("utf-8", "replace")
            language = _LANGUAGES.get(Path(path).suffix, "cpp")
            item = {"uri": (self.root / path).as_uri(), "languageId": language, "version": 1, "text": text}
            self._client.notify("textDocument/didOpen", {"textDocument": item})
        return self._opened[path]

    def functions(self, path: str) -> list[Function]:
        """The functions and methods that the server lists."""
        self._text(path)
        params = {"textDocument": {"uri": (self.root / path).as_uri()}}
        pending = list(self._client.request("textDocument/documentSymbol", params) or ())
        found = []
        while pending:
            symbol = pending.pop()
            pending += symbol.get("children") or ()
            lines, start = symbol["range"], symbol["selectionRange"]["start"]
            name = re.split(r"[.:)]+", symbol["name"])[-1]
            # Servers also list anonymous functions, and constructors under a name that no call has.
            named = name.lstrip("~").isidentifier() and name != "constructor"
            long = lines["end"]["line"] - start["line"] >= _LEAST_LINES
            if symbol["kind"] in _FUNCTION_KINDS and named and long:
                found.append(Function(path, name, start["line"], start["character"], lines["end"]["line"]))
        return found

    def find_callees(self, function: Function) -> Callees:
        """The definitions that the server finds for each name followed by a parenthesis."""
        lines = self._text(function.path).split("\n")[function.line : function.end + 1]
        text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), "\n".join(lines))
        found, unresolved = set[Name](), set[str]()
        for number, line in enumerate(text.split("\n")):
            for called in _CALLED.finditer(line):
                if not number and called.group(1) == function.name:
                    continue
                places = self._definition(function.path, function.line + number, called.start(1))
                found |= {name for place in places if (name := self._named(place)) is not None}
                if not places:
                    unresolved.add(called.group(1))
        return Callees(frozenset(found), frozenset(unresolved))

    def _definition(self, path: str, line: int, column: int) -> list[dict[str, Any]]:
        params = {
            "textDocument": {"uri": (self.root / path).as_uri()},
            "position": {"line": line, "character": column},
        }
        try:
            answer = self._client.request("textDocument/definition", params) or []
        except RuntimeError:
            return []
        return answer if isinstance(answer, list) else [answer]

    def _named(self, place: dict[str, Any]) -> Name | None:
        path = Path(unquote(urlparse(place["uri"]).path))
        if not path.is_relative_to(self.root):
            return None
        start = place["range"]["start"]
        text = path.read_text("utf-8", "replace").split("\n")[start["line"]]
        word = re.match(r"\w+", text[start["character"] :])
        return (path.relative_to(self.root).as_posix(), word.group()) if word else None


class Tally:
    """Counts the reported relations and how many of them are true."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.seconds: list[float] = []

    def add(self, what: str, *, good: bool, judged: bool = True) -> None:
        """Count one relation; it is not `judged` if the judge resolves the call to nothing at all."""
        self.counts[what] += 1
        self.counts[f"{what} true"] += good
        self.counts[f"{what} judged"] += good or judged

    def line(self, name: str) -> dict[str, Any]:
        """A row of the table."""
        row: dict[str, Any] = {"project": name}
        for what in ("calls", "called by", "test of", "callees found"):
            said, good = self.counts[what], self.counts[f"{what} true"]
            row[what] = f"{good}/{said} ({good / max(1, said):.2f})"
            if what in ("calls", "called by"):
                judged = self.counts[f"{what} judged"]
                row[f"{what}, judged"] = f"{good}/{judged} ({good / max(1, judged):.2f})"
        row["p50 ms"] = round(statistics.median(self.seconds) * 1000, 1)
        return row


def _path(root: Path, hit: dict[str, Any]) -> str:
    return Path(unquote(urlparse(hit["uri"]).path)).relative_to(root).as_posix()


def judge_hits(
    judge: Judge,
    function: Function,
    hits: list[dict[str, Any]],
    known: dict[Name, list[Function]],
    tally: Tally,
    show: bool,
) -> None:
    """Compare the reported relations of a function with what the judge finds."""
    truth, said = judge.callees(function), set[Name]()
    for hit in hits:
        path, name = _path(judge.root, hit), (hit.get("symbol") or {}).get("name", "")
        reason, judged = hit["reason"], True
        if reason == "calls":
            said.add((path, name))
            good, judged = (path, name) in truth.inside, name not in truth.unresolved
        elif reason == "called by":
            caller = _caller(hit, known.get((path, name), []))
            if caller is None or _TEST.search(path):
                continue
            made = judge.callees(caller)
            good = (function.path, function.name) in made.inside
            judged = function.name not in made.unresolved
        elif reason == "test of":
            good = bool(_TEST.search(path)) != bool(_TEST.search(function.path))
        else:
            continue
        tally.add(reason, good=good, judged=judged)
        if show and not good:
            note = "" if judged else " (the judge does not know)"
            print(f"{function.path}:{function.line + 1} {function.name} -- {reason}: {path} {name}{note}")
    for each in truth.inside:
        tally.add("callees found", good=each in said)
        if show and each not in said:
            print(f"{function.path}:{function.line + 1} {function.name} -- not found: {' '.join(each)}")


def _caller(hit: dict[str, Any], functions: list[Function]) -> Function | None:
    """The judge's function for a hit: among equal names the one inside the hit's lines."""
    first, last = hit["range"]["start"]["line"], hit["range"]["end"]["line"]
    return next((each for each in functions if first <= each.line <= last), None)


def main() -> None:
    """Judge one project and print a row of the table."""
    options = parser(__doc__)
    options.add_argument("--root", type=Path, required=True)
    options.add_argument("--judge", default="jedi")
    options.add_argument("--server", default=f"{sys.executable} -m sightline serve")
    options.add_argument("--suffix", default=".py")
    options.add_argument("--functions", type=int, default=60)
    options.add_argument("--warm", type=float, default=0.0, help="seconds to wait for the judge's own index")
    options.add_argument("--source", default="", help="the only folder below DIR that jedi imports from")
    options.add_argument("--show", action="store_true", help="print what is wrong or missing")
    chosen = options.parse_args()
    root: Path = chosen.root.resolve()
    judge = (
        JediJudge(root, chosen.source)
        if chosen.judge == "jedi"
        else ServerJudge(root, chosen.judge, chosen.warm)
    )
    paths = [path.relative_to(root).as_posix() for path in sorted(root.rglob(f"*{chosen.suffix}"))]
    pool = [
        function
        for path in paths
        if not _TEST.search(path) and not _LEFT_OUT.search(path)
        for function in judge.functions(path)
    ]
    known: dict[Name, list[Function]] = {}
    for function in pool:
        known.setdefault((function.path, function.name), []).append(function)
    sample = random.Random(5).sample(pool, min(chosen.functions, len(pool)))
    tally = Tally()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        client = TimedClient(tuple(shlex.split(chosen.server)), {"SIGHTLINE_CACHE_DIR": cache})
        client.initialize(root)
        client.wait_ready()
        for function in sample:
            place = {"line": function.line, "character": function.column + 1}
            params = {
                "textDocument": {"uri": (root / function.path).as_uri()},
                "position": place,
                "limit": _LIMIT,
            }
            started = time.perf_counter()
            hits = client.request("textDocument/related", params)["results"]
            tally.seconds.append(time.perf_counter() - started)
            judge_hits(judge, function, hits, known, tally, chosen.show)
        client.close()
    print(json.dumps(tally.line(root.name)))


if __name__ == "__main__":
    main()
