"""The workspace: the open folders, each with its index; what the server and the command line call."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sightline.embedding.model_registry import ModelRegistry
from sightline.errors import InvalidRequest, SightlineError, stop_if
from sightline.folder import Folder
from sightline.folder_answers import attempt, coverage_of, retry_if_replaced, wait_for_searchers
from sightline.indexing.events import Event, Level, Listener, Message, StatusChanged
from sightline.indexing.gate import Gate
from sightline.location import cache_dir
from sightline.parsed_file import Symbol
from sightline.processes.freed_memory import ReleaseWhenQuiet
from sightline.settings import tree as settings_tree
from sightline.settings.tree import Settings
from sightline.types import (
    Calls,
    FolderStatus,
    Hit,
    SearchRequest,
    SearchResult,
    SymbolHit,
    SymbolInfo,
)

if TYPE_CHECKING:
    from sightline.search.engine import FolderAnswer
    from sightline.search.hierarchy import Question
    from sightline.search.trace import Trace

log = logging.getLogger(__name__)

Cancel = Callable[[], bool]
Editor = Mapping[str, object]
_Answer = TypeVar("_Answer")

# Folders searched in parallel; more would only compete for the cores.
_PARALLEL = 4


class Workspace:
    """The open folders; every method may be called from any thread.

    `long_lived` says that the process will answer many searches, so that preparing for them pays.
    """

    def __init__(self, *, long_lived: bool = False) -> None:
        self._long_lived = long_lived
        self._listeners: list[Listener] = []
        self._gate = Gate()
        self._models = ModelRegistry(cache_dir() / "models")
        self._editor: Editor | None = None
        self._folders: dict[Path, Folder] = {}
        self._base: dict[Path, Settings] = {}
        self._lock = threading.Lock()
        # Changes of folders and settings are serialised, so that each folder ends with the newest of both.
        self._changing = threading.RLock()
        self._pool = ThreadPoolExecutor(_PARALLEL, "sightline-folder")
        self._freed_memory = ReleaseWhenQuiet()

    @property
    def folders(self) -> list[Folder]:
        """The open folders, in the order they were added."""
        with self._lock:
            return list(self._folders.values())

    def subscribe(self, listener: Listener) -> None:
        """Send events to a listener from now on; they may come from any thread."""
        self._listeners.append(listener)

    def add_folder(self, root: Path, editor: Editor | None = None) -> Folder:
        """Open a folder and index it in the background; no effect if it is already open."""
        root = _existing(root)
        chosen, problems = _load_settings(root, editor)
        for problem in problems:
            self._notify("warning", problem)
        with self._changing:
            self._editor = editor
            known = self._folders.get(root)
            if known:
                return known
            shared = self._gate, self._models, self._emit
            folder = Folder(root, chosen, *shared, long_lived=self._long_lived)
            self._base[root] = chosen
            with self._lock:
                self._folders[root] = folder
            self._apply_throttle(chosen)
            self._apply_settings()
        folder.start()
        return folder

    def remove_folder(self, root: Path) -> None:
        """Close a folder; its index stays on disk."""
        with self._changing:
            self._base.pop(root.resolve(), None)
            with self._lock:
                folder = self._folders.pop(root.resolve(), None)
            # The enclosing folder now indexes its files.
            self._apply_settings()
        if folder:
            folder.close()

    def close(self, timeout: float = 5.0) -> None:
        """Close every folder, waiting until the timeout at most."""
        deadline = time.monotonic() + timeout
        for folder in self.folders:
            folder.close(max(0.1, deadline - time.monotonic()))
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._freed_memory.close()

    def search(
        self,
        request: SearchRequest,
        folders: Sequence[Path] | None = None,
        overlays: Mapping[Path, str] | None = None,
        cancelled: Cancel | None = None,
        on_partial: Callable[[Sequence[Hit]], None] | None = None,
        trace: Trace | None = None,
        here: Path | None = None,
    ) -> SearchResult:
        """Search the folders in parallel and merge their results; a folder that fails is named in the answer.

        `overlays` are the texts of open documents, None without an editor; `here` is what `in:here` means.
        """
        from sightline.search.engine import FolderAnswer
        from sightline.search.query.prepared_query import prepare
        from sightline.search.results.merge import merged
        from sightline.search_scope import search_scopes

        started = time.perf_counter()
        chosen = self._chosen(folders)
        query = prepare(_from_the_first(request))
        scope = search_scopes([folder.root for folder in chosen], query.parsed.filters, overlays, here)

        def ask(folder: Folder) -> FolderAnswer:
            sources = folder.sources(overlays)
            searcher = wait_for_searchers(folder, cancelled).searcher
            answer = searcher.search(query, sources.read, cancelled, trace, scope[folder.root])
            if on_partial and len(chosen) > 1:
                on_partial(answer.hits)
            return answer

        with self._answering():
            answers, failures = self._ask_all(chosen, ask, cancelled)
        surest = max(answers, key=lambda answer: answer.confidence, default=FolderAnswer((), 0))
        hits = merged([answer.hits for answer in answers], request.offset, request.limit)
        return SearchResult(
            hits=hits,
            total=sum(answer.total for answer in answers),
            took_ms=(time.perf_counter() - started) * 1000,
            cached=bool(answers) and all(answer.cached for answer in answers),
            coverage=coverage_of(chosen, failures),
            confidence=surest.confidence,
            note=surest.note,
        )

    def related(
        self,
        path: Path,
        line: int,
        column: int,
        limit: int = 10,
        text: str | None = None,
        cancelled: Cancel | None = None,
        *,
        facts_only: bool = False,
    ) -> list[Hit]:
        """Code related to a position in a file, each with a reason; `text` is the unsaved file."""
        folder = self._holding(path)
        sources = folder.sources({} if text is None else {path: text})

        def find(folder: Folder) -> list[Hit]:
            found = wait_for_searchers(folder, cancelled).related
            at = (folder.relative(path), line, column)
            return found.find(*at, sources.read, limit, cancelled, facts_only=facts_only)

        with self._answering():
            return retry_if_replaced(folder, find)

    def hierarchy(
        self, question: Question, path: Path, line: int, column: int, text: str | None = None
    ) -> SymbolHit | list[Calls] | None:
        """The definition named at a position, its callers, or what it calls."""
        folder = self._holding(path)
        relative = folder.relative(path)
        source = folder.sources({} if text is None else {path: text}).read(relative)

        def find(folder: Folder) -> SymbolHit | list[Calls] | None:
            found = wait_for_searchers(folder, None).hierarchy
            return found.ask(question, relative, source, line, column)

        with self._answering():
            return retry_if_replaced(folder, find)

    def symbols(self, query: str, limit: int = 100, cancelled: Cancel | None = None) -> list[SymbolHit]:
        """Definitions by name, from every folder."""
        with self._answering():
            answers, _ = self._ask_all(
                self.folders,
                lambda folder: wait_for_searchers(folder, cancelled).symbols.find(query, limit, cancelled),
                cancelled,
            )
        found = [hit for answer in answers for hit in answer]
        return sorted(found, key=lambda hit: -hit.score)[:limit]

    def document_symbols(self, path: Path, text: str | None = None) -> list[Symbol]:
        """The definitions of one file, as it is in the editor."""
        # Imported here: a search does not need the parser.
        from sightline.indexing.parsing.parse_file import definitions_in

        folder = self._holding(path)
        relative = folder.relative(path)
        source = folder.sources({} if text is None else {path: text}).read(relative)
        if source is None:
            return []
        return list(definitions_in(source.text, folder.language(relative, source.text)))

    def describe(self, path: Path, line: int, column: int, text: str | None = None) -> SymbolInfo | None:
        """The symbol under the cursor; None on white space, in comments and for unknown names."""
        folder = self._holding(path)
        searchers = folder.searchers()
        if searchers is None:
            return None
        sources = folder.sources({} if text is None else {path: text})
        with self._answering():
            return searchers.related.describe(folder.relative(path), line, column, sources.read)

    def status(self) -> list[FolderStatus]:
        """The status of every folder's index."""
        return [folder.status() for folder in self.folders]

    def changed(self, paths: Iterable[Path]) -> None:
        """Queue paths that were saved, created, moved or removed, each in its innermost open folder."""
        by_folder: dict[Folder, list[Path]] = {}
        for path in paths:
            folder = self.folder_of(path)
            if folder:
                by_folder.setdefault(folder, []).append(path)
        for folder, inside in by_folder.items():
            folder.changed(inside)
        if any(folder.root / settings_tree.WORKSPACE_FILE in inside for folder, inside in by_folder.items()):
            for problem in self.configure(self._editor):
                self._notify("warning", problem)

    def folder_of(self, path: Path) -> Folder | None:
        """The innermost open folder that contains a path."""
        inside = [folder for folder in self.folders if path.is_relative_to(folder.root)]
        return max(inside, key=lambda folder: len(folder.root.parts), default=None)

    def reconcile(self) -> None:
        """Compare all folders with their indexes."""
        for folder in self.folders:
            folder.reconcile()

    def reindex(self, root: Path | None = None) -> None:
        """Read every file of a folder, or of all folders, again."""
        for folder in self._chosen([root] if root else None):
            folder.reindex()

    def clear(self, root: Path | None = None) -> None:
        """Delete the index of a folder, or of all folders."""
        for folder in self._chosen([root] if root else None):
            folder.clear()

    def cancel_indexing(self, root: Path) -> None:
        """Stop indexing a folder; reconciling or reindexing continues from there."""
        for folder in self._chosen([root]):
            folder.cancel()

    def configure(self, editor: Editor | None) -> list[str]:
        """Apply new settings without a restart; return the problems in them."""
        problems: list[str] = []
        with self._changing:
            self._editor = editor
            for folder in self.folders:
                chosen, wrong = _load_settings(folder.root, editor)
                problems += [problem for problem in wrong if problem not in problems]
                self._apply_throttle(chosen)
                self._base[folder.root] = chosen
            self._apply_settings()
        return problems

    def typing(self) -> None:
        """Pause indexing briefly because the user is typing."""
        self._gate.typing()

    def opened(self, files: Iterable[Path]) -> None:
        """Set the files that the editor has open now: a new index starts with them."""
        self._gate.open_files = frozenset(files)

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Wait until every index is as up to date as it can be; False on timeout."""
        deadline = None if timeout is None else time.monotonic() + timeout
        for folder in self.folders:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not folder.wait_idle(left):
                return False
        return True

    def _holding(self, path: Path) -> Folder:
        folder = self.folder_of(path)
        if folder is None:
            raise InvalidRequest(f"{path} is in no open folder of this workspace.")
        return folder

    def _chosen(self, roots: Sequence[Path] | None) -> list[Folder]:
        if roots is None:
            return self.folders
        known = {folder.root: folder for folder in self.folders}
        for root in roots:
            if root.resolve() not in known:
                raise InvalidRequest(f"{root} is not an open folder of this workspace.")
        return [known[root.resolve()] for root in roots]

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Mark that a user waits for an answer, for the duration of the context."""
        with self._gate.foreground():
            yield
        self._freed_memory.used()

    def _ask_all(
        self, folders: Sequence[Folder], ask: Callable[[Folder], _Answer], cancelled: Cancel | None
    ) -> tuple[list[_Answer], list[str]]:
        """Every folder's answer, and a message for each folder that failed."""
        if len(folders) == 1:
            asked = [attempt(folders[0], ask)]
        else:
            asked = list(self._pool.map(lambda folder: attempt(folder, ask), folders))
        stop_if(cancelled)
        answers = [answer for answer, _ in asked if answer is not None]
        return answers, [failure for _, failure in asked if failure]

    def _apply_settings(self) -> None:
        """Apply each folder's settings, excluding what a nested folder indexes itself; hold the lock."""
        for folder in self.folders:
            nested = [
                other for other in self._base if other != folder.root and other.is_relative_to(folder.root)
            ]
            chosen = _without(self._base[folder.root], folder.root, nested)
            if chosen != folder.settings:
                folder.configure(chosen)

    def _apply_throttle(self, chosen: Settings) -> None:
        self._gate.cpu_percent = chosen.indexing.cpu_percent
        self._gate.pause_while_typing = chosen.indexing.pause_while_typing

    def _notify(self, level: Level, text: str) -> None:
        self._emit(Message(level, text))

    def _emit(self, event: Event) -> None:
        self._freed_memory.used()
        if isinstance(event, Message):
            log.log(logging.getLevelName(event.level.upper()), "%s", event.text)
        for listener in self._listeners:
            listener(event)
        if isinstance(event, StatusChanged):
            self._prepare_searches()

    def _prepare_searches(self) -> None:
        """Import and create the searchers of folders with an index, so that no search has to."""
        for folder in self.folders:
            memory = folder.memory
            if memory is not None and memory.live:
                folder.searchers()


def _from_the_first(request: SearchRequest) -> SearchRequest:
    """The request for all hits up to the end of the requested page."""
    if not request.offset:
        return request
    return replace(request, offset=0, limit=request.offset + request.limit)


def _existing(root: Path) -> Path:
    if not root.exists():
        raise SightlineError(f"{root} does not exist.")
    if not root.is_dir():
        raise SightlineError(f"{root} is a file; give the folder that contains it.")
    if not os.access(root, os.R_OK | os.X_OK):
        raise SightlineError(f"{root} cannot be read; check its permissions.")
    return root.resolve()


def _load_settings(root: Path, editor: Editor | None) -> tuple[Settings, list[str]]:
    """The settings of a folder, and a message for every invalid value in them."""
    chosen, problems = settings_tree.load(root, editor)
    if chosen.search.tuning:
        from sightline.search.ranking.weights import tuned

        problems += tuned(chosen.search.tuning)[2]
    return chosen, problems


def _without(chosen: Settings, root: Path, nested: Iterable[Path]) -> Settings:
    globs = tuple(f"/{_literal(other.relative_to(root).as_posix())}/" for other in sorted(nested))
    if not globs:
        return chosen
    indexing = replace(chosen.indexing, exclude=(*chosen.indexing.exclude, *globs))
    return replace(chosen, indexing=indexing)


def _literal(path: str) -> str:
    """A gitignore pattern that matches exactly this path."""
    return re.sub(r"([\\*?\[\]!# ])", r"\\\1", path)
