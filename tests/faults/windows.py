"""Several windows on one folder, each a real server: they index, save, clear and rebuild, and must agree.

python -m tests.faults.windows --windows 4 --files 3000 --rounds 60
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.requests.uris import from_path
from tests.faults.harness import source, write_project
from tests.lsp.raw_client import RawClient

_BATCH = 32
_QUERIES = ("user", "alpha ledger", "how is the basket used", "window_engine")
_TIMEOUT_SECONDS = 300.0
_CHANGED, _DELETED = 2, 3


@dataclass(frozen=True, slots=True)
class Size:
    """The amount of work in one run."""

    windows: int = 3
    files: int = 240
    rounds: int = 12
    clears: int = 3


class Windows:
    """The servers of one folder; the first one is its writer."""

    def __init__(self, home: Path, size: Size, seed: int, stack: ExitStack) -> None:
        self.root = write_project((home / "project").resolve(), size.files, seed)
        self.rng = random.Random(seed)
        self.open: list[RawClient] = []
        self.problems: set[str] = set()
        self._home = home
        self._stack = stack

    def add(self) -> None:
        """Open another window."""
        client = RawClient(self._home)
        self._stack.callback(client.end)
        client.start(self.root)
        self.open.append(client)

    def poll(self) -> list[dict[str, Any]]:
        """The status of each window; each window must also answer a search."""
        found = []
        for number, window in enumerate(self.open):
            status = window.request("workspace/indexStatus", {})["folders"][0]
            answer = window.request("workspace/semanticSearch", {"query": self.rng.choice(_QUERIES)})
            if status.get("lastError") and "reindex" not in status["lastError"]:
                self.problems.add(f"window {number}: {status['lastError']}")
            reason = answer["coverage"].get("reason", "")
            if answer["coverage"]["state"] == "degraded" and "reindex" not in reason:
                self.problems.add(f"window {number}: search: {reason}")
            found.append(status)
        return found

    def writer(self) -> RawClient:
        """The window that is the writer of the index."""
        return next(
            (w for w, status in zip(self.open, self.poll(), strict=True) if status["writer"]),
            self.open[0],
        )

    def change_files(self) -> None:
        """Write or delete a few dozen files at once and notify every window."""
        files = sorted(path for path in self.root.rglob("*.*") if path.is_file())
        changes = []
        for path in self.rng.sample(files, min(_BATCH, len(files))):
            if self.rng.random() < 0.2:
                path.unlink()
                changes.append({"uri": from_path(str(path)), "type": _DELETED})
            else:
                path.write_text(source(path.suffix, self.rng), encoding="utf-8")
                changes.append({"uri": from_path(str(path)), "type": _CHANGED})
        for window in self.open:
            window.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def command(self, name: str) -> None:
        """Run a command in the writer's window."""
        self.writer().request("workspace/executeCommand", {"command": f"sightline.{name}"})

    def settle(self) -> None:
        """Wait until all windows are ready and have the same index."""
        deadline = time.monotonic() + _TIMEOUT_SECONDS
        while not _agree(statuses := self.poll()):
            assert time.monotonic() < deadline, (statuses, self.problems)
            time.sleep(0.1)

    def answers(self) -> list[list[Any]]:
        """The results of each window for the same queries."""
        return [
            [
                [
                    (hit["path"], hit["range"], hit["score"])
                    for hit in window.request("workspace/semanticSearch", {"query": query, "limit": 20})[
                        "results"
                    ]
                ]
                for query in _QUERIES
            ]
            for window in self.open
        ]

    def messages(self) -> list[str]:
        """All messages shown in any window."""
        return [message for window in self.open for message in window.shown()]


def run(size: Size, seed: int = 1) -> None:
    """Run once; raise AssertionError if a window shows a message, gives no answer, or differs at the end."""
    place = tempfile.TemporaryDirectory(prefix="sightline-windows-", ignore_cleanup_errors=True)
    with place as home, ExitStack() as stack:
        windows = Windows(Path(home), size, seed, stack)
        _first_index(windows, size)
        _change_files_and_clear(windows, size)
        _check(windows)


def _first_index(windows: Windows, size: Size) -> None:
    windows.add()
    while len(windows.open) < size.windows:
        # The delays cover the first moment, with hardly a file indexed, up to the middle of the work.
        time.sleep(windows.rng.uniform(0, 0.5))
        windows.add()
        windows.poll()
    windows.settle()


def _change_files_and_clear(windows: Windows, size: Size) -> None:
    clears = {round * size.rounds // (size.clears + 1) for round in range(1, size.clears + 1)}
    for number in range(size.rounds):
        windows.change_files()
        windows.poll()
        if number in clears:
            windows.command("clear")
            windows.poll()
            windows.command("reindex")
        time.sleep(windows.rng.uniform(0, 0.2))
    windows.settle()


def _check(windows: Windows) -> None:
    assert not windows.problems, windows.problems
    assert not windows.messages(), windows.messages()
    first, *others = windows.answers()
    assert all(first), "nothing is found"
    assert all(answers == first for answers in others), "the windows answer differently"


def _agree(statuses: list[dict[str, Any]]) -> bool:
    shown = {
        (s["state"], s["filesIndexed"], s["chunks"], s["chunksEmbedded"], s["generation"]) for s in statuses
    }
    return len(shown) == 1 and statuses[0]["state"] == "ready" and sum(s["writer"] for s in statuses) == 1


def main() -> int:
    """Run once and print the duration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--windows", type=int, default=4)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--clears", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    started = time.monotonic()
    run(Size(chosen.windows, chosen.files, chosen.rounds, chosen.clears), chosen.seed)
    print(f"{chosen} agreed after {time.monotonic() - started:.0f} s, no message")
    return 0


if __name__ == "__main__":
    sys.exit(main())
