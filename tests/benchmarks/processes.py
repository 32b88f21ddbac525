"""Measured processes: their environment, and the memory and processor time of process trees on Linux."""

from __future__ import annotations

import os
import re
import resource
from contextlib import suppress
from pathlib import Path

_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


def compiled() -> dict[str, str]:
    """An environment in which Python caches bytecode, because an installed package is compiled too."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def family(pid: int) -> list[int]:
    """A process and its children; Linux lists the children by the thread that started them."""
    children: list[str] = []
    # Threads and processes may end while they are read.
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
    """The current resident memory of one process."""
    fields = _read(pid, "statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if fields else 0.0


def family_mb(pid: int) -> float:
    """The current resident memory of a process and its children."""
    return sum(resident_mb(each) for each in family(pid))


def own_peak_mb() -> float:
    """The peak resident memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def peak_mb(pid: int) -> float:
    """The peak resident memory of one process."""
    found = _PEAK.search(_read(pid, "status"))
    return int(found.group(1)) * 1024 / 1e6 if found else 0.0


def _read(pid: int, name: str) -> str:
    """The text of a file in /proc/PID; empty if the process has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
