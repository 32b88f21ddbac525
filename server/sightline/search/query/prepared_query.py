"""A query prepared once for all folders: parsed, classified, and embedded once per model."""

from __future__ import annotations

from dataclasses import dataclass, field

from sightline.arrays import Floats
from sightline.embedding.embedder import Embedder
from sightline.search.query.classify import Intent, classify, informative_terms
from sightline.search.query.message import is_pasted
from sightline.search.query.parse_query import ParsedQuery, parse
from sightline.search.query.report import read_report
from sightline.search.query.traces import Frame
from sightline.types import SearchRequest

# Only this much of a long text is embedded; the model reads no further anyway.
_MAX_EMBEDDED = 2000


@dataclass(frozen=True, slots=True)
class QueryText:
    """One text to search for; a pasted report has two: its first line and the rest."""

    text: str
    intent: Intent
    terms: frozenset[str]
    # Whether it is a message of a program, and nothing else.
    pasted: bool
    _vectors: dict[str, Floats] = field(default_factory=dict, compare=False)

    def vector(self, embedder: Embedder) -> Floats:
        """The vector of the text in the model's space, computed once."""
        made = self._vectors.get(embedder.id)
        if made is None:
            made = self._vectors[embedder.id] = embedder.embed_query(self.text[:_MAX_EMBEDDED])
        return made


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A request with everything known about its query before any folder is searched."""

    request: SearchRequest
    parsed: ParsedQuery
    texts: tuple[QueryText, ...]
    frames: tuple[Frame, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the query is empty."""
        return not (self.parsed.text or self.parsed.filters or self.parsed.patterns)


def prepare(request: SearchRequest) -> PreparedQuery:
    """Prepare a request; raises InvalidRequest if its query is invalid."""
    parsed = parse(request.query, request.filters)
    report = read_report(parsed.lines)
    texts = [parsed.text]
    if report is not None and report.title and report.body:
        texts = [report.title, report.body]
    alone = len(texts) == 1
    return PreparedQuery(
        request,
        parsed,
        tuple(_query_text(text, alone) for text in texts),
        report.frames if report else (),
    )


def _query_text(text: str, alone: bool) -> QueryText:
    intent = classify(text) if text else Intent("topic")
    terms = frozenset(informative_terms(text, intent))
    return QueryText(text, intent, terms, alone and is_pasted(text, intent.kind))
