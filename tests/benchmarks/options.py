"""What the benchmarks take from their command lines."""

from __future__ import annotations

import argparse
from pathlib import Path


def parser(about: str | None) -> argparse.ArgumentParser:
    """A parser whose help is the description of the script as it stands there."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def with_mirrors(about: str | None, *, required: bool = True) -> argparse.ArgumentParser:
    """A parser for scripts that search the projects of ranking/, laid out from bare git mirrors."""
    made = parser(about)
    made.add_argument("--mirrors", type=Path, required=required, help="OWNER+NAME/repo in it are bare")
    made.add_argument("--work", type=Path, required=required, help="trees are kept here")
    return made
