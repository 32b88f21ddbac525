"""File names, extensions and first lines determine the language."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.languages import LANGUAGES, Language, detect, nearest, resolve
from sightline.languages.grammars import load_grammar, query_source


@pytest.mark.parametrize(
    ("path", "start", "language"),
    [
        ("src/app.py", b"", "python"),
        ("a/b/Main.JAVA", b"", "java"),
        ("types.d.ts", b"", "typescript"),
        ("Dockerfile", b"", "dockerfile"),
        ("docker/Dockerfile.dev", b"", "dockerfile"),
        ("Makefile", b"", "make"),
        ("CMakeLists.txt", b"", "cmake"),
        ("notes.txt", b"", "text"),
        ("study.ipynb", b"{}", "jupyter"),
        ("bin/tool", b"#!/usr/bin/env -S python3 -u\n", "python"),
        ("bin/tool", b"#!/bin/sh\n", "bash"),
        ("bin/tool", b"#! /usr/local/bin/node\n", "javascript"),
        ("bin/tool", b"no shebang", "text"),
        ("queue.h", b"#pragma once\nnamespace x {\n", "cpp"),
        ("uv.h", b"#include <stdio.h>\nint f(void);\n", "c"),
        ("View.h", b"#import <UIKit/UIKit.h>\n", "objc"),
        ("main.tf", b"", "hcl"),
        ("includes/menu.inc", b"<?php\n", "php"),
        ("tables.inc", b"int a = 1;\n", "cpp"),
        ("Makefile_PL.e2x", b"", "text"),
        (".bashrc", b"", "bash"),
        ("README", b"", "text"),
        ("guide.mdx", b"", "markdown"),
        ("data", b"<?xml version='1.0'?>", "xml"),
    ],
)
def test_a_file_is_recognised(path: str, start: bytes, language: str) -> None:
    assert detect(path, start).id == language


@given(path=st.text(max_size=40), start=st.binary(max_size=200))
def test_any_file_has_a_language(path: str, start: bytes) -> None:
    assert detect(path, start).id in LANGUAGES


@pytest.mark.parametrize(
    ("alias", "language"),
    [
        ("sh", "bash"),
        ("c++", "cpp"),
        ("ts", "typescript"),
        ("js", "javascript"),
        ("PY", "python"),
        ("terraform", "hcl"),
        ("C#", "csharp"),
        ("golang", "go"),
        (".rs", "rust"),
        ("typescriptreact", "tsx"),
    ],
)
def test_the_usual_aliases_of_a_language_are_accepted(alias: str, language: str) -> None:
    found = resolve(alias)
    assert found is not None
    assert found.id == language


def test_an_unknown_language_has_suggestions() -> None:
    assert resolve("pyton") is None
    assert nearest("pyton")[0] == "python"
    assert nearest("qqqqqq") == []


@pytest.mark.parametrize(
    "language", [row for row in LANGUAGES.values() if row.grammar], ids=lambda language: language.id
)
def test_every_grammar_loads_and_its_query_captures_names(language: Language) -> None:
    assert load_grammar(language) is not None
    assert "@name" in query_source(language.query)


def test_no_two_languages_have_the_same_extension_or_name() -> None:
    claims = Counter(
        claim for row in LANGUAGES.values() for claim in (*row.extensions, *row.filenames, *row.shebangs)
    )
    assert [claim for claim, count in claims.items() if count > 1] == []
