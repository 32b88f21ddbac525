"""What the benchmarks take from their command lines."""

from __future__ import annotations

import argparse
from pathlib import Path


def parser(about: str | None) -> argparse.ArgumentParser:
    """A parser whose help is the description of the script as it stands there."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def with_tasks(about: str | None) -> argparse.ArgumentParser:
    """A parser for scripts that need repositories and tasks (see ndcg.py)."""
    made = parser(about)
    made.add_argument("--repos", type=Path, required=True)
    made.add_argument("--tasks", type=Path, required=True)
    return made
