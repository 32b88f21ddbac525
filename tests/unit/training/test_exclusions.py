"""The benchmark's projects never reach the training set, under any name."""

import json
from pathlib import Path

import pytest

from training.collect import chosen_packages, chosen_repositories, read_sources
from training.exclusions import BENCHMARK_PROJECTS, is_excluded_name, is_excluded_path
from training.extract import extract_all

_CODE = 'def remove_expired_entries(store):\n    """Remove what has expired."""\n' + "".join(
    f"    store.drop(number_{word})\n" for word in ["one", "two", "three", "four", "five", "six"]
)


def test_there_are_thirty_five_projects() -> None:
    assert len(set(BENCHMARK_PROJECTS)) == 35


@pytest.mark.parametrize("project", BENCHMARK_PROJECTS)
def test_every_project_is_refused_in_every_spelling_of_its_name(project: str) -> None:
    for name in (project, project.upper(), f"owner/{project}", f"golang-{project}-dev", f"python3-{project}"):
        assert is_excluded_name(name), name
    assert is_excluded_path(f"src/{project}/main.c")


@pytest.mark.parametrize(
    "name",
    [
        "golang-github-spf13-cobra-dev",
        "golang-github-gin-gonic-gin-dev",
        "librust-tokio-util-dev",
        "librust-serde-derive-dev",
        "librust-axum-core-dev",
        "libcommons-lang3-java",
        "libjackson2-databind-java-jackson",
        "nlohmann-json3-dev",
        "ruby-rack-protection",
        "ruby-sinatra-contrib",
        "kotlin/kotlinx.coroutines",
        "neovim/nvim-lspconfig",
        "ohmybash/oh-my-bash",
        "@vitest/runner",
        "MessagePack-CSharp/MessagePack-CSharp",
    ],
)
def test_packages_and_forks_of_a_project_are_refused(name: str) -> None:
    assert is_excluded_name(name)


@pytest.mark.parametrize("name", ["pallets/flask", "golang-github-machine-dev", "ruby-chirp", "square/okio"])
def test_other_projects_are_accepted(name: str) -> None:
    assert not is_excluded_name(name)


@pytest.mark.parametrize("path", ["vendor/x/y.go", "third_party/lib/a.cc", "node_modules/a/index.js"])
def test_bundled_code_is_refused(path: str) -> None:
    assert is_excluded_path(path)


def test_the_list_of_sources_has_no_benchmark_project() -> None:
    sources = read_sources()
    assert len(sources["git"]["training"]) > 100
    assert chosen_repositories(sources) == sources["git"]["training"]
    assert not any(map(is_excluded_name, sources["git"]["development"]))


def test_a_benchmark_project_among_the_sources_is_dropped() -> None:
    assert chosen_repositories({"git": {"training": ["gin-gonic/gin", "a/b"]}}) == ["a/b"]
    assert chosen_packages(["ruby-rack", "ruby-zip", "ruby-zip-doc"], 5) == ["ruby-zip"]


def test_extraction_skips_a_collected_benchmark_project(tmp_path: Path) -> None:
    for folder in ("git/gin-gonic+gin", "git/good+one", "git/good+two/vendor"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "cache.py").write_text(_CODE, encoding="utf-8")
    assert {record.repo for record in extract_all(tmp_path)} == {"good+one"}


def test_development_projects_are_not_used_for_training() -> None:
    sources = read_sources()["git"]
    assert not set(sources["training"]) & set(sources["development"])
    devset = Path(read_sources.__code__.co_filename).parent / "devset.json"
    assert set(json.loads(devset.read_text(encoding="utf-8"))) <= set(sources["development"])
