"""Open documents have the text that the client's edits result in."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sightline.lsp.open_documents import Change, Documents
from sightline.lsp.positions import Encoding, units
from sightline.requests.characters import whole_characters
from sightline.words import lines_of

URI = "file:///w/a%20b.py"
encodings: st.SearchStrategy[Encoding] = st.sampled_from(("utf-8", "utf-16", "utf-32"))
texts = st.text(st.sampled_from("ab\n\r\f é😋\u2028"), max_size=40)


def _place(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    before = lines_of(text[:offset])
    return len(before) - 1, units(before[-1], encoding)


@given(texts, texts, encodings, st.data())
def test_an_incremental_edit_equals_slicing_the_text(
    before: str, new: str, encoding: Encoding, data: st.DataObject
) -> None:
    # A position inside "\r\n" means the end of its line, so only whole line ends are drawn.
    offsets = [at for at in range(len(before) + 1) if before[at - 1 : at + 1] != "\r\n"]
    start, end = sorted((data.draw(st.sampled_from(offsets)), data.draw(st.sampled_from(offsets))))
    documents = Documents()
    documents.open(URI, before, None)
    change = Change(new, _place(before, start, encoding), _place(before, end, encoding))
    documents.change(URI, [change], encoding)
    assert documents.text(URI) == before[:start] + new + before[end:]


def test_edits_apply_in_order() -> None:
    documents = Documents()
    documents.open(URI, "one\ntwo\n", None)
    documents.change(URI, [Change("1", (0, 0), (0, 3)), Change("!", (0, 1), (0, 1))], "utf-16")
    assert documents.text(URI) == "1!\ntwo\n"


def test_a_change_without_range_replaces_the_document() -> None:
    documents = Documents()
    documents.open(URI, "old", None)
    documents.change(URI, [Change("new")], "utf-16")
    assert documents.text(URI) == "new"


def test_a_change_of_a_closed_document_is_dropped() -> None:
    documents = Documents()
    documents.change(URI, [Change("x")], "utf-16")
    documents.close(URI)
    assert documents.text(URI) is None


def test_a_range_that_ends_before_it_starts_inserts() -> None:
    documents = Documents()
    documents.open(URI, "abc", None)
    documents.change(URI, [Change("X", (0, 2), (0, 1))], "utf-16")
    assert documents.text(URI) == "abXc"


def test_a_document_is_found_however_its_uri_is_escaped() -> None:
    documents = Documents()
    documents.open("file:///c%3A/x.py", "text", None)
    assert documents.text("file:///c:/x.py") == "text"


def test_only_files_are_overlays() -> None:
    documents = Documents()
    documents.open("untitled:Untitled-1", "draft", None)
    documents.open(URI, "text", Path("/w/a b.py"))
    assert documents.overlays() == {Path("/w/a b.py"): "text"}


@given(st.text(st.characters(), max_size=20))
def test_text_from_json_can_always_be_encoded(text: str) -> None:
    cleaned = whole_characters(text)
    cleaned.encode("utf-8")
    assert len(cleaned) == len(text)
