"""Which files of a folder git reports as changed: modified, staged, or new and not ignored."""

from __future__ import annotations

from pathlib import Path

from sightline.errors import InvalidRequest
from sightline.history.log import Git, program_for
from sightline.indexing.discovery.git_files import work_tree

_SECONDS = 10.0
_STATUS = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"]
_STATUS += ["--ignore-submodules=all", "--", "."]
# Commands that a repository's config could make git run on the files it compares.
_FILTERS = r"^filter\..*\.(clean|process)$"
_CODES = 3


def changed_files(root: Path) -> frozenset[str]:
    """Paths relative to the folder, with `/`; InvalidRequest if git fails."""
    program = program_for(root)
    if work_tree(root) is None:
        raise InvalidRequest(f"'in:changed' needs a git repository, and {root} is in none.")
    if program is None:
        raise InvalidRequest("'in:changed' needs git, which is not installed.")
    found = _status(Git(program, ("-C", str(root)), _SECONDS))
    if found is None:
        raise InvalidRequest(f"'in:changed' cannot be answered: git could not list the changes in {root}.")
    return found


def _status(git: Git) -> frozenset[str] | None:
    off = _filters_off(git)
    prefix = git.run(["rev-parse", "--show-prefix"])
    printed = git.run(_STATUS, off) if off is not None else None
    if prefix is None or printed is None:
        return None
    inside = prefix.removesuffix("\n")
    paths = (entry[_CODES:] for entry in printed.split("\0") if len(entry) > _CODES)
    return frozenset(path.removeprefix(inside) for path in paths if path.startswith(inside))


def _filters_off(git: Git) -> list[str] | None:
    """Options that prevent git from running the filters in its config; None if one cannot be expressed."""
    printed = git.run(["config", "--name-only", "-z", "--get-regexp", _FILTERS]) or ""
    names = {key.rpartition(".")[0] for key in printed.split("\0") if key}
    if any("=" in name or "\n" in name for name in names):
        return None
    values = [f"{name}.{key}" for name in sorted(names) for key in ("clean=", "process=", "required=false")]
    return [argument for value in values for argument in ("-c", value)]
