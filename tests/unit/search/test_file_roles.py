"""The roles of files, for the conventions of every supported language."""

from __future__ import annotations

import pytest

from sightline.file_roles import (
    asked_roles,
    bit,
    looks_like_test,
    maybe_product_folder,
    roles,
    roles_below,
    version_folders,
)


@pytest.mark.parametrize(
    "path",
    [
        "absl/strings/str_cat_test.cc",
        "absl/time/time_benchmark.cc",
        "RxSwiftTests/ObservableTests.swift",
        "pkg/server_test.go",
        "tests/test_api.py",
        "transforms/__testfixtures__/rename.input.js",
        "integration/cluster.go",
        "pkg/fakes/client.go",
        "test_api.py",
        "src/test/java/FooTest.java",
        "FooTests.cs",
        "My.Project.Tests/Foo.cs",
        "spec/models/user_spec.rb",
        "test/user_test.exs",
        "src/a.test.ts",
        "src/a.spec.tsx",
        "__tests__/a.js",
        "benches/parse.rs",
        "kotlinx/jvmTest/JobTest.kt",
        "test/foo.bats",
        "t/lib/TestCase.php",
        "src/FooSpec.scala",
    ],
)
def test_tests_are_recognised(path: str) -> None:
    assert roles(path) & bit("test")


@pytest.mark.parametrize(
    "path",
    [
        "src/contest.py",
        "src/latest.go",
        "lib/phoenix/router.ex",
        "src/testament/spectrum.rs",
        "output/serializer.hpp",
        "src/attestation.ts",
        "core/inspector.js",
        "src/greatest.c",
    ],
)
def test_production_source_has_no_role(path: str) -> None:
    assert roles(path) == 0


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("examples/hello.rs", "example"),
        ("src/compat/old.py", "compat"),
        ("pkg/__init__.py", "barrel"),
        ("types/index.d.ts", "declaration"),
        ("src/win/tty.c", "platform"),
        ("poll_windows.go", "platform"),
        ("README.md", "docs"),
        ("config.yaml", "docs"),
        ("api/user.pb.go", "generated"),
    ],
)
def test_other_roles_are_recognised(path: str, role: str) -> None:
    assert roles(path) & bit(role)


def test_an_older_version_beside_a_newer_one_is_old() -> None:
    assert version_folders(["src/v3/a.ts", "src/v4/a.ts", "lib/v1/b.ts"]) == {"src/v3"}


@pytest.mark.parametrize(
    ("query", "role"),
    [
        ("unit tests of the parser", "test"),
        ("benchmarks for hashing", "test"),
        ("usage examples", "example"),
        ("v3 compatibility", "old_version"),
        ("reading the console on Windows", "platform"),
        ("installation guide", "docs"),
    ],
)
def test_a_query_that_asks_for_a_role_is_recognised(query: str, role: str) -> None:
    assert asked_roles(query) & bit(role)


def test_an_ordinary_query_asks_for_no_role() -> None:
    assert asked_roles("how routes are grouped and registered") == 0


def test_a_nested_test_folder_may_be_production_code() -> None:
    assert maybe_product_folder("django/test/client.py") == "django/test"
    assert not roles_below("django/test/client.py", "django/test") & bit("test")
    assert maybe_product_folder("app/integration/sync.py") == "app/integration"
    assert maybe_product_folder("test/data.c") == ""
    assert looks_like_test("src/test/java/CartTest.java")
    assert not looks_like_test("src/test/java/Data.java")


def test_production_sources_are_not_tests_whatever_their_name() -> None:
    assert not roles("junit-api/src/main/java/org/junit/Test.java") & bit("test")
    assert roles("junit-api/src/test/java/org/junit/ApiTest.java") & bit("test")


@pytest.mark.parametrize("path", ["locale/de/django.po", "data/cities.geojson", "Cargo.lock"])
def test_translations_and_data_are_not_code(path: str) -> None:
    assert roles(path)
