"""A pasted message: its values count less than its fixed words, which the code that prints it contains."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.search.query.message import is_pasted, value_terms
from sightline.search.query.prepared_query import prepare
from sightline.types import SearchRequest
from sightline.words import stem
from tests.unit.search.small_index import build_memory, make_searcher


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ('user not found: token "ann@example.org"', {"ann", "example", "org"}),
        ("Hash for requests (2.31.0) not found in known hashes", {"2", "31", "0"}),
        ("failed to open /etc/app/secret.toml for reading", {"etc", "app", "secret", "toml"}),
        # A word that stands outside the quotes, too, belongs to the message.
        ('could not find plugin "plugin" in the configuration', set()),
        # Little else but values.
        ('unknown key "timeout"', set()),
    ],
)
def test_what_can_only_be_a_value_is_recognised(message: str, values: set[str]) -> None:
    assert value_terms(message) == {stem(value) for value in values}


def test_a_question_is_no_pasted_message() -> None:
    text = "the user was not found in the list"
    assert is_pasted(text, "statement")
    assert not is_pasted(text, "question")


@pytest.mark.parametrize(
    ("text", "pasted"),
    [
        ("Session cookies are signed with the secret key", False),
        ("Session cookie was not signed with the secret key", True),
        ("Error: session cookies without a secret key", True),
    ],
)
def test_a_capital_alone_makes_no_message(text: str, pasted: bool) -> None:
    assert is_pasted(text, "statement") is pasted


def test_the_texts_of_a_report_are_no_messages() -> None:
    title = "Error: the user was not found."
    report = prepare(SearchRequest(f"{title}\n\nSteps to reproduce:\n\n1. Log in.\n2. Delete the user.\n"))
    assert [text.pasted for text in report.texts] == [False, False]
    assert [text.pasted for text in prepare(SearchRequest(title)).texts] == [True]


def test_the_source_of_a_message_is_above_a_test_with_its_values(tmp_path: Path) -> None:
    files = {
        "users.go": """
package users

// Resolve finds a user.
func Resolve(name string) (*User, error) {
	if user := byName[name]; user != nil {
		return user, nil
	}
	return nil, fmt.Errorf("user not found: token %q", name)
}
""",
        "alice.go": """
package users

// Alice is a user that has a token.
func Alice() *User {
	return &User{Name: "alice", Mail: "alice@example.com", Token: "alice@example.com"}
}
""",
    }
    memory = build_memory(tmp_path / "project", files)
    searcher = make_searcher(memory, tmp_path / "project")
    found = searcher.search(SearchRequest('user not found: token "alice@example.com"'))
    memory.catalog.close()
    assert found.hits[0].path == "users.go"
