"""The informative search terms of a query."""

from __future__ import annotations

from sightline.search.query.classify import Intent
from sightline.search.query.stopwords import STOPSTEMS
from sightline.words import tokens


def informative_terms(text: str, intent: Intent) -> list[str]:
    """The distinct terms in order; stopwords count only within a name, or when there is nothing else."""
    found = list(dict.fromkeys(tokens(text)))
    if intent.kind == "symbol":
        return found
    return [term for term in found if term not in STOPSTEMS] or found
