"""Decides what is hidden from the index; a whole walk and a single path use the same rules."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from sightline.indexing.discovery.git_files import excludes_files, read_lines, read_lines_beneath, work_tree
from sightline.indexing.discovery.ignore_levels import Level
from sightline.indexing.discovery.noise_folders import MARK_FILES
from sightline.indexing.discovery.path_case import ignores_case
from sightline.indexing.discovery.rule_tree import Position, top_position
from sightline.indexing.discovery.skips import SkipReason
from sightline.settings.tree import IndexingSettings

_GIT_FILE = ".gitignore"
_OWN_FILE = ".sightlineignore"


def is_ignore_file(path: str) -> bool:
    """Whether a change to this file can change what is hidden, so that the folder must be walked again."""
    name = path.rpartition("/")[2]
    return name in (_GIT_FILE, _OWN_FILE) or name in MARK_FILES or path.endswith(".git/info/exclude")


class Ignore:
    """The rules of one workspace folder, read from disk when each of its folders is first checked.

    It is cheap to create, so a new one is created for every walk and every batch of changes.
    """

    def __init__(self, root: Path, settings: IndexingSettings) -> None:
        """Rules for everything below `root`."""
        self.root = Path(os.path.realpath(root))
        self._settings = settings
        self._ignore_case = ignores_case(self.root)
        self._levels: dict[tuple[str, ...], Level] = {}

    def reason(self, path: str, is_dir: bool = False) -> SkipReason | None:
        """Why a path is skipped; None if it belongs to the index."""
        parts = tuple(path.split("/"))
        if os.path.isabs(path) or any(part in ("", ".", "..") for part in parts):
            return "outside"
        if link := self._first_link(parts):
            return self.link_reason(link)
        level = self._level(())
        for depth, name in enumerate(parts[:-1] if not is_dir else parts):
            verdict = level.judge_folder(name, partial(self._names, parts[: depth + 1]))
            if not verdict.enter:
                return verdict.reason
            level = self._level(parts[: depth + 1], level, verdict.reason)
        return level.hidden if is_dir else level.judge_file(parts[-1])

    def link_reason(self, link: str) -> SkipReason:
        """Why a link is skipped: its target is indexed at its own path, or is outside the folder."""
        target = Path(os.path.realpath(link))
        return "duplicate" if target == self.root or self.root in target.parents else "outside"

    def top(self, names: Collection[str]) -> Level:
        """The level of the workspace folder itself, with the rules of the work tree that contains it."""
        level = Level(
            root=str(self.root),
            parts=(),
            names=names,
            hidden=None,
            ignore_case=self._ignore_case,
            exclude=self._start(self._settings.exclude),
            include=self._start(self._settings.include),
            own=(),
            git=self._git_sources_above(),
        )
        return self._with_files(level)

    def below(self, level: Level, name: str, names: Collection[str], hidden: SkipReason | None) -> Level:
        """The level of a subfolder."""
        nested = ".git" in names and self._settings.use_gitignore
        lower = replace(
            level,
            parts=(*level.parts, name),
            names=names,
            hidden=hidden,
            exclude=level.exclude.below(self._folded(name)),
            include=level.include.below(self._folded(name)),
            own=tuple(source.below(self._folded(name)) for source in level.own),
            git=() if nested else tuple(source.below(self._folded(name)) for source in level.git),
        )
        if nested:
            # Another repository: git does not apply the outer one's rules inside it.
            lower = replace(lower, git=self._excludes(self.root.joinpath(*lower.parts), ()))
        return self._with_files(lower)

    def _with_files(self, level: Level) -> Level:
        """The level with the ignore files of its folder added; they have priority over those above."""
        if _OWN_FILE in level.names:
            level = replace(level, own=(self._source_in(level, _OWN_FILE), *level.own))
        if _GIT_FILE in level.names and self._settings.use_gitignore:
            level = replace(level, git=(self._source_in(level, _GIT_FILE), *level.git))
        return level

    def _source_in(self, level: Level, name: str) -> Position:
        return self._start(read_lines_beneath(self.root, "/".join((*level.parts, name))))

    def _git_sources_above(self) -> tuple[Position, ...]:
        """The git rules from outside the workspace folder, highest priority first."""
        if not self._settings.use_gitignore:
            return ()
        top = work_tree(self.root)
        parts = self.root.relative_to(top).parts if top else ()
        outer = Ignore(top, IndexingSettings()) if top and parts else None
        if outer and outer.reason("/".join(parts), is_dir=True) == "ignored":
            # The repository ignores this folder, but the user opened it: the repository's rules do not apply.
            return self._excludes(None, ())
        way = tuple(map(self._folded, parts))
        above = (
            self._source(self.root.parents[depth] / _GIT_FILE, way[len(way) - depth - 1 :])
            for depth in range(len(way))
        )
        return (*above, *self._excludes(top, way))

    def _excludes(self, top: Path | None, way: tuple[str, ...]) -> tuple[Position, ...]:
        return tuple(self._source(path, way) for path in excludes_files(top))

    def _source(self, path: Path, folder: tuple[str, ...] = ()) -> Position:
        """An ignore file as it applies to a folder at `folder` relative to the file's location."""
        position = self._start(read_lines(path))
        for name in folder:
            position = position.below(name)
        return position

    def _start(self, lines: Iterable[str]) -> Position:
        return top_position(lines, self._ignore_case)

    def _folded(self, name: str) -> str:
        return name.lower() if self._ignore_case else name

    def _level(
        self, parts: tuple[str, ...], above: Level | None = None, hidden: SkipReason | None = None
    ) -> Level:
        """The cached level of a folder, created on first use."""
        if parts not in self._levels:
            names = self._names(parts)
            level = self.below(above, parts[-1], names, hidden) if above else self.top(names)
            self._levels[parts] = level
        return self._levels[parts]

    def _names(self, parts: tuple[str, ...]) -> frozenset[str]:
        try:
            return frozenset(os.listdir(self.root.joinpath(*parts)))
        except OSError:
            return frozenset()

    def _first_link(self, parts: tuple[str, ...]) -> str | None:
        """The first component of the path that is a symbolic link."""
        way = str(self.root)
        for name in parts:
            way = os.path.join(way, name)
            if os.path.islink(way):
                return way
        return None
