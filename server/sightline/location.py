"""Where indexes are stored on disk: one private folder per workspace root and index format."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_dir
from xxhash import xxh3_64_hexdigest

from sightline.names import FOLDER
from sightline.stores.catalog.schema import FORMAT

CACHE_VARIABLE = "SIGHTLINE_CACHE_DIR"


def cache_dir() -> Path:
    """The folder of all indexes and caches; an environment variable can change it."""
    moved = os.environ.get(CACHE_VARIABLE)
    return Path(moved).expanduser().absolute() if moved else Path(user_cache_dir(FOLDER, False))


def index_dir(root: Path) -> Path:
    """The folder of one root's index; other formats have sibling folders."""
    identity = os.path.normcase(os.path.realpath(root))
    name = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in root.name) or "root"
    key = xxh3_64_hexdigest(identity.encode("utf-8", "surrogateescape"))
    return cache_dir() / "indexes" / f"{name[:40]}-{key}" / f"v{FORMAT}"


def all_indexes() -> list[Path]:
    """The folders of all indexes of this format."""
    return list((cache_dir() / "indexes").glob(f"*/v{FORMAT}"))


def older_formats(index: Path) -> list[Path]:
    """The folders in which earlier versions stored the same root's index."""
    folders = (index.with_name(f"v{number}") for number in range(1, FORMAT))
    return [folder for folder in folders if folder.is_dir()]


def make_cache_dir(folder: Path) -> None:
    """Create the cache folder with access for its owner only, whatever the umask; OSError if not possible."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700)
    except FileExistsError:
        # A folder that the user chose may be shared with others; everything below it is private.
        if CACHE_VARIABLE in os.environ:
            return
    folder.chmod(0o700)


def make_private(folder: Path) -> None:
    """Create an index folder that only its owner can enter; OSError if that is not possible."""
    indexes = folder.parent.parent
    make_cache_dir(indexes.parent)
    for path in (indexes, folder.parent, folder):
        path.mkdir(mode=0o700, exist_ok=True)
        path.chmod(0o700)


def disk_bytes(folder: Path) -> int:
    """The size of a folder on disk."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(parent, name)).st_size
            except OSError:
                continue
    return total
