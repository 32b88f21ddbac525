"""Processes to be measured: how they start, and what they and their children use, as Linux tells it."""

from __future__ import annotations

import os
import re
import resource
from contextlib import suppress
from pathlib import Path

_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


def compiled() -> dict[str, str]:
    """An environment in which Python keeps what it compiled: an installed package comes compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def family(pid: int) -> list[int]:
    """A process and its children; each thread has a list of those that it started."""
    children: list[str] = []
    # Threads and processes end while they are looked at.
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in list(Path(f"/proc/{pid}/task").iterdir()):
            with suppress(FileNotFoundError, ProcessLookupError):
                children += (thread / "children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def processor_seconds(pid: int) -> float:
    """The processor time a process and its children have used so far."""
    ticks = 0
    for each in family(pid):
        fields = _read(each, "stat").rsplit(")", 1)[-1].split()
        ticks += int(fields[11]) + int(fields[12]) if fields else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """The memory one process holds now."""
    fields = _read(pid, "statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if fields else 0.0


def family_mb(pid: int) -> float:
    """The memory a process and its children hold now."""
    return sum(resident_mb(each) for each in family(pid))


def own_peak_mb() -> float:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def peak_mb(pid: int) -> float:
    """The most memory that one process has held."""
    found = _PEAK.search(_read(pid, "status"))
    return int(found.group(1)) * 1024 / 1e6 if found else 0.0


def _read(pid: int, name: str) -> str:
    """What the system says of a process; nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
