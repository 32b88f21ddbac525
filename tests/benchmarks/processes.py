"""What a process and its children use, as Linux tells it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


def family(pid: int) -> list[int]:
    """A process and its children; each thread has a list of those that it started."""
    children = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):
            children += (thread / "children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def processor_seconds(pid: int) -> float:
    """The processor time a process and its children have used so far."""
    ticks = 0
    for each in family(pid):
        fields = Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """The memory one process holds now."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def family_mb(pid: int) -> float:
    """The memory a process and its children hold now."""
    return sum(resident_mb(each) for each in family(pid))


def peak_mb(pid: int) -> float:
    """The most memory that one process has held."""
    found = _PEAK.search(Path(f"/proc/{pid}/status").read_text())
    return int(found.group(1)) * 1024 / 1e6 if found else 0.0
