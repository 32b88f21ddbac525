"""Shapes and how to measure them."""

import math
from collections.abc import Iterable

LIMIT = 10


# Keeps what was measured.
@dataclass(frozen=True)
class Shape:
    """A closed figure."""

    name: str = ""
    sides = 4

    @property
    def area(self) -> float:
        """The surface in square metres."""
        return math.pow(self.width(), 2)

    class Inner:
        def deep(self): ...


async def measure(shapes: Iterable[Shape]) -> float:
    def one(shape):
        return shape.area

    return sum(map(one, shapes))
