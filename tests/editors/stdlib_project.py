"""A real project of a few hundred files that exists everywhere: part of the running Python's library."""

import shutil
import subprocess
import sysconfig
from pathlib import Path

_PACKAGES = (
    "asyncio",
    "collections",
    "concurrent",
    "email",
    "html",
    "http",
    "importlib",
    "json",
    "logging",
    "unittest",
    "urllib",
    "xml",
)


def copy_standard_library(target: Path) -> Path:
    """Copy well-known modules and packages to a new git repository and return its root."""
    library = Path(sysconfig.get_path("stdlib"))
    target.mkdir(parents=True)
    for module in library.glob("*.py"):
        shutil.copy(module, target)
    for package in _PACKAGES:
        shutil.copytree(
            library / package, target / package, ignore=shutil.ignore_patterns("__pycache__", "*.so")
        )
    subprocess.run(["git", "init", "--quiet", str(target)], check=True)
    return target
