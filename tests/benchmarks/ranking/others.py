"""The other tools; their answers are cached, because they only change with the tool's version.

A tool's packages are imported when it is opened, because side_by_side.py measures that time too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.ranking.metrics import distinct_files
from tests.benchmarks.ranking.tasks import Place

if TYPE_CHECKING:
    from tests.benchmarks.ranking.tools import Search

# Number of chunks requested when only one per file is wanted.
_CHUNKS_FOR_FILES = 50
_WORD = re.compile(r"[A-Za-z0-9_]{3,}")
_STOPWORDS = frozenset(
    ("the", "and", "for", "with", "that", "how", "what", "where", "which", "are", "does", "from", "into",
     "this", "when", "code")
)  # fmt: skip


class Kept:
    """Another tool on one tree, with a cache of its answers."""

    def __init__(self, tool: type[Semble] | type[Ripgrep], root: Path, work: Path, tree: str) -> None:
        self._tool, self._root, self._work = tool, root, work
        self._opened: Semble | Ripgrep | None = None
        self._file = work / "answers" / f"{tool.name}-{tool.release()}" / f"{tree}.json"
        self._known: dict[str, list[Any]] = {}
        if self._file.exists():
            self._known = json.loads(self._file.read_text(encoding="utf-8"))
        self._state = ""
        self.tools: dict[str, Search] = {tool.name: self._search} if self._known or tool.installed() else {}

    def _search(self, query: str, limit: int, one_per_file: bool) -> list[Place]:
        key = f"{self._state} {limit} {one_per_file} {query}"
        if key not in self._known:
            if self._opened is None:
                self._opened = self._tool(self._root, self._work)
            found = self._opened.search(query, limit, one_per_file)
            self._known[key] = [[place.path, place.start, place.end] for place in found]
        return [Place(*place) for place in self._known[key]]

    def moved(self, commit: str) -> None:
        """Discard the opened tool, because the tree is at another commit."""
        self._opened, self._state = None, commit

    def close(self) -> None:
        """Write the cached answers."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(self._known), encoding="utf-8")


class Semble:
    """semble with Sightline's own static model, on the code that it indexes by default."""

    name = "semble"

    def __init__(self, root: Path, work: Path) -> None:
        os.environ["SEMBLE_CACHE_LOCATION"] = str(work / "semble")
        from semble import SembleIndex
        from semble.cache import save_index_to_cache

        self._index: Any = SembleIndex.from_path(root, model_path=semble_model(work / "model"))
        save_index_to_cache(self._index, str(root))

    @staticmethod
    def installed() -> bool:
        """Whether semble can be imported."""
        return find_spec("semble") is not None

    @staticmethod
    @cache
    def release() -> str:
        """The version of the cached answers: the installed one, else the one that produced the cache."""
        return version("semble") if Semble.installed() else "0.7.0"

    def search(self, query: str, limit: int, one_per_file: bool) -> list[Place]:
        """Its hybrid search."""
        found = self._index.search(query, top_k=max(limit, _CHUNKS_FOR_FILES) if one_per_file else limit)
        places = [Place(each.chunk.file_path, each.chunk.start_line, each.chunk.end_line) for each in found]
        return distinct_files(places)[:limit] if one_per_file else places


class Ripgrep:
    """The lower baseline: code files by the number of query words they contain, then by match count."""

    name = "ripgrep"

    def __init__(self, root: Path, work: Path) -> None:
        self._root = root

    @staticmethod
    def installed() -> bool:
        """Whether the command `rg` exists."""
        return shutil.which("rg") is not None

    @staticmethod
    def release() -> str:
        """A constant: the answers do not depend on ripgrep's version."""
        return "1"

    def search(self, query: str, limit: int, one_per_file: bool) -> list[Place]:
        """Run ripgrep once per word; a hit is a whole file, wherever the word is in it."""
        words: Counter[str] = Counter()
        matches: Counter[str] = Counter()
        for word in _words(query):
            found = self._matches(word)
            words.update(found.keys())
            matches.update(found)
        best = sorted(words, key=lambda path: (-words[path], -matches[path], path))
        return [Place(path) for path in best[:limit]]

    def _matches(self, word: str) -> dict[str, int]:
        """The number of matches of a word in each code file."""
        options = ["--count-matches", "--with-filename", "--ignore-case", "--fixed-strings", "--null"]
        command = ["rg", *options, *_code_globs(), "--", word, "."]
        done = subprocess.run(command, cwd=self._root, capture_output=True, text=True, check=False)
        lines = (line.partition("\0") for line in done.stdout.splitlines())
        return {path.removeprefix("./"): int(count) for path, _, count in lines}


def _words(query: str) -> list[str]:
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(query)))
    return [word for word in words if word not in _STOPWORDS] or words


@cache
def _code_globs() -> tuple[str, ...]:
    from sightline.languages.table import LANGUAGES

    code = (language for language in LANGUAGES.values() if language.strategy == "code")
    names = {f"*{extension}" for language in code for extension in language.extensions}
    return tuple(part for name in sorted(names) for part in ("--glob", name))


def semble_model(folder: Path) -> str:
    """Write Sightline's model into the folder in semble's format; return the folder."""
    from sightline.embedding import load_model as loading

    folder.mkdir(parents=True, exist_ok=True)
    for name in ("model.safetensors", "tokenizer.json"):
        if not (folder / name).exists():
            shutil.copy(loading.PACKAGED_FOLDER / name, folder)
    (folder / "config.json").write_text('{"normalize": true}')
    return str(folder)
