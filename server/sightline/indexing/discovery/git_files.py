"""Where git keeps ignore rules besides .gitignore; read directly, because running git needs a process."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from sightline.confined import reader, unconfined_reader

# Ignore and config files are short; the limit keeps a hostile one from filling memory.
_MAX_BYTES = 1 << 20

_SECTION = re.compile(r"\s*\[\s*([^\]\s\"]+)\s*(?:\"([^\"]*)\")?\s*\]")
_ENTRY = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^#;]*))")


def read_lines(path: Path | str) -> list[str]:
    """The lines of a small text file of the user; none if it cannot be read."""
    return _lines(lambda: unconfined_reader(path))


def read_lines_beneath(root: Path | str, path: str) -> list[str]:
    """The lines of a small text file in the workspace; none if it cannot be read or is outside."""
    return _lines(lambda: reader(root, path))


def _lines(opened: Callable[[], BinaryIO]) -> list[str]:
    try:
        with opened() as file:
            data = file.read(_MAX_BYTES)
    except (OSError, ValueError):
        return []
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return [line.removesuffix("\r") for line in text.split("\n")]


def work_tree(root: Path) -> Path | None:
    """The top of the git work tree that contains a folder, if there is one."""
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return None


def is_linked_work_tree(folder: Path | str) -> bool:
    """Whether a folder is a linked work tree made by `git worktree`: a copy of files that are elsewhere."""
    lines = read_lines(os.path.join(folder, ".git"))
    if not lines or not lines[0].startswith("gitdir:"):
        return False
    # A submodule of such a work tree has its git folder deeper, below `worktrees/NAME/modules`.
    return lines[0].replace("\\", "/").rstrip().split("/")[-2:-1] == ["worktrees"]


def excludes_files(top: Path | None) -> list[Path]:
    """The ignore files of a whole work tree, by priority: .git/info/exclude, then the user's own."""
    found = []
    common = common_git_folder(top) if top else None
    if common:
        found.append(common / "info" / "exclude")
    personal = _personal_excludes(common)
    if personal:
        found.append(personal)
    return found


def git_folder(top: Path) -> Path | None:
    """The git folder of a work tree: `.git`, or what a file of this name refers to."""
    git = top / ".git"
    if os.path.isdir(git):
        return git
    lines = read_lines(git)
    if not lines or not lines[0].startswith("gitdir:"):
        return None
    return top / lines[0].removeprefix("gitdir:").strip()


def common_git_folder(top: Path) -> Path | None:
    """The git folder shared by all work trees of a repository."""
    own = git_folder(top)
    shared = read_lines(own / "commondir") if own else []
    return own / shared[0].strip() if own and shared and shared[0].strip() else own


def _personal_excludes(common: Path | None) -> Path | None:
    """core.excludesFile if a config file sets it, else git's default path."""
    home = Path(os.path.expanduser("~"))
    config_home = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    named = os.environ.get("GIT_CONFIG_GLOBAL")
    configs = [Path(named)] if named else [home / ".gitconfig", config_home / "git" / "config"]
    configs = [*([common / "config"] if common else []), *configs, Path("/etc/gitconfig")]
    for config in configs:
        value = _configured_excludes(config)
        if value is not None:
            return Path(os.path.expanduser(value)) if value else None
    return config_home / "git" / "ignore"


def _configured_excludes(config: Path) -> str | None:
    """The last value of core.excludesFile in one config file."""
    values = config_values(config, "core", None, "excludesfile")
    return values[-1] if values else None


def config_values(config: Path, section: str, name: str | None, key: str) -> list[str]:
    """The values of a key in a section and optional subsection; include directives are not followed."""
    values = []
    inside = False
    for line in read_lines(config):
        header = _SECTION.match(line)
        if header:
            inside = header[1].lower() == section and header[2] == name
        entry = _ENTRY.match(line[header.end() :] if header else line) if inside else None
        if entry and entry[1].lower() == key:
            quoted = entry[2]
            values.append(entry[3].strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
    return values
