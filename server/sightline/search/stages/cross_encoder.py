"""Reorders the best places of the first page by a model that reads query and code together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sightline.search.results.hits import Place
from sightline.search.results.page import Page
from sightline.search.stages.stage import StageInput
from sightline.types import ReadSource

# One score for each text, None while there is no model.
Rerank = Callable[[str, Sequence[str]], Sequence[float] | None]

# A cross-encoder reads a few hundred tokens; more text only costs time.
_MAX_CHARACTERS = 1500


@dataclass(frozen=True, slots=True)
class CrossEncoder:
    """Orders the first `top` places of the first page by the model's scores."""

    rerank: Rerank
    top: int

    def __call__(self, page: Page, inputs: StageInput) -> Page:
        """The page in the model's order, its scores in place; not final while there is no model."""
        text = inputs.query.parsed.text
        if inputs.query.request.offset or not page.places or not text:
            return page
        head, tail = page.places[: self.top], page.places[self.top :]
        scores = self.rerank(text, [_text(place, inputs.read_source) for place in head])
        inputs.log.report("rerank", done=scores is not None)
        if scores is None:
            return replace(page, final=False)
        order = sorted(range(len(head)), key=lambda at: (-scores[at], at))
        moved = tuple(head[at]._replace(score=head[rank].score) for rank, at in enumerate(order))
        return replace(page, places=moved + tail)


def _text(place: Place, read_source: ReadSource) -> str:
    """The text of a place, limited to what the model reads."""
    source = read_source(place.path)
    lines = source.lines[place.span[0] : place.span[1] + 1] if source else []
    return "\n".join([place.path, *lines])[:_MAX_CHARACTERS]
