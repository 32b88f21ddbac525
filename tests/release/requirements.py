"""The requirements of installed distributions, with their extras."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement

# Everything that a user can install.
OURS = Requirement("sightline[mcp]")


def required(by: Requirement) -> Iterator[Requirement]:
    """What a distribution requires here, with the extras named; nothing if it is not installed."""
    try:
        wanted = map(Requirement, distribution(by.name).requires or ())
    except PackageNotFoundError:
        # Required only on another system or Python.
        return
    for each in wanted:
        if not each.marker or any(each.marker.evaluate({"extra": extra}) for extra in ("", *by.extras)):
            yield each
