"""URIs become paths and back, and keep the client's spelling."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.requests.uris import Roots, from_path, to_path

segments = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12)


@given(st.lists(segments, min_size=1, max_size=4))
def test_a_posix_path_survives_the_round_trip_to_a_uri(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    assert to_path(from_path(path, windows=False), windows=False) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/x.py", "C:\\Users\\x.py"),
        ("file:///C:/Users/x.py", "C:\\Users\\x.py"),
        ("file://server/share/x%20y.py", "\\\\server\\share\\x y.py"),
        ("file://wsl.localhost/Ubuntu/home/x.py", "\\\\wsl.localhost\\Ubuntu\\home\\x.py"),
        ("file://wsl%24/Ubuntu/home/x.py", "\\\\wsl$\\Ubuntu\\home\\x.py"),
    ],
)
def test_windows_uris_become_windows_paths(uri: str, path: str) -> None:
    assert to_path(uri, windows=True) == path


@pytest.mark.parametrize(
    "path", ["\\\\wsl.localhost\\Ubuntu\\home\\x.py", "\\\\wsl$\\Ubuntu\\a b\\x.py", "C:\\ä\\x.py"]
)
def test_a_windows_path_survives_the_round_trip_to_a_uri(path: str) -> None:
    assert to_path(from_path(path, windows=True), windows=True) == path


def test_windows_paths_become_uris() -> None:
    assert from_path("C:\\a b\\x.py", windows=True) == "file:///C:/a%20b/x.py"
    assert from_path("\\\\server\\share\\x.py", windows=True) == "file://server/share/x.py"


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "git:/x?y",
        "http://host/x",
        "file://elsewhere/x",
        "file:",
        "",
        "file:///a%00b",
        "[::",
    ],
)
def test_a_uri_that_is_not_a_local_file_has_no_path(uri: str) -> None:
    assert to_path(uri, windows=False) is None


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Path]:
    real = tmp_path / "real folder"
    real.mkdir()
    link = tmp_path / "link"
    try:
        link.symlink_to(real, target_is_directory=True)
    except OSError:
        pytest.skip("symbolic links cannot be created here")
    return real, link


def test_answers_keep_the_clients_spelling_of_a_linked_folder(linked: tuple[Path, Path]) -> None:
    real, link = linked
    roots = Roots()
    assert roots.add(from_path(str(link))) == real.resolve()
    assert roots.uri(str(real.resolve()), "src/ä b.py") == from_path(str(link)) + "/src/%C3%A4%20b.py"
    assert roots.locate(from_path(str(link / "x.py"))) == real.resolve() / "x.py"
    assert roots.locate(from_path(str(real / "x.py"))) == real.resolve() / "x.py"


def test_a_folder_is_found_in_any_spelling_until_it_is_removed(linked: tuple[Path, Path]) -> None:
    real, link = linked
    roots = Roots()
    roots.add(from_path(str(link)) + "/")
    assert roots.root(from_path(str(real))) == real.resolve()
    assert roots.remove(from_path(str(link))) == real.resolve()
    assert list(roots) == []
    assert roots.root(from_path(str(real))) is None


def test_a_trailing_slash_does_not_double(tmp_path: Path) -> None:
    roots = Roots()
    root = roots.add(from_path(str(tmp_path)) + "/")
    assert roots.uri(str(root), "a.py") == from_path(str(tmp_path)) + "/a.py"
    assert roots.folder_uri(str(root)) == from_path(str(tmp_path)) + "/"


def test_dots_cannot_leave_a_folder_undetected(tmp_path: Path) -> None:
    roots = Roots()
    root = roots.add(from_path(str(tmp_path / "inside")))
    outside = roots.locate(from_path(str(tmp_path / "inside")) + "/../secret.txt")
    assert root is not None
    assert outside is not None
    assert not outside.is_relative_to(root)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no single root")
def test_the_file_system_root_can_be_a_folder() -> None:
    roots = Roots()
    roots.add("file:///")
    assert roots.uri("/", "etc/hosts") == "file:///etc/hosts"
