"""Opens folders for one command: index what changed, then run the command."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sightline.commands.console import ProgressBar, warn
from sightline.indexing.events import Event, IndexProgress, Message
from sightline.workspace import Workspace

# How long a command waits for another process that is indexing the same folder.
_STEP_SECONDS = 0.2
# A snapshot that is not finished would cost every later command the time to read the index without it.
_SAVE_SECONDS = 60.0
# After an error or Ctrl-C the user does not want to wait.
_STOP_SECONDS = 5.0


@contextmanager
def opened(folders: Sequence[Path], *, reindex: bool = False) -> Iterator[Workspace]:
    """A workspace whose indexes are up to date."""
    # The user sees messages through `show`; without a handler, Python would print the log's copy too.
    logging.getLogger("sightline").addHandler(logging.NullHandler())
    workspace = Workspace()
    bar = ProgressBar()

    def show(event: Event) -> None:
        if isinstance(event, IndexProgress):
            bar.show(event)
        elif isinstance(event, Message):
            warn(event.text)

    workspace.subscribe(show)
    timeout = _STOP_SECONDS
    try:
        for folder in folders:
            workspace.add_folder(folder)
        if reindex:
            workspace.reindex()
        while not workspace.wait_idle(_STEP_SECONDS):
            pass
        bar.clear()
        yield workspace
        timeout = _SAVE_SECONDS
    finally:
        bar.clear()
        workspace.close(timeout)
