"""Reads untyped JSON and reports errors in one sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sightline.errors import InvalidRequest
from sightline.requests.characters import whole_characters

_LONGEST_TEXT = 10_000
_MOST_TEXTS = 1000
_LONGEST_ITEM = 4096


@dataclass(frozen=True, slots=True)
class Fields:
    """The members of one JSON object; `where` is its full name in messages."""

    values: Mapping[str, object]
    where: str = "params"

    @classmethod
    def of(cls, value: object, where: str = "params") -> Fields:
        """The members of a value, which must be an object."""
        if not isinstance(value, Mapping):
            raise InvalidRequest(f"{where} must be an object, not {_kind(value)}")
        return cls(value, where)

    def has(self, name: str) -> bool:
        """Whether the member is present; null counts as absent."""
        return self.values.get(name) is not None

    def known(self, names: Collection[str]) -> None:
        """Reject unknown members, because a misspelt filter would silently widen a search."""
        for name in self.values:
            if name not in names:
                raise InvalidRequest(
                    f"{self._name(name)} is not known; use one of {', '.join(sorted(names))}"
                )

    def inner(self, name: str) -> Fields:
        """The members of a nested object."""
        return Fields.of(self._required(name), self._name(name))

    def text(self, name: str) -> str:
        """A required string."""
        return self._text(self._required(name), self._name(name), _LONGEST_TEXT)

    def integer(self, name: str, low: int, high: int) -> int:
        """An integer within bounds."""
        value = self._required(name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InvalidRequest(f"{self._name(name)} must be a whole number from {low} to {high}")
        return value

    def number(self, name: str, low: float, high: float) -> float:
        """A number within bounds."""
        value = self._required(name)
        # Every comparison with NaN is false, so the bounds reject it too.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise InvalidRequest(f"{self._name(name)} must be a number from {low:g} to {high:g}")
        return float(value)

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._required(name)
        if not isinstance(value, bool):
            raise InvalidRequest(f"{self._name(name)} must be true or false, not {_kind(value)}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self._required(name)
        if not isinstance(value, (list, tuple)) or len(value) > _MOST_TEXTS:
            raise InvalidRequest(f"{self._name(name)} must be a list of at most {_MOST_TEXTS} strings")
        return tuple(
            self._text(item, f"{self._name(name)}[{at}]", _LONGEST_ITEM) for at, item in enumerate(value)
        )

    def _required(self, name: str) -> object:
        value = self.values.get(name)
        if value is None:
            raise InvalidRequest(f"{self._name(name)} is missing")
        return value

    def _name(self, name: str) -> str:
        return f"{self.where}.{name}"

    @staticmethod
    def _text(value: object, where: str, longest: int) -> str:
        if not isinstance(value, str):
            raise InvalidRequest(f"{where} must be a string, not {_kind(value)}")
        if len(value) > longest:
            raise InvalidRequest(f"{where} is longer than {longest} characters")
        return whole_characters(value)


def _kind(value: object) -> str:
    names = {type(None): "nothing", bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    return names.get(type(value), "an object" if isinstance(value, Mapping) else "a list")
