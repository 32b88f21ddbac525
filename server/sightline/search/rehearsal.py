"""A search for nobody, after a large index was opened: it touches what the user's first one would.

The index is mapped, so the first search meets most of its pages for the first time. Each costs a few
microseconds even if the file is in the system's cache: together as much as the search itself.
"""

from __future__ import annotations

from sightline.search.engine import Searcher
from sightline.search.query.prepared_query import prepare
from sightline.types import SearchRequest

# Words of most projects, with short and long postings.
_QUERY = "where is the error of a failed request handled"


def rehearse(searcher: Searcher) -> None:
    """Run a search and drop its answer."""
    searcher.search(prepare(SearchRequest(_QUERY)), lambda _: None)
