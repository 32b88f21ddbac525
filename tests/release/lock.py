"""Writes the lock file of the environment that the VS Code extension creates.

    make lock

measures which distributions the features load, resolves all versions for every system and Python at once
with uv, keeps those that are loaded, and checks that each system and Python finds a wheel of each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.release.loaded import conditional, loaded, needed
from tests.release.lockfile import LOCK, PYTHONS, blocks

_TOP = Path(__file__).parents[2]
_HEADER = """\
# What the server loads, for Linux, macOS and Windows and Python 3.10 to 3.14; installed without dependencies.
# Written by `make lock`.
"""
_PLATFORMS = (
    "x86_64-manylinux_2_28",
    "aarch64-manylinux_2_28",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
)
# onnxruntime has no wheels for an older macOS, nor for Intel Macs.
_MACOS = "14.0"


def _resolved(uv: str) -> str:
    command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", PYTHONS[0]]
    command += ["--generate-hashes", "--no-annotate", "--no-header", "--upgrade"]
    command += ["--extra", "mcp", "pyproject.toml"]
    return subprocess.run(command, cwd=_TOP, check=True, capture_output=True, text=True).stdout


def _check(uv: str, lock: Path, folder: Path) -> None:
    """Check that every system and Python finds a wheel of each distribution."""
    for platform in _PLATFORMS:
        for python in PYTHONS:
            command = [uv, "pip", "install", "--quiet", "--dry-run", "--no-deps", "--only-binary", ":all:"]
            command += ["--target", str(folder), "--python-platform", platform, "--python-version", python]
            subprocess.run(
                [*command, "--require-hashes", "-r", str(lock)],
                env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": _MACOS},
                check=True,
            )


def _measured(folder: Path) -> set[str]:
    paths: Iterable[Path] = (_TOP / "server", Path(sysconfig.get_path("purelib")))
    names = needed(loaded(Path(sys.executable), folder / "features", paths))
    return names | conditional(names)


def main() -> None:
    """Write the lock file; the first argument is the path of uv."""
    uv = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        names = _measured(Path(scratch))
        kept = [entry for name, entry in blocks(_resolved(uv)) if name in names]
        LOCK.write_text(_HEADER + "".join(kept), encoding="utf-8", newline="\n")
        _check(uv, LOCK, Path(scratch) / "target")
    print(f"{LOCK.relative_to(_TOP)}: {len({name for name, _ in blocks(LOCK.read_text())})} distributions")


if __name__ == "__main__":
    main()
