"""The tools that are compared, each behind the same four questions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from tests.benchmarks.ndcg import DEPTH, Place

_WORD = re.compile(r"[A-Za-z0-9_]{3,}")
_STOPWORDS = frozenset(
    ("the", "and", "for", "with", "that", "how", "what", "where", "which", "are", "does", "from", "into",
     "this", "when", "code")
)  # fmt: skip


class Tool(Protocol):
    """One open repository; making it builds the index, or loads the one that is there."""

    def __init__(self, root: Path, scratch: Path) -> None:
        """Open a repository; everything kept is kept in the scratch folder."""

    def search(self, query: str) -> list[Place]:
        """The first ten places."""

    def saved(self, path: Path) -> None:
        """Learn that a file changed, as a user of the tool would have it learn."""

    def close(self) -> None:
        """Keep the index and let go."""


class Sightline:
    """This project, through what its server uses."""

    def __init__(self, root: Path, scratch: Path) -> None:
        os.environ["SIGHTLINE_CACHE_DIR"] = str(scratch / "sightline")
        from sightline.types import SearchRequest
        from sightline.workspace import Workspace

        self._request = SearchRequest
        self._workspace = Workspace()
        self._folder = self._workspace.add_folder(root, {"search": {"cache_ttl_hours": 0}})
        self._folder.wait_idle()

    def search(self, query: str) -> list[Place]:
        """A hybrid search, snippets included."""
        hits = self._workspace.search(self._request(query, limit=DEPTH)).hits
        return [Place(hit.path, hit.start_line + 1, hit.end_line + 1) for hit in hits]

    def saved(self, path: Path) -> None:
        """The event of a save."""
        self._workspace.changed([path])

    def close(self) -> None:
        """Close the workspace."""
        self._workspace.close(60)


class Semble:
    """semble with the same static model; it has no event of a save and looks at the folder again."""

    def __init__(self, root: Path, scratch: Path) -> None:
        os.environ["SEMBLE_CACHE_LOCATION"] = str(scratch / "semble")
        self._root, self._model = root, semble_model(scratch / "model")
        self._load()

    def _load(self) -> None:
        from semble import SembleIndex
        from semble.cache import save_index_to_cache

        self._index: Any = SembleIndex.from_path(self._root, model_path=self._model)
        save_index_to_cache(self._index, str(self._root))

    def search(self, query: str) -> list[Place]:
        """Its hybrid search."""
        chunks = [result.chunk for result in self._index.search(query, top_k=DEPTH)]
        return [Place(chunk.file_path, chunk.start_line, chunk.end_line) for chunk in chunks]

    def saved(self, path: Path) -> None:
        """What every command of it does first: compare the folder with the cache, and update that."""
        self._load()

    def close(self) -> None:
        """Nothing is open."""


class Ripgrep:
    """The floor: files by how many words of the query they contain."""

    def __init__(self, root: Path, scratch: Path) -> None:
        self._root = root

    def search(self, query: str) -> list[Place]:
        """One ripgrep a word; a file counts as a hit whole, wherever the word stands in it."""
        found: Counter[str] = Counter()
        words = dict.fromkeys(word.lower() for word in _WORD.findall(query))
        for word in [word for word in words if word not in _STOPWORDS] or list(words):
            command = ["rg", "--files-with-matches", "--ignore-case", "--fixed-strings", "--", word, "."]
            done = subprocess.run(command, cwd=self._root, capture_output=True, text=True, check=False)
            found.update(line.removeprefix("./") for line in done.stdout.splitlines())
        best = sorted(found, key=lambda path: (-found[path], path))[:DEPTH]
        return [Place(path) for path in best]

    def saved(self, path: Path) -> None:
        """It reads the files anew each time."""

    def close(self) -> None:
        """Nothing is open."""


TOOLS: dict[str, type[Tool]] = {"sightline": Sightline, "semble": Semble, "ripgrep": Ripgrep}


def installed(name: str) -> bool:
    """Whether a tool can be run here."""
    return shutil.which("rg") is not None if name == "ripgrep" else find_spec(name) is not None


def semble_model(folder: Path) -> str:
    """The folder, with Sightline's model in it as semble reads one."""
    from sightline.embedding import loading

    folder.mkdir(parents=True, exist_ok=True)
    for name in ("model.safetensors", "tokenizer.json"):
        if not (folder / name).exists():
            shutil.copy(loading.PACKAGED_FOLDER / name, folder)
    (folder / "config.json").write_text('{"normalize": true}')
    return str(folder)
