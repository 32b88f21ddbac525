"""Signatures as lists show them."""

import pytest

from sightline.search.symbol_rows import on_one_line


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("def wait( factor: int, most: int = 1 ) -> int", "def wait(factor: int, most: int = 1) -> int"),
        (
            "fn open( path: &Path, mode: u8, ) -> Result<File>",
            "fn open(path: &Path, mode: u8) -> Result<File>",
        ),
        ("def pick(items: list[ str, ])", "def pick(items: list[str])"),
        ("func (s *Server) Start(a, b int) error", "func (s *Server) Start(a, b int) error"),
        ("class Queue", "class Queue"),
    ],
)
def test_a_signature_of_several_lines_is_shown_as_one(stored: str, shown: str) -> None:
    assert on_one_line(stored) == shown
