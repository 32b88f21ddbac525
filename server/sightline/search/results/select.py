"""Selects and orders the ranked places to show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def capped(files: Sequence[int], per_file: int) -> Iterator[int]:
    """At most `per_file` places of each file, then the excess, so that no page is short; 0 means no cap."""
    shown: dict[int, int] = {}
    excess = []
    for at, file in enumerate(files):
        shown[file] = count = shown.get(file, 0) + 1
        if count > per_file > 0:
            excess.append(at)
        else:
            yield at
    yield from excess


def files_first(files: Sequence[int], per_file: int) -> Iterator[int]:
    """The first place of each file in order, then further places under the cap, then the excess."""
    first = {file: at for at, file in reversed([*enumerate(files)])}.values()
    yield from sorted(first)
    known = set(first)
    yield from (at for at in capped(files, per_file) if at not in known)
