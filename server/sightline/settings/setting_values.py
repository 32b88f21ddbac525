"""Reads and checks values for the settings tree: every problem becomes a message, never an exception."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sightline.confined import reader, unconfined_reader

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Scope = Literal["user", "workspace"]
Sections = Mapping[str, type]

# A settings file is short; the limit keeps a hostile workspace from filling memory.
_MAX_FILE_BYTES = 1 << 20


class SettingsSource(NamedTuple):
    """Values from one source; `name` identifies it in messages."""

    name: str
    scope: Scope
    values: Mapping[str, object]
    problems: tuple[str, ...] = ()


class _InvalidValue(ValueError):
    """A value that cannot be used; the message is the end of a sentence."""


def read_file(path: Path, scope: Scope) -> SettingsSource:
    """The values of a TOML file; a missing file is empty, a broken one is reported as a problem."""
    try:
        # The user's own file may be a link to anywhere; a workspace's must not lead out of it.
        with reader(path.parent, path.name) if scope == "workspace" else unconfined_reader(path) as file:
            data = file.read(_MAX_FILE_BYTES + 1)
        if len(data) > _MAX_FILE_BYTES:
            raise ValueError(f"it is larger than {_MAX_FILE_BYTES} bytes")
        return SettingsSource(str(path), scope, tomllib.loads(data.decode("utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return SettingsSource(str(path), scope, {})
    except OSError as error:
        reason = error.strerror or str(error)
        return SettingsSource(str(path), scope, {}, (f"{path} cannot be read ({reason}); it is not used.",))
    except (ValueError, RecursionError) as error:
        return SettingsSource(str(path), scope, {}, (f"{path} is not valid TOML and is not used: {error}.",))


def merge(
    sections: Sections, sources: Iterable[SettingsSource]
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Every valid value by section and key, later sources over earlier ones, and a list of problems."""
    merged: dict[str, dict[str, Any]] = {name: {} for name in sections}
    problems: list[str] = []
    for source in sources:
        problems.extend(source.problems)
        for name, values in source.values.items():
            problems.extend(_merge_section(sections, source, name, values, merged))
    return merged, problems


def _merge_section(
    sections: Sections, source: SettingsSource, name: str, values: object, into: dict[str, dict[str, Any]]
) -> Iterable[str]:
    """Put the valid values of one section into `into` and report the others."""
    if name not in sections:
        yield _unknown(source, name, [*sections, *_keys(sections)])
        return
    if values is None:
        return
    if not isinstance(values, Mapping):
        yield f"{source.name}: `{name}` must be a group of settings, not {_shown(values)}; it is not used."
        return
    known = {option.name: option for option in fields(sections[name])}
    for key, value in values.items():
        full = f"{name}.{key}"
        if key not in known:
            yield _unknown(source, full, _keys(sections))
        elif source.scope == "workspace" and known[key].metadata["scope"] == "user":
            yield f"{source.name}: `{full}` is read only from your user settings or your editor."
        elif value is not None:
            try:
                into[name][key] = _checked(known[key], value)
            except _InvalidValue as error:
                yield f"{source.name}: `{full}` must be {error}, not {_shown(value)}; it is not used."


def _checked(option: Field[Any], value: object) -> object:
    """The value as the tree stores it."""
    facts = option.metadata
    kind = kind_of(option)
    if kind == "strings":
        return _strings(value)
    if kind in ("names", "numbers"):
        return _table(value, str if kind == "names" else float)
    if kind == "choice":
        if value in facts["choices"]:
            return value
        raise _InvalidValue("one of " + ", ".join(f'"{choice}"' for choice in facts["choices"]))
    if kind in ("integer", "number"):
        return _number(value, kind == "integer", facts["low"], facts["high"])
    wanted = bool if kind == "boolean" else str
    if not isinstance(value, wanted):
        raise _InvalidValue("true or false" if wanted is bool else "a text")
    return value


def kind_of(option: Field[Any]) -> str:
    """The type of an option: boolean, integer, number, text, choice, strings, names or numbers."""
    if option.metadata["choices"]:
        return "choice"
    kinds = {
        "bool": "boolean",
        "int": "integer",
        "float": "number",
        "str": "text",
        "tuple[str, ...]": "strings",
        "Mapping[str, str]": "names",
        "Mapping[str, float]": "numbers",
    }
    return kinds[str(option.type)]


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise _InvalidValue("a list of texts")
    return tuple(value)


def _table(value: object, wanted: type[str] | type[float]) -> dict[str, object]:
    good = (str,) if wanted is str else (int, float)
    if not isinstance(value, Mapping) or not all(
        isinstance(key, str) and isinstance(item, good) and not isinstance(item, bool)
        for key, item in value.items()
    ):
        raise _InvalidValue("a table of texts" if wanted is str else "a table of numbers")
    return {key: wanted(item) for key, item in value.items()}


def _number(value: object, whole: bool, low: float | None, high: float | None) -> float | int:
    """A number in its range; JSON clients send 10.0 for 10, so 10.0 counts as an integer."""
    words = f"a {'whole ' if whole else ''}number from {low} to {high}" if low is not None else "a number"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _InvalidValue(words)
    if whole and value != value // 1:
        raise _InvalidValue(words)
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        raise _InvalidValue(words)
    return int(value) if whole else float(value)


def _keys(sections: Sections) -> list[str]:
    return [f"{name}.{option.name}" for name, section in sections.items() for option in fields(section)]


def _unknown(source: SettingsSource, key: str, candidates: list[str]) -> str:
    """The message for an unknown key, with the nearest known key by the whole key or its last part."""
    folded = key.replace("-", "_").lower()
    near = get_close_matches(folded, candidates, n=1, cutoff=0.6)
    if not near:
        tails = {candidate.rpartition(".")[2]: candidate for candidate in reversed(candidates)}
        near = [tails[tail] for tail in get_close_matches(folded.rpartition(".")[2], tails, n=1, cutoff=0.6)]
    hint = f"; did you mean `{near[0]}`?" if near else "."
    return f"{source.name}: `{key}` is not a setting{hint}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
