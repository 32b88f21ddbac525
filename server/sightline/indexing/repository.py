"""Which repository a folder belongs to; read from git's files, because running git needs a process."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from xxhash import xxh3_64_hexdigest

from sightline.indexing.discovery.git_files import common_git_folder, config_values, work_tree

# The parts that all spellings of one address share; the user name and password are not among them.
_ADDRESS = re.compile(r"(?:[a-z+]+://)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[/:]/*(.+?)(?:\.git)?/*", re.IGNORECASE)
_FOLDER = re.compile(r"file://|[./~\\]|[A-Za-z]:[\\/]", re.IGNORECASE)


def repository_keys(root: Path) -> frozenset[str]:
    """Keys that a folder shares with the same folder in other work trees and clones of its repository.

    They are hashes: they reveal nothing about the repository.
    """
    top = work_tree(root)
    common = common_git_folder(top) if top else None
    if top is None or common is None:
        return frozenset()
    part = root.relative_to(top).as_posix()
    names = {os.path.realpath(common), *_origins(common)}
    return frozenset(xxh3_64_hexdigest(os.fsencode(f"{name}\0{part}")) for name in names)


def _origins(common: Path) -> Iterator[str]:
    """The addresses by which other clones may know the remote repository."""
    for address in config_values(common / "config", "remote", "origin", "url"):
        if _FOLDER.match(address):
            folder = os.path.expanduser(address.removeprefix("file://"))
            # The git folder of a bare repository, or of one with a work tree.
            yield from (os.path.realpath(folder), os.path.realpath(os.path.join(folder, ".git")))
        elif found := _ADDRESS.fullmatch(address):
            yield f"{found[1].lower()}/{found[2]}"
