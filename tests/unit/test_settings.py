"""Where settings come from, and the errors for invalid ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.settings import tree as settings_module
from sightline.settings.reference import markdown
from sightline.settings.tree import SECTIONS, WORKSPACE_FILE, Settings, load, schema

_DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


@pytest.fixture(autouse=True)
def user_file(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file other than that of the user who runs the tests; it does not exist yet."""
    path = tmp_path_factory.mktemp("user") / "settings.toml"
    monkeypatch.setattr(settings_module, "user_file", lambda: path)
    return path


def _problems(root: Path, toml: str) -> list[str]:
    (root / WORKSPACE_FILE).write_text(toml, encoding="utf-8")
    return load(root)[1]


def test_without_any_source_everything_is_default(tmp_path: Path) -> None:
    assert load(tmp_path) == (Settings(), [])
    assert load(None, None) == (Settings(), [])


def test_a_later_source_overrides_an_earlier_one(tmp_path: Path, user_file: Path) -> None:
    user_file.write_text("[search]\nlimit = 1\nper_file = 1\nrerank_top = 1\n")
    (tmp_path / WORKSPACE_FILE).write_text("[search]\nlimit = 2\nper_file = 2\n")
    search = load(tmp_path, {"search": {"limit": 3}})[0].search
    assert (search.limit, search.per_file, search.rerank_top) == (3, 2, 1)


def test_a_list_replaces_the_list_of_an_earlier_source(tmp_path: Path) -> None:
    (tmp_path / WORKSPACE_FILE).write_text('[indexing]\nexclude = ["a", "b"]\n')
    assert load(tmp_path)[0].indexing.exclude == ("a", "b")
    assert load(tmp_path, {"indexing": {"exclude": ["c"]}})[0].indexing.exclude == ("c",)


def test_null_from_the_editor_means_not_set(tmp_path: Path) -> None:
    assert load(tmp_path, {"search": {"limit": None}, "hover": None}) == (Settings(), [])


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("indexing.max_file_byte", "indexing.max_file_bytes"),
        ("indexing.maxFileBytes", "indexing.max_file_bytes"),
        ("search.limits", "search.limit"),
        ("hover.exact_limit", "search.exact_limit"),
        ("embedding.modle", "embedding.model"),
        ("code-lens.enabled", "code_lens"),
        ("serch.limit", "search"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_valid_one(tmp_path: Path, key: str, nearest: str) -> None:
    section, _, name = key.partition(".")
    [problem] = load(tmp_path, {section: {name: 1}})[1]
    assert problem.startswith("Editor settings: `")
    assert f"did you mean `{nearest}`?" in problem


def test_a_key_unlike_any_other_gets_no_suggestion(tmp_path: Path) -> None:
    assert load(tmp_path, {"zzzz": 1})[1] == ["Editor settings: `zzzz` is not a setting."]


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("search.limit", "10", "a whole number from 1 to 1000"),
        ("search.limit", 1.5, "a whole number from 1 to 1000"),
        ("search.limit", True, "a whole number from 1 to 1000"),
        ("search.limit", 0, "a whole number from 1 to 1000"),
        ("search.limit", float("inf"), "a whole number from 1 to 1000"),
        ("search.min_score", 1.01, "a number from 0.0 to 1.0"),
        ("search.min_score", float("nan"), "a number from 0.0 to 1.0"),
        ("indexing.cpu_percent", 101, "a whole number from 1 to 100"),
        ("search.mode", "fuzzy", 'one of "hybrid", "semantic", "keyword"'),
        ("search.mode", ["hybrid"], 'one of "hybrid", "semantic", "keyword"'),
        ("indexing.exclude", "a", "a list of texts"),
        ("indexing.exclude", [1], "a list of texts"),
        ("indexing.languages", {".inc": 1}, "a table of texts"),
        ("search.tuning", {"alpha": "high"}, "a table of numbers"),
        ("search.tuning", {"alpha": True}, "a table of numbers"),
        ("store.url", 5, "a text"),
        ("hover.enabled", "yes", "true or false"),
        ("hover.enabled", 1, "true or false"),
    ],
)
def test_an_invalid_value_is_reported_and_the_default_stays(
    tmp_path: Path, key: str, value: object, wanted: str
) -> None:
    section, _, name = key.partition(".")
    settings, [problem] = load(tmp_path, {section: {name: value}, "log": {"level": "debug"}})
    assert f"`{key}` must be {wanted}, not " in problem
    assert settings.log.level == "debug"
    assert getattr(settings, section) == getattr(Settings(), section)


def test_an_invalid_value_leaves_the_value_of_the_earlier_source(tmp_path: Path) -> None:
    (tmp_path / WORKSPACE_FILE).write_text("[search]\nlimit = 7\n")
    assert load(tmp_path, {"search": {"limit": "many"}})[0].search.limit == 7


def test_the_error_names_a_section_that_is_not_a_table(tmp_path: Path) -> None:
    assert _problems(tmp_path, "search = 5\n") == [
        f"{tmp_path / WORKSPACE_FILE}: `search` must be a group of settings, not 5; it is not used."
    ]


def test_whole_numbers_may_come_as_json_floats_and_numbers_as_integers(tmp_path: Path) -> None:
    settings, problems = load(tmp_path, {"search": {"limit": 20.0, "min_score": 0, "tuning": {"alpha": 1}}})
    assert problems == []
    assert (settings.search.limit, settings.search.min_score, settings.search.tuning) == (
        20,
        0.0,
        {"alpha": 1.0},
    )
    assert isinstance(settings.search.limit, int)


def test_broken_toml_is_reported_with_file_and_line_and_others_apply(tmp_path: Path, user_file: Path) -> None:
    user_file.write_text("[search]\nlimit = 4\n")
    [problem] = _problems(tmp_path, "[search]\nlimit = = 2\n")
    assert str(tmp_path / WORKSPACE_FILE) in problem
    assert "line 2" in problem
    assert load(tmp_path)[0].search.limit == 4


@pytest.mark.parametrize("raw", [b"\xff\xfe[", b"a = " + b"[" * 100_000, b"#" * (1 << 21), b"[a]\n[a]\n"])
def test_no_file_content_can_break_loading(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / WORKSPACE_FILE).write_bytes(raw)
    settings, problems = load(tmp_path)
    assert settings == Settings()
    assert len(problems) == 1


def test_a_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / WORKSPACE_FILE).mkdir()
    settings, [problem] = load(tmp_path)
    assert settings == Settings()
    assert "cannot be read" in problem


_USER_ONLY: dict[str, dict[str, object]] = {
    "embedding": {"model": "someone/model", "allow_download": True},
    "store": {"url": "https://example.org"},
    "search": {"rerank_model": "someone/model", "history": False},
}


def test_a_workspace_cannot_make_the_server_download_or_read_elsewhere(
    tmp_path: Path, user_file: Path
) -> None:
    toml = "".join(
        f"[{section}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        for section, keys in _USER_ONLY.items()
    )
    problems = _problems(tmp_path, toml)
    assert load(tmp_path)[0] == Settings()
    assert len(problems) == 5
    assert all("only from your user settings or your editor" in problem for problem in problems)
    (tmp_path / WORKSPACE_FILE).unlink()
    user_file.write_text(toml)
    for settings, problems in (load(tmp_path), load(tmp_path, _USER_ONLY)):
        assert problems == []
        assert settings.embedding.model == settings.search.rerank_model == "someone/model"
        assert settings.store.url == "https://example.org"
        assert not settings.search.history


def test_the_user_only_keys_are_those_on_the_security_page() -> None:
    user_only = {key for key, facts in schema().items() if facts["scope"] == "user"}
    assert user_only == {f"{section}.{key}" for section, keys in _USER_ONLY.items() for key in keys}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
_KEYS = st.sampled_from([key.rpartition(".")[2] for key in schema()])


@given(
    st.dictionaries(
        st.sampled_from(list(SECTIONS)) | st.text(max_size=5), st.dictionaries(_KEYS, _JSON) | _JSON
    )
)
def test_any_editor_values_give_settings_within_their_limits(editor: dict[str, object]) -> None:
    settings, problems = load(None, editor)
    assert all(problem.startswith("Editor settings: `") for problem in problems)
    for key, facts in schema().items():
        section, _, name = key.partition(".")
        value = getattr(getattr(settings, section), name)
        assert "enum" not in facts or value in facts["enum"]
        assert "minimum" not in facts or facts["minimum"] <= value <= facts["maximum"]


def test_every_setting_is_described_and_its_default_is_allowed() -> None:
    for key, facts in schema().items():
        assert facts["description"].endswith("."), key
        section, _, name = key.partition(".")
        assert load(None, {section: {name: facts["default"]}}) == (Settings(), []), key


def test_the_settings_page_is_the_generated_one() -> None:
    assert _DOCS.read_text(encoding="utf-8") == markdown(schema()), (
        "run: python -m sightline.settings > docs/settings.md"
    )
