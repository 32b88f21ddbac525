"""Parses the lock file of the environment that the VS Code extension creates."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.utils import canonicalize_name

LOCK = Path(__file__).parents[2] / "server" / "requirements.lock"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


def blocks(text: str) -> list[tuple[str, str]]:
    """The entries of a requirements file with hashes, each as its name and its lines."""
    entries = re.findall(r"^[a-z0-9].*(?:\n    --hash=.*)*\n", text, re.M)
    return [(canonicalize_name(re.split(r"[=\[; ]", entry, maxsplit=1)[0]), entry) for entry in entries]
