"""Injects every known fault into a real server at random moments and checks the server after each one.

python -m tests.faults.campaign --kills 200 --rounds 10 --seconds 3600
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults import windows
from tests.faults.faults import KILLS, ON_OWN_DISK, OTHERS, Fault
from tests.faults.server_under_test import ServerUnderTest


@dataclass(frozen=True, slots=True)
class Record:
    """How often each fault was tried, and how often the check afterwards passed."""

    tried: Counter[str] = field(default_factory=Counter)
    survived: Counter[str] = field(default_factory=Counter)

    @property
    def failures(self) -> int:
        """The number of rounds that failed."""
        return self.tried.total() - self.survived.total()

    def table(self, faults: Iterable[Fault]) -> str:
        """The record as a Markdown table."""
        lines = ["| fault | tried | survived |", "|---|---:|---:|"]
        for fault in faults:
            name = fault.__name__
            if self.tried[name]:
                words = (fault.__doc__ or name).rstrip(".")
                lines.append(f"| {words} | {self.tried[name]} | {self.survived[name]} |")
        lines.append(f"| **all** | {self.tried.total()} | {self.survived.total()} |")
        return "\n".join(lines)


def plan(kills: int, rounds: int, seed: int, *, own_disk: bool) -> list[Fault]:
    """The faults of a campaign in random order: `kills` kills, and each other fault `rounds` times."""
    faults = [KILLS[number % len(KILLS)] for number in range(kills)]
    faults += [fault for fault in (*OTHERS, *(ON_OWN_DISK if own_disk else ())) for _ in range(rounds)]
    random.Random(seed).shuffle(faults)
    return faults


def run(kills: int, rounds: int, seconds: float, seed: int = 1) -> Record:
    """Run one campaign on a temporary project; stop early after `seconds`."""
    record = Record()
    with tempfile.TemporaryDirectory(prefix="sightline-campaign-", ignore_cleanup_errors=True) as home:
        server = ServerUnderTest(Path(home))
        try:
            faults = plan(kills, rounds, seed, own_disk=server.own_disk)
            for number, fault in enumerate(_until(seconds, faults)):
                _round(server, fault, random.Random(seed * 10_000 + number), record)
        finally:
            server.close()
    return record


def _until(seconds: float, faults: list[Fault]) -> Iterator[Fault]:
    deadline = time.monotonic() + seconds
    for fault in faults:
        if time.monotonic() > deadline:
            return
        yield fault


def _round(server: ServerUnderTest, fault: Fault, rng: random.Random, record: Record) -> None:
    record.tried[fault.__name__] += 1
    try:
        fault(server, rng)
        server.assert_healthy(killed=fault in KILLS)
    except Exception:
        # Count this failure in the record and continue with the next fault.
        print(f"round {record.tried.total()}: {fault.__name__}", file=sys.stderr)
        traceback.print_exc()
        server.replace()
        return
    record.survived[fault.__name__] += 1


def main() -> int:
    """Run a campaign and print its record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=9, help="how often the server is killed")
    parser.add_argument("--rounds", type=int, default=1, help="how often each other fault is tried")
    parser.add_argument("--seconds", type=float, default=600, help="start no new fault after this time")
    parser.add_argument(
        "--window-files", type=int, default=0, help="afterwards run four windows on this many files"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.monotonic()
    record = run(options.kills, options.rounds, options.seconds, options.seed)
    print(record.table((*KILLS, *OTHERS, *ON_OWN_DISK)))
    print(f"\n{time.monotonic() - started:.0f} seconds, seed {options.seed}")
    if options.window_files:
        windows.run(windows.Size(windows=4, files=options.window_files, rounds=60, clears=6), options.seed)
        print(f"four windows on {options.window_files} files agreed, and none showed a message")
    return 1 if record.failures else 0


if __name__ == "__main__":
    sys.exit(main())
