"""Which index a path belongs to, and how results are shown relative to the working directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sightline.cli import main
from sightline.commands.project_root import SearchTarget, from_here, project_of, target, targets
from sightline.errors import SightlineError
from sightline.location import CACHE_VARIABLE, index_dir
from tests.files import write_files


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder that contains a repository, a project with settings, and a folder that is neither."""
    home = tmp_path.resolve() / "home"
    for variable, value in ((CACHE_VARIABLE, tmp_path / "cache"), ("HOME", home), ("USERPROFILE", home)):
        monkeypatch.setenv(variable, str(value))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write_files(
        home,
        {
            "repo/.git/HEAD": "",
            "repo/.gitignore": "built\n",
            "repo/src/deep/odd [x]{y}/a.py": "def inside_of_odd():\n    return 1\n",
            "repo/src/b.py": "def outside_of_odd():\n    return inside_of_odd()\n",
            "repo/built/c.py": "def built_thing():\n    return 3\n",
            "repo/sub/.sightline.toml": "",
            "repo/sub/in/d.py": "x = 1\n",
            "plain/folder/e.py": "def plain_thing():\n    return 5\n",
        },
    )
    return home


def test_the_project_is_the_nearest_root(home: Path) -> None:
    repo = home / "repo"
    assert target(repo) == SearchTarget(repo)
    assert target(repo / "src" / "deep") == SearchTarget(repo, "src/deep")
    assert target(repo / "src" / "b.py") == SearchTarget(repo, "src/b.py")
    assert target(repo / "sub" / "in") == SearchTarget(repo / "sub", "in")


def test_a_folder_outside_any_project_is_a_project(home: Path) -> None:
    assert target(home / "plain" / "folder") == SearchTarget(home / "plain" / "folder")


def test_a_folder_that_its_project_ignores_is_a_project(home: Path) -> None:
    assert target(home / "repo" / "built") == SearchTarget(home / "repo" / "built")


def test_a_sub_folder_of_an_indexed_folder_uses_its_index(home: Path) -> None:
    assert main(["index", str(home / "plain")]) == 0
    assert target(home / "plain" / "folder") == SearchTarget(home / "plain", "folder")
    assert main(["index", str(home / "plain" / "folder")]) == 0
    assert not index_dir(home / "plain" / "folder").exists()


def test_the_home_folder_is_not_a_project_by_accident(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert project_of(home / "plain") is None
    (home / ".git").mkdir()
    assert project_of(home / "plain") is None
    (home / ".git").rmdir()
    monkeypatch.chdir(home)
    with pytest.raises(SightlineError, match="not in a project"):
        targets([])
    assert targets([Path()]) == [SearchTarget(home)]


def test_a_sub_folder_filters_the_index_of_its_project(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = home / "repo" / "src" / "deep" / "odd [x]{y}"
    monkeypatch.chdir(odd)
    main(["search", "inside_of_odd", "--oneline", "."])
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["a.py"]
    main(["search", "inside_of_odd", "--oneline"])
    shown = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert shown[0] == "a.py"
    assert len(list((home.parent / "cache" / "indexes").iterdir())) == 1


def test_printed_paths_are_relative_to_the_working_directory(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (home / "repo" / "src", home / "repo" / "src" / "deep", home, home / "plain"):
        monkeypatch.chdir(folder)
        main(["search", "outside_of_odd", "--vimgrep", str(home / "repo")])
        paths = {line.split(":")[0] for line in capsys.readouterr().out.splitlines()}
        assert paths
        assert all(Path(path).is_file() for path in paths)
    monkeypatch.chdir(home / "repo" / "src" / "deep")
    assert from_here(home / "repo", "src/b.py") == os.path.join("..", "b.py")
    assert from_here(home / "plain", "e.py") == str(home / "plain" / "e.py")


def test_sub_folders_of_several_projects_use_their_own_indexes(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(home / "repo" / "src" / "deep"), str(home / "plain" / "folder")]
    assert main(["search", "thing inside", "--oneline", *paths]) == 0
    shown = {Path(line.split(".py:")[0]).name for line in capsys.readouterr().out.splitlines()}
    assert shown == {"a", "e"}


def test_related_never_indexes_a_folder_by_accident(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home)
    assert main(["related", "plain/folder/e.py:1"]) == 2
    assert "--folder" in capsys.readouterr().err
    assert not (home.parent / "cache").exists()
    assert main(["related", "repo/src/b.py:1"]) == 0
    names = [path.name.split("-")[0] for path in (home.parent / "cache" / "indexes").iterdir()]
    assert names == ["repo"]


def test_the_index_of_a_deleted_folder_can_be_cleared(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = home / "plain"
    assert main(["index", str(plain)]) == 0
    plain.rename(home / "renamed")
    assert main(["clear", str(plain)]) == 0
    assert "cleared" in capsys.readouterr().out
