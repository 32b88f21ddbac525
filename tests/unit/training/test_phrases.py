"""From comments, names and commit subjects to queries."""

import pytest

from training.phrases import (
    clean_comment,
    clean_subject,
    first_sentence,
    is_good_query,
    keywords,
    path_words,
    split_name,
)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("/**\n * Opens the file.\n * @param path where\n */", "Opens the file"),
        ("/// Opens the `file`, then reads it.\n/// More.", "Opens the file , then reads it"),
        ("# Opens the file\n# for reading", "Opens the file for reading"),
        ('"""Open the file.\n\nArgs:\n    path: where\n"""', "Open the file"),
        ("/// <summary>Opens the file.</summary>", "Opens the file"),
    ],
)
def test_the_first_sentence_of_a_comment_is_found(raw: str, sentence: str) -> None:
    assert first_sentence(clean_comment(raw)) == sentence


def test_names_and_paths_become_words() -> None:
    assert split_name("getHTTPResponse2") == "get http response 2"
    assert path_words("src/http/rate_limiter.go", 1) == "http rate limiter"
    assert path_words("main.go", 2) == "main"


@pytest.mark.parametrize(
    "text", ["Copyright 2020 by them", "eslint-disable next line", "x", "日本語のコメントです これは"]
)
def test_noise_is_not_used_as_a_query(text: str) -> None:
    assert not is_good_query(text)


@pytest.mark.parametrize(
    ("subject", "cleaned"),
    [
        ("fix(router): handle trailing slash in groups (#123)", "handle trailing slash in groups"),
        ("Bump version to 1.2.3", None),
        ("Merge branch main into dev", None),
    ],
)
def test_commit_subjects_say_what_changed(subject: str, cleaned: str | None) -> None:
    assert clean_subject(subject) == cleaned


def test_keywords_omit_words_that_users_do_not_type() -> None:
    assert keywords("Returns the number of open connections in the pool", 4) == "number open connections pool"
