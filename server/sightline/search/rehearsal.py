"""Searches for nobody, after an index was opened: they do once what would make the user's first ones slower.

The index is mapped, so the first search meets most of its pages for the first time. Each costs a few
microseconds even if the file is in the system's cache: together as much as the search of a large index. In a
small one it is the interpreter that is slower at first, and there are texts to be read. The signatures of its
symbols are read at once: in each search a few were most of what is read from the catalog. So are its texts.
"""

from __future__ import annotations

import time
from contextlib import suppress

from sightline.errors import Cancelled
from sightline.search.engine import Searcher
from sightline.search.query.prepared_query import prepare
from sightline.types import ReadSource, SearchRequest

# Of all kinds, so that they take different ways; words of most projects, with short and long postings.
_QUERIES = (
    "where is the error of a failed request handled",
    "default timeout of connections",
    "HttpClient.send",
    "Fix a crash when the header is empty",
    "reading configuration from a file",
    "how are values written to the output",
    "cannot open the file for reading",
    "tests of nested types",
)
# In a large index the first one takes longer; further ones would not touch much more of it.
_MOST_SECONDS = 0.03


def rehearse(searcher: Searcher, read_source: ReadSource) -> None:
    """Read ahead, run some searches and drop their answers, until somebody searches or it takes too long."""
    with suppress(Cancelled):
        searcher.read_signatures()
        latest = time.monotonic() + _MOST_SECONDS
        for query in _QUERIES:
            searcher.rehearse(prepare(SearchRequest(query)), read_source)
            if time.monotonic() > latest:
                break
        searcher.read_texts(read_source)
    searcher.used = True
