"""`sightline index`, `status` and `clear`."""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from sightline.commands.console import paint, print_json, size
from sightline.commands.opening import opened
from sightline.errors import SightlineError
from sightline.location import index_dir
from sightline.stores.lock import FolderLock
from sightline.types import FolderStatus

_GOOD = ("ready",)


def index(options: argparse.Namespace) -> int:
    """Bring the index of a folder up to date and say what it holds."""
    started = time.perf_counter()
    with opened([options.folder], reindex=options.force) as workspace:
        (found,) = workspace.status()
    if options.json:
        print_json(found)
    else:
        _print(found)
        print(f"{paint('took', 'dim')} {time.perf_counter() - started:.1f} s")
    return 0 if found.state in _GOOD else 1


def status(options: argparse.Namespace) -> int:
    """Say what the index of a folder holds, after looking at what changed."""
    with opened([options.folder]) as workspace:
        (found,) = workspace.status()
    if options.json:
        print_json(found)
    else:
        _print(found)
    return 0 if found.state in _GOOD else 1


def clear(options: argparse.Namespace) -> int:
    """Delete the index of a folder."""
    folder: Path = options.folder
    if folder.exists() and not folder.is_dir():
        raise SightlineError(f"{folder} is a file; give the folder whose index is to be deleted.")
    directory = index_dir(folder.resolve())
    existed = directory.exists()
    if existed:
        _delete(directory, folder)
    if options.json:
        print_json({"folder": folder.resolve(), "cleared": existed})
    else:
        print(f"cleared the index of {folder}" if existed else f"there is no index of {folder}")
    return 0


def _delete(directory: Path, folder: Path) -> None:
    lock = FolderLock(directory / "lock")
    if not lock.try_acquire():
        raise SightlineError(
            f"process {lock.holder()} is using the index of {folder}; close that editor, or use its"
            " command to clear the index."
        )
    lock.release()
    shutil.rmtree(directory.parent, ignore_errors=True)


def _print(found: FolderStatus) -> None:
    colour = "good" if found.state in _GOOD else "warn"
    print(f"{found.root}  {paint(found.state, colour)}")
    print(f"  files    {found.files_indexed} of {found.files_total}")
    print(f"  chunks   {found.chunks}, {found.chunks_embedded} with vectors")
    print(f"  parse    {_listed(found.parse)}")
    print(f"  skipped  {_listed(found.skipped) or 'nothing'}")
    print(f"  model    {found.model or 'none: keywords only'}")
    print(f"  on disk  {size(found.disk_bytes)}, generation {found.generation}")
    for note in (found.last_error, *found.notes):
        if note:
            print(f"  {paint('note', 'warn')}     {note}")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()) if count)
