"""Parses the lock file of the environment that the VS Code extension creates."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.utils import canonicalize_name

LOCK = Path(__file__).parents[2] / "server" / "requirements.lock"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
_SYSTEMS = (("linux", "posix", "Linux"), ("darwin", "posix", "Darwin"), ("win32", "nt", "Windows"))
# The values of environment markers on each system with each Python.
TARGETS = [
    {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": system,
        "os_name": os_name,
        "platform_system": name,
        "extra": "",
    }
    for system, os_name, name in _SYSTEMS
    for python in PYTHONS
]


def blocks(text: str) -> list[tuple[str, str]]:
    """The entries of a requirements file with hashes, each as its name and its lines."""
    entries = re.findall(r"^[a-z0-9].*(?:\n    --hash=.*)*\n", text, re.MULTILINE)
    return [(canonicalize_name(re.split(r"[=\[; ]", entry, maxsplit=1)[0]), entry) for entry in entries]
