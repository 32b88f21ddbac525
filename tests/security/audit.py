"""Checks every installed runtime package against a copy of the PyPA advisory database.

    git clone https://github.com/pypa/advisory-database DIR
    python -m tests.security.audit DIR

For machines that cannot reach an advisory service; elsewhere `pip-audit` queries newer data. Exits with 1
if an advisory affects an installed version.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.release.requirements import OURS, required


def installed(top: Requirement = OURS) -> dict[str, str]:
    """The runtime dependencies of a package, including itself, with their versions."""
    waiting, seen, found = [top], set[Requirement](), dict[str, str]()
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        with suppress(PackageNotFoundError):
            found[canonicalize_name(each.name)] = distribution(each.name).version
        waiting += required(each)
    return found


def advisories(database: Path, names: set[str]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The advisories for these packages: the package, the advisory, and its affected entry."""
    for folder in sorted(database.glob("vulns/*")):
        if canonicalize_name(folder.name) in names:
            for file in sorted(folder.glob("*.yaml")):
                advisory = yaml.safe_load(file.read_text(encoding="utf-8"))
                for affected in advisory.get("affected", ()):
                    yield canonicalize_name(folder.name), advisory, affected


def concerns(affected: dict[str, Any], version: str) -> bool:
    """Whether an advisory lists a version or has it in one of its ranges."""
    if version in affected.get("versions", ()):
        return True
    ranges = (each for each in affected.get("ranges", ()) if each["type"] == "ECOSYSTEM")
    return any(_within(each["events"], Version(version)) for each in ranges)


def _within(events: list[dict[str, str]], version: Version) -> bool:
    inside = False
    for event in events:
        if "introduced" in event and (event["introduced"] == "0" or version >= Version(event["introduced"])):
            inside = True
        if "fixed" in event and version >= Version(event["fixed"]):
            inside = False
        if "last_affected" in event and version > Version(event["last_affected"]):
            inside = False
    return inside


def audit(database: Path, packages: dict[str, str]) -> tuple[int, list[str]]:
    """The number of advisories checked, and a line for each that affects an installed version."""
    looked, found = 0, []
    for name, advisory, affected in advisories(database, set(packages)):
        looked += 1
        if concerns(affected, packages[name]):
            names = " ".join([advisory["id"], *advisory.get("aliases", ())])
            found.append(f"{name} {packages[name]}: {names}")
    return looked, found


def main() -> int:
    """Run the audit and print the result."""
    packages = installed()
    looked, found = audit(Path(sys.argv[1]), packages)
    print(
        f"{len(packages)} packages, {looked} advisories about them, {len(found)} about an installed version"
    )
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
