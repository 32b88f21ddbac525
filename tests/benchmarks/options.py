"""The command-line options that benchmarks share."""

from __future__ import annotations

import argparse
from pathlib import Path


def parser(about: str | None) -> argparse.ArgumentParser:
    """A parser whose help is the docstring of the script, unformatted."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def with_mirrors(about: str | None, *, required: bool = True) -> argparse.ArgumentParser:
    """A parser for scripts that search the projects of ranking/, checked out from bare git mirrors."""
    made = parser(about)
    made.add_argument(
        "--mirrors", type=Path, required=required, help="folder of bare repositories OWNER+NAME/repo"
    )
    made.add_argument("--work", type=Path, required=required, help="folder in which trees are cached")
    return made
