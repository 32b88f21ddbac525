"""Hurts a real server in every way there is, at random moments, and looks after each whether it is well.

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
from tests.faults.faults import KILLS, ON_OWN_DISK, OTHERS, Blow
from tests.faults.server_under_test import ServerUnderTest


@dataclass(frozen=True, slots=True)
class Record:
    """How often each fault was tried, and how often all was well afterwards."""

    tried: Counter[str] = field(default_factory=Counter)
    survived: Counter[str] = field(default_factory=Counter)

    @property
    def failures(self) -> int:
        """How many rounds did not end well."""
        return self.tried.total() - self.survived.total()

    def table(self, faults: Iterable[Blow]) -> str:
        """The record in Markdown."""
        lines = ["| fault | tried | survived |", "|---|---:|---:|"]
        for blow in faults:
            name = blow.__name__
            if self.tried[name]:
                words = (blow.__doc__ or name).rstrip(".")
                lines.append(f"| {words} | {self.tried[name]} | {self.survived[name]} |")
        lines.append(f"| **all** | {self.tried.total()} | {self.survived.total()} |")
        return "\n".join(lines)


def plan(kills: int, rounds: int, seed: int, *, own_disk: bool) -> list[Blow]:
    """The faults of a campaign in random order: so many kills, and so many of each other kind."""
    faults = [KILLS[number % len(KILLS)] for number in range(kills)]
    faults += [blow for blow in (*OTHERS, *(ON_OWN_DISK if own_disk else ())) for _ in range(rounds)]
    random.Random(seed).shuffle(faults)
    return faults


def run(kills: int, rounds: int, seconds: float, seed: int = 1) -> Record:
    """One campaign on a project of its own; it ends early when the time is over."""
    record = Record()
    with tempfile.TemporaryDirectory(prefix="sightline-campaign-", ignore_cleanup_errors=True) as home:
        server = ServerUnderTest(Path(home))
        try:
            faults = plan(kills, rounds, seed, own_disk=server.own_disk)
            for number, blow in enumerate(_until(seconds, faults)):
                _round(server, blow, random.Random(seed * 10_000 + number), record)
        finally:
            server.close()
    return record


def _until(seconds: float, faults: list[Blow]) -> Iterator[Blow]:
    deadline = time.monotonic() + seconds
    for blow in faults:
        if time.monotonic() > deadline:
            return
        yield blow


def _round(server: ServerUnderTest, blow: Blow, rng: random.Random, record: Record) -> None:
    record.tried[blow.__name__] += 1
    try:
        blow(server, rng)
        server.assert_well(killed=blow in KILLS)
    except Exception:
        # The next faults are to be tried all the same; the record counts this one.
        print(f"round {record.tried.total()}: {blow.__name__}", file=sys.stderr)
        traceback.print_exc()
        server.replace()
        return
    record.survived[blow.__name__] += 1


def main() -> int:
    """Run a campaign and print its record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=9, help="how often the server is killed")
    parser.add_argument("--rounds", type=int, default=1, help="how often each other fault is tried")
    parser.add_argument("--seconds", type=float, default=600, help="no new fault after so long")
    parser.add_argument("--window-files", type=int, default=0, help="then four windows on so many files")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.monotonic()
    record = run(options.kills, options.rounds, options.seconds, options.seed)
    print(record.table((*KILLS, *OTHERS, *ON_OWN_DISK)))
    print(f"\n{time.monotonic() - started:.0f} seconds, seed {options.seed}")
    if options.window_files:
        windows.run(windows.Size(windows=4, files=options.window_files, rounds=60, clears=6), options.seed)
        print(f"four windows on {options.window_files} files agreed, and none was told anything")
    return 1 if record.failures else 0


if __name__ == "__main__":
    sys.exit(main())
