"""`sightline index`, `status` and `clear`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path

from sightline.commands.console import paint, print_json, size
from sightline.commands.open_workspace import opened
from sightline.commands.project_root import is_indexed, project
from sightline.errors import SightlineError
from sightline.indexing.index_files import LOCK, delete_index
from sightline.location import index_dir, older_formats
from sightline.names import COMMAND
from sightline.stores.catalog.folder_lock import FolderLock
from sightline.types import FolderStatus
from sightline.visible import quoted, visible


def index(options: argparse.Namespace) -> int:
    """Bring the index of a folder up to date and print its contents."""
    started = time.perf_counter()
    with opened([project(options.folder)], reindex=options.force) as workspace:
        (found,) = workspace.status()
    if options.json:
        print_json(found)
    else:
        _print(found)
        print(f"{paint('took', 'dim')} {time.perf_counter() - started:.1f} s")
    return 0 if found.state == "ready" else 1


def status(options: argparse.Namespace) -> int:
    """Print what the index of a project contains, after checking for changes; skips an unknown one."""
    root = project(options.folder)
    if not is_indexed(root):
        return _unknown(root, options)
    with opened([root]) as workspace:
        (found,) = workspace.status()
    if options.json:
        print_json(found)
    else:
        _print(found)
    return 0 if found.state == "ready" else 1


def clear(options: argparse.Namespace) -> int:
    """Delete the index of a project, even if the project no longer exists."""
    gone = options.folder is not None and not options.folder.exists()
    folder = options.folder.resolve() if gone else project(options.folder)
    directory = index_dir(folder)
    existed = directory.exists()
    if existed:
        _delete(directory, folder)
    if options.json:
        print_json({"folder": folder, "cleared": existed})
    else:
        shown = quoted(str(folder))
        print(f"cleared the index of {shown}" if existed else f"there is no index of {shown}")
    return 0


def _unknown(root: Path, options: argparse.Namespace) -> int:
    if options.json:
        print_json({"root": root, "state": "unknown"})
    else:
        print(f"{quoted(str(root))}  {paint('not indexed', 'warn')}")
        print(f"  `{COMMAND} index` or a first search creates its index.")
    return 1


def _delete(directory: Path, folder: Path) -> None:
    if not delete_index(directory):
        raise SightlineError(
            f"process {FolderLock(directory / LOCK).holder()} is using the index of {folder}; close that"
            " editor, or use its command to clear the index."
        )
    for older in older_formats(directory):
        delete_index(older)


def _print(found: FolderStatus) -> None:
    colour = "good" if found.state == "ready" else "warn"
    print(f"{quoted(found.root)}  {paint(found.state, colour)}")
    print(f"  files    {found.files_indexed} of {found.files_total}")
    print(f"  chunks   {found.chunks}, {found.chunks_embedded} with vectors")
    print(f"  parse    {_listed(found.parse)}")
    print(f"  skipped  {_listed(found.skipped) or 'nothing'}")
    print(f"  model    {found.model or 'none: keywords only'}")
    print(f"  on disk  {size(found.disk_bytes)}, generation {found.generation}")
    for note in (found.last_error, *found.notes):
        if note:
            print(f"  {paint('note', 'warn')}     {visible(note)}")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()) if count)
