"""Runs the quick benchmarks one after another: `make bench`. The long ones are listed in docs/benchmarks.md.

    python tests/benchmarks/run.py [--mirrors DIR --work DIR]

Tables go to stdout. With mirrors of repositories (see ranking/) Sightline, semble and ripgrep are compared.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks import options
from tests.benchmarks.report import machine

_HERE = Path(__file__).resolve().parent
_QUICK = {
    "Growth": ("scale.py", "grow", "--sizes", "1000", "10000"),
    "Cold index of 1,000 files": ("index_speed.py", "cold"),
    "The server compared with the same work without it": ("lsp_bars.py",),
    "A server at rest": ("lsp_bars.py", "idle"),
    "Eight clients for a quarter of a minute": ("load.py", "--chunks", "10000", "--minutes", "0.25"),
}


def main() -> None:
    """Run everything; exit with a non-zero status if something failed."""
    parser = options.with_mirrors(__doc__, required=False)
    given = parser.parse_args()
    commands = dict(_QUICK)
    if given.mirrors and given.work:
        where = ("--mirrors", str(given.mirrors.resolve()), "--work", str(given.work.resolve()))
        commands["Side by side"] = ("side_by_side.py", "run", *where)
    print(machine(), flush=True)
    failed = [title for title, command in commands.items() if not _run(title, *command)]
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def _run(title: str, script: str, *arguments: str) -> bool:
    print(f"\n## {title}\n", flush=True)
    return subprocess.run([sys.executable, str(_HERE / script), *arguments], check=False).returncode == 0


if __name__ == "__main__":
    main()
