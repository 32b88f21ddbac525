"""One folder of a walk and the rules that apply there, checked one path component at a time.

From lowest to highest priority: built-in noise, git's global excludes, .git/info/exclude, .gitignore (a
deeper one over a higher one), .sightlineignore, settings `include`, settings `exclude`. For each component
the highest layer that has a matching rule decides; without one the component is treated like its folder. As
in git, no rule of a .gitignore applies below a hidden folder. Rules of `.sightlineignore` and `include` do,
if their patterns spell out the path.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sightline.indexing.discovery import file_kinds
from sightline.indexing.discovery import noise_folders as noise
from sightline.indexing.discovery.git_files import is_linked_work_tree
from sightline.indexing.discovery.rule_tree import Position, Rule
from sightline.indexing.discovery.skips import SkipReason


class Verdict(NamedTuple):
    """Whether a folder is hidden, and whether the walk enters it (maybe only for what rules bring back)."""

    reason: SkipReason | None
    enter: bool


@dataclass(frozen=True, slots=True)
class Level:
    """A folder: the rules that apply there, highest priority first, and whether it is hidden itself."""

    root: str
    parts: tuple[str, ...]
    names: Collection[str]
    hidden: SkipReason | None
    ignore_case: bool
    exclude: Position
    include: Position
    own: tuple[Position, ...]
    git: tuple[Position, ...]

    def judge_file(self, name: str) -> SkipReason | None:
        """Why a file in this folder is skipped, if it is."""
        # In a linked work tree `.git` is a file.
        if name in noise.VERSION_CONTROL:
            return "noise"
        verdict = self._rule_verdict(name, is_dir=False)
        if verdict is None:
            verdict = self.hidden or "shown"
        return file_kinds.reason((*self.parts, name)) if verdict == "shown" else verdict

    def judge_folder(self, name: str, inside: Callable[[], Collection[str]]) -> Verdict:
        """The verdict on a subfolder; `inside` lists its entries if they matter."""
        if name in noise.VERSION_CONTROL:
            return Verdict("noise", enter=False)
        verdict = self._rule_verdict(name, is_dir=True) or self.hidden or self._noise(name, inside) or "shown"
        if verdict == "shown":
            return Verdict(None, enter=True)
        return Verdict(verdict, enter=verdict != "excluded" and self._may_bring_back(name))

    def _rule_verdict(self, name: str, is_dir: bool) -> SkipReason | Literal["shown"] | None:
        """The decision of the highest-priority layer with a rule for this component itself."""
        folded = name.lower() if self.ignore_case else name
        rule = self.exclude.match(folded, is_dir)
        if rule and not rule.negated:
            return "excluded"
        rule = self.include.match(folded, is_dir)
        if rule and not rule.negated and self._reaches(rule):
            return "shown"
        rule = _first(self.own, folded, is_dir)
        if rule and not rule.negated:
            return "ignored"
        if rule and self._reaches(rule):
            return "shown"
        rule = _first(self.git, folded, is_dir)
        if rule and not rule.negated:
            return "ignored"
        # `!*/` names no particular folder, so it does not bring back noise.
        named = rule is not None and rule.name.strip("*") != ""
        return "shown" if named and self.hidden is None else None

    def _reaches(self, rule: Rule) -> bool:
        return self.hidden is None or rule.names_the_way

    def _noise(self, name: str, inside: Callable[[], Collection[str]]) -> Literal["noise"] | None:
        if noise.by_name(name) or noise.by_neighbours(name, self.names):
            return "noise"
        names = inside()
        copied = ".git" in names and is_linked_work_tree(os.path.join(self.root, *self.parts, name))
        return "noise" if copied or noise.by_content(names) else None

    def _may_bring_back(self, name: str) -> bool:
        """Whether a rule brings back something below this hidden folder."""
        folded = name.lower() if self.ignore_case else name
        return self.include.below(folded).leads_on(negated=False) or any(
            source.below(folded).leads_on(negated=True) for source in self.own
        )


def _first(sources: tuple[Position, ...], name: str, is_dir: bool) -> Rule | None:
    for source in sources:
        rule = source.match(name, is_dir)
        if rule:
            return rule
    return None
