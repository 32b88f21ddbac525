"""Turns records into (query, code) pairs: what a user might type, and the code they want to find."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from training.phrases import first_sentence, is_good_query, keywords, path_words, split_name
from training.records import Record

# A bag of tokens learns little from the end of a long definition; the product's chunks are as short.
_CODE_CHARACTERS = 900
# A name that is still in the code makes the pair trivial, but exact words must keep matching too.
_KEEP_NAME = 0.3


@dataclass(frozen=True, slots=True)
class Pair:
    """A query and its code; pairs of one group answer each other's queries, so they are no negatives."""

    query: str
    code: str
    repo: str
    group: str


def pairs_of(record: Record, chosen: random.Random) -> Iterator[Pair]:
    """Yield the pairs of one record; the random generator chooses the variants."""
    file = f"{record.repo}/{record.path}"
    for kind, query in _queries(record, chosen):
        code = record.code[:_CODE_CHARACTERS]
        if kind in ("name", "member") and chosen.random() > _KEEP_NAME:
            code = re.sub(rf"\b{re.escape(record.name)}\b", " ", code)
        group = file if kind in ("path", "header", "commit") else f"{file}:{record.name}:{record.code[:40]}"
        yield Pair(query, code, record.repo, group)


def _queries(record: Record, chosen: random.Random) -> Iterator[tuple[str, str]]:
    if record.kind == "definition":
        yield from _definition_queries(record, chosen)
    elif record.kind == "chunk":
        yield "path", path_words(record.path, chosen.choice((0, 0, 1, 1, 2)))
        if record.header:
            yield "header", record.header
    elif record.kind == "section":
        yield "section", f"{record.container} {record.name}" if chosen.random() < 0.5 else record.name
    else:
        yield record.kind, record.doc


def _definition_queries(record: Record, chosen: random.Random) -> Iterator[tuple[str, str]]:
    sentence = first_sentence(record.doc)
    name = split_name(record.name)
    if sentence:
        yield "doc", sentence
        topic = keywords(sentence, chosen.choice((3, 4, 5, 6)))
        if is_good_query(topic):
            yield "topic", topic
    if " " in name and chosen.random() < 0.5:
        yield "name", name
    elif record.container and chosen.random() < 0.5:
        yield "member", f"{split_name(record.container)} {name}"
