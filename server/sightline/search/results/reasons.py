"""A short explanation for the user: why a place is among the answers."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sightline.arrays import Integers
from sightline.search.ranking.pipeline import Ranking
from sightline.visible import visible

# Signals by their text for the user; general properties of a place or file explain nothing.
_PHRASES = {
    "definition": "defines it",
    "file_definition": "beside its definition",
    "stem_definition": "beside its definition",
    "name_share": "similar name",
    "name_precision": "similar name",
    "bm25": "same words",
    "coverage": "same words",
    "file_bm25": "same words in the file",
    "cosine": "close in meaning",
    "file_cosine": "file close in meaning",
    "file_names": "file close in meaning",
    "path_share": "file name",
    "stem_precision": "file name",
    "stem_order": "file name",
}
# A past commit is added to the first reason when it is worth at least this share of it.
_LEADING = 0.2
_LONGEST_SUBJECT = 60
_AGES = (("year", 31_557_600), ("month", 2_629_800), ("week", 604_800), ("day", 86_400), ("hour", 3600))
_FRAME = "in the stack trace"


def why(ranking: Ranking, positions: Integers) -> list[str]:
    """The strongest reason for each of some places."""
    worth = _worth(ranking, positions)
    slots = ranking.candidates.slots.take(positions).tolist()
    named = [_named(ranking, slot) for slot in slots]
    first = [max(each, key=each.__getitem__) if each else "" for each in worth]
    # Most folders searched have no history, or none of such changes.
    if any(each.touched for each in ranking.evidence):
        places = zip(positions.tolist(), first, worth, strict=True)
        first = [_with_change(ranking, *each) for each in places]
    return [name or reason for name, reason in zip(named, first, strict=True)]


def _named(ranking: Ranking, slot: int) -> str:
    """The reason for a place that the query names, else nothing."""
    if slot in ranking.framed:
        return _FRAME
    defined = ranking.defining.get(slot)
    return f"defines {defined.name}" if defined is not None and defined.certain else ""


def _with_change(ranking: Ranking, position: int, first: str, worth: Mapping[str, float]) -> str:
    """A reason, and the past commit that supports the place."""
    return ", ".join(filter(None, (first, _changed_by(ranking, position, worth.get(first, 0.0)))))


def _changed_by(ranking: Ranking, position: int, first: float) -> str:
    """The past commit that supports the file of a place, if it is a leading reason."""
    file = int(ranking.grouped.files[ranking.grouped.owner[position]])
    for each in ranking.evidence:
        if file not in each.touched:
            continue
        worth = float(each.signals["history"][position]) * each.weights["history"] * each.part.weight
        if worth > 0 and worth >= _LEADING * first:
            commit = each.touched[file].commit
            return f"changed by '{_short(visible(commit.subject))}', {_age(time.time() - commit.time)}"
    return ""


def _short(subject: str) -> str:
    return subject if len(subject) <= _LONGEST_SUBJECT else subject[: _LONGEST_SUBJECT - 2].rstrip() + " …"


def _age(seconds: float) -> str:
    for unit, length in _AGES:
        count = int(seconds // length)
        if count > 0:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _worth(ranking: Ranking, positions: Integers) -> list[dict[str, float]]:
    """For each place what each phrase is worth, in the order in which they are first worth something."""
    found: list[dict[str, float]] = [{} for _ in range(len(positions))]
    for evidence in ranking.evidence:
        for name, phrase in _PHRASES.items():
            weight = evidence.weights[name]
            # No value is below 0.
            if weight * evidence.part.weight <= 0:
                continue
            values = evidence.signals[name].take(positions).tolist()
            for worth, value in zip(found, values, strict=True):
                if value > 0:
                    gain = value * weight * evidence.part.weight
                    worth[phrase] = worth.get(phrase, 0.0) + gain
    return found
