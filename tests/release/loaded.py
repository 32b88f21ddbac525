"""Measures which of the installed distributions the features load.

    python -m tests.release.loaded

prints them with their sizes, and the other distributions that an installation would include.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.release.features import Features
from tests.release.lockfile import TARGETS
from tests.release.requirements import OURS, required
from tests.security.audit import installed

_TOP = Path(__file__).parents[2]
_RECORDER = Path(__file__).parent / "recorder"


def loaded(python: Path, folder: Path, paths: Iterable[Path]) -> set[str]:
    """Use every feature with an interpreter and module paths; return the names of all imported modules."""
    notes = folder / "imports"
    notes.mkdir(parents=True)
    variables = {
        "PYTHONPATH": os.pathsep.join(map(str, (_RECORDER, *paths))),
        "SIGHTLINE_RECORDED": str(notes),
    }
    Features(python, folder, variables).use_all()
    return {line for note in notes.iterdir() for line in note.read_text(encoding="utf-8").splitlines()}


def modules(package: Distribution) -> Iterator[str]:
    """The names of the modules in a distribution."""
    for file in package.files or ():
        if file.suffix in (".py", ".so", ".pyd") and ".." not in file.parts:
            parts = [*file.parts[:-1], file.name.split(".")[0]]
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def needed(imported: set[str]) -> set[str]:
    """The distributions to install for these imports: each is loaded and required by another one of them.

    This excludes a package that is imported only if it happens to be installed: no loaded one requires it.
    """
    used: set[str] = {
        canonicalize_name(each.name) for each in distributions() if imported.intersection(modules(each))
    }
    waiting, seen = [OURS], set[Requirement]()
    while waiting:
        each = waiting.pop()
        # An extra is for the one that asks for it, even if what it extends is not loaded.
        if each not in seen and (each.extras or canonicalize_name(each.name) in used):
            waiting += required(each)
        seen.add(each)
    return used.intersection(canonicalize_name(each.name) for each in seen - {OURS})


def conditional(names: set[str]) -> set[str]:
    """The requirements of these distributions on other systems or Pythons, which cannot be measured here."""
    return {
        canonicalize_name(each.name)
        for name in names
        for each in map(Requirement, distribution(name).requires or ())
        if each.marker and not each.marker.evaluate({"extra": ""}) and any(map(each.marker.evaluate, TARGETS))
    }


def megabytes(names: Iterable[str]) -> float:
    """The total size of the files of distributions, in megabytes."""
    files = (Path(str(file.locate())) for name in names for file in distribution(name).files or ())
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def main() -> None:
    """Print the distributions that are needed, and those that are installed but not needed."""
    with tempfile.TemporaryDirectory() as folder:
        paths = (_TOP / "server", Path(sysconfig.get_path("purelib")))
        found = needed(loaded(Path(sys.executable), Path(folder), paths))
    rest = installed().keys() - found - {OURS.name}
    for title, names in (("needed", found), ("brought along, never needed", rest)):
        print(f"{title}: {len(names)} distributions, {megabytes(names):.0f} MB")
        for name in sorted(names):
            print(f"  {name} {distribution(name).version} ({megabytes([name]):.1f} MB)")


if __name__ == "__main__":
    main()
