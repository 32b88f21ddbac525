"""Which files a walk finds, which it skips, and why."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from sightline.errors import Cancelled, IndexUnavailable
from sightline.indexing.discovery.discover import (
    FoundFile,
    Ignore,
    Skipped,
    is_ignore_file,
    scan,
)
from sightline.settings.tree import IndexingSettings
from tests.files import write_files

_DEFAULTS = IndexingSettings()
_SECRETS = """
    .env .env.local .envrc prod.env deploy/id_rsa server.pem tls.key a.p12 a.pfx a.jks a.keystore .netrc
    .aws/credentials .kube/config .git-credentials .htpasswd vault.kdbx terraform.tfstate
    terraform.tfstate.backup .ssh/known_hosts ID_RSA
    .env~ .env.bak #.env# .#.env .env.~1~ .env(1) .env-copy deploy/id_rsa.old id_ed25519~ server.pem.bak
    tls.key.orig .netrc.save prod.env.1 kubeconfig ci/kubeconfig.yaml admin.kubeconfig kubeconfig.bak
    credentials config/credentials credentials.json .credentials credentials~ .dockerconfigjson
    .bash_history .zsh_history .python_history .node_repl_history .psql_history fish_history .zhistory
    .viminfo
"""
_NO_SECRETS = """
    secret_store.py secrets.py credentials.go keys.rs environment.ts env.py password.html .env.example
    .env.sample .env.template example.env src/config id_rsa.md private_key.py monkey.py key token.c
    .npmrc .env.example~ example.env.bak credentials.py credentials.rs credentials_test.go history.py
    bash_history.c main.py~ copy.py config.json docker/config.json kubeconfig.go old.py key.old
"""


@pytest.fixture(autouse=True)
def _no_personal_git_configuration(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)


def _tree(root: Path, files: Mapping[str, str] | list[str]) -> None:
    write_files(root, files if isinstance(files, Mapping) else dict.fromkeys(files, "x"))


def _found(root: Path, rules: IndexingSettings = _DEFAULTS) -> list[str]:
    return [
        item.path
        for item in scan(root, rules)
        if isinstance(item, FoundFile) and not is_ignore_file(item.path)
    ]


def _skipped(root: Path, rules: IndexingSettings = _DEFAULTS) -> dict[str, str]:
    return {item.path: item.reason for item in scan(root, rules) if isinstance(item, Skipped)}


def test_a_found_file_has_its_size_and_time(tmp_path: Path) -> None:
    _tree(tmp_path, {"src/a.py": "print()"})
    stat = (tmp_path / "src/a.py").stat()
    assert list(scan(tmp_path, IndexingSettings())) == [FoundFile("src/a.py", 7, stat.st_mtime_ns)]


def test_the_order_is_the_same_every_time(tmp_path: Path) -> None:
    _tree(tmp_path, ["b/2", "b/1", "a/z", "c", "a/y/x"])
    assert _found(tmp_path) == ["c", "a/z", "a/y/x", "b/1", "b/2"]


def test_folders_named_with_common_english_words_are_indexed(tmp_path: Path) -> None:
    files = [
        f"{name}/a.py"
        for name in ("bin", "build", "coverage", "dist", "env", "out", "output", "target", "vendor")
    ]
    _tree(tmp_path, files)
    assert _found(tmp_path) == files


def test_packages_caches_and_version_control_are_skipped(tmp_path: Path) -> None:
    hidden = [".git", ".hg", ".venv", "__pycache__", "node_modules", "pkg.egg-info"]
    _tree(tmp_path, ["a.py", *(f"{name}/b.py" for name in hidden)])
    assert _found(tmp_path) == ["a.py"]
    assert _skipped(tmp_path) == dict.fromkeys(hidden, "noise")


@pytest.mark.parametrize(
    ("beside", "folder"),
    [
        ("Cargo.toml", "target"),
        ("pom.xml", "target"),
        ("build.gradle.kts", "build"),
        ("package.json", "dist"),
        ("App.csproj", "obj"),
        ("mix.exs", "deps"),
    ],
)
def test_build_output_is_recognised_by_the_project_file_beside_it(
    tmp_path: Path, beside: str, folder: str
) -> None:
    _tree(tmp_path, [f"project/{beside}", f"project/{folder}/made.c", f"other/{folder}/written.c"])
    assert _found(tmp_path) == [f"other/{folder}/written.c", f"project/{beside}"]


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "CACHEDIR.TAG", "CMakeCache.txt", "conda-meta/history"])
def test_a_folder_is_recognised_by_the_marker_file_inside(tmp_path: Path, mark: str) -> None:
    _tree(tmp_path, ["env/lib/a.py", f"env/{mark}", "src/a.py"])
    assert _found(tmp_path) == ["src/a.py"]
    assert _skipped(tmp_path) == {"env": "noise"}


def test_gitignore_is_applied_without_a_repository(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "*.log\n!keep.log\n", "a.log": "", "keep.log": "", "src/b.log": ""})
    assert _found(tmp_path) == ["keep.log"]
    assert _skipped(tmp_path) == {"a.log": "ignored", "src/b.log": "ignored"}


def test_gitignore_can_be_disabled(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "*.log\n", "a.log": ""})
    assert _found(tmp_path, IndexingSettings(use_gitignore=False)) == ["a.log"]


def test_only_sightlineignore_can_include_files_of_an_ignored_folder(tmp_path: Path) -> None:
    _tree(
        tmp_path,
        {".gitignore": "gen/\n!gen/keep.py\n", "gen/keep.py": "", "gen/other.py": "", "gen/d/x.py": ""},
    )
    assert _found(tmp_path) == []
    _tree(tmp_path, {".sightlineignore": "!gen/keep.py\n!/gen/d/\n"})
    assert _found(tmp_path) == ["gen/keep.py", "gen/d/x.py"]


def test_sightlineignore_is_applied_at_every_level(tmp_path: Path) -> None:
    _tree(
        tmp_path,
        {
            ".sightlineignore": "fixtures/\n*.snap\n",
            "src/.sightlineignore": "!keep.snap\nold.py\n",
            "old.py": "",
        },
    )
    _tree(tmp_path, ["fixtures/a.py", "a.snap", "src/keep.snap", "src/old.py", "src/a.snap"])
    assert _found(tmp_path) == ["old.py", "src/keep.snap"]


def test_a_name_pattern_includes_files_of_visible_folders_only(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "*.pb.go\n", ".sightlineignore": "!*.pb.go\n"})
    _tree(tmp_path, ["api/a.pb.go", "node_modules/x/b.pb.go"])
    assert _found(tmp_path) == ["api/a.pb.go"]


def test_the_walk_enters_an_ignored_folder_only_as_far_as_needed(tmp_path: Path) -> None:
    _tree(tmp_path, ["node_modules/mine/src/a.js", "node_modules/other/b.js", "node_modules/mine/lib/c.js"])
    rules = IndexingSettings(include=("node_modules/mine/src/**",))
    assert _found(tmp_path, rules) == ["node_modules/mine/src/a.js"]
    assert _skipped(tmp_path, rules) == {"node_modules/other": "noise", "node_modules/mine/lib": "noise"}


def test_rules_about_the_files_of_an_included_folder_still_apply(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "vendor/\n*.log\n", ".sightlineignore": "!vendor/\n"})
    _tree(tmp_path, ["vendor/a.go", "vendor/a.log", "vendor/node_modules/b.js"])
    assert _found(tmp_path) == ["vendor/a.go"]


def test_exclude_overrides_include_and_include_overrides_ignore_files(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "a/\n", ".sightlineignore": "b/\n"})
    _tree(tmp_path, ["a/1.py", "a/2.py", "b/1.py", "c/1.py"])
    rules = IndexingSettings(include=("a/", "/b"), exclude=("2.py", "c/"))
    assert _found(tmp_path, rules) == ["a/1.py", "b/1.py"]
    assert _skipped(tmp_path, rules) == {"a/2.py": "excluded", "c": "excluded"}


def test_version_control_folders_can_never_be_included(tmp_path: Path) -> None:
    _tree(tmp_path, {".sightlineignore": "!.git/\n!.git/config\n", ".git/config": ""})
    assert _found(tmp_path, IndexingSettings(include=(".git/**",))) == []


def test_a_whitelist_includes_no_noise_folder_unless_it_names_it(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "*\n!*/\n!*.js\n", "node_modules/a.js": "", "b.js": "", "c.txt": ""})
    assert _found(tmp_path) == ["b.js"]
    _tree(tmp_path, {".gitignore": "!node_modules/\n"})
    assert _found(tmp_path) == ["b.js", "c.txt", "node_modules/a.js"]


def test_info_exclude_and_the_configured_global_file_are_read(tmp_path: Path) -> None:
    Path(os.environ["HOME"], ".gitconfig").write_text(
        '[user]\n\tname = x\n[core]\n\texcludesFile = "~/mine"\n'
    )
    Path(os.environ["HOME"], "mine").write_text("*.orig\n")
    _tree(tmp_path, {".git/info/exclude": "/scratch\n", "scratch/a": "", "b.orig": "", "c": ""})
    assert _found(tmp_path) == ["c"]


def test_a_folder_that_its_repository_ignores_can_still_be_opened(tmp_path: Path) -> None:
    _tree(tmp_path, {".git/HEAD": "", ".gitignore": "*.log\n", "tmp/.gitignore": "*\n", "tmp/mine/a.py": ""})
    _tree(tmp_path, ["src/b.py", "src/b.log"])
    assert _found(tmp_path / "tmp" / "mine") == ["a.py"]
    assert _found(tmp_path / "src") == ["b.py"]


def test_a_submodule_is_indexed_also_in_a_second_checkout(tmp_path: Path) -> None:
    _tree(tmp_path, {"sub/.git": "gitdir: /repo/.git/worktrees/w/modules/sub\n", "sub/a.py": ""})
    assert _found(tmp_path) == ["sub/a.py"]


def test_a_nested_repository_uses_its_own_rules(tmp_path: Path) -> None:
    _tree(
        tmp_path,
        {".gitignore": "*.gen\n", ".git/HEAD": "", "sub/.git/HEAD": "", "sub/a.gen": "", "b.gen": ""},
    )
    assert _found(tmp_path) == ["sub/a.gen"]


def test_a_second_checkout_of_the_same_repository_is_not_indexed_twice(tmp_path: Path) -> None:
    environment = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (
        ["init", "-q"],
        ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "first"],
        ["worktree", "add", "-q", "trees/feature"],
    ):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True, env=environment)
    _tree(tmp_path, ["a.py", "trees/feature/a.py"])
    assert _found(tmp_path) == ["a.py"]
    assert _found(tmp_path / "trees/feature") == ["a.py"]


def test_info_exclude_applies_in_other_work_trees(tmp_path: Path) -> None:
    _tree(tmp_path, {"main/.git/info/exclude": "*.tmp\n", "main/.git/worktrees/w/commondir": "../..\n"})
    _tree(tmp_path, {"w/.git": f"gitdir: {tmp_path}/main/.git/worktrees/w\n", "w/a.tmp": "", "w/b.py": ""})
    assert _found(tmp_path / "w") == ["b.py"]


@pytest.mark.parametrize("path", _SECRETS.split())
def test_no_setting_can_include_secrets(tmp_path: Path, path: str) -> None:
    _tree(tmp_path, [path])
    assert _skipped(tmp_path, IndexingSettings(include=("**", path))) == {path: "secret"}


@pytest.mark.parametrize("path", _NO_SECRETS.split())
def test_source_with_a_name_like_a_secret_is_indexed(tmp_path: Path, path: str) -> None:
    _tree(tmp_path, [path])
    assert _found(tmp_path) == [path]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("package-lock.json", "lockfile"),
        ("sub/Cargo.lock", "lockfile"),
        ("go.sum", "lockfile"),
        ("jquery.min.js", "minified"),
        ("app.js.map", "minified"),
        ("logo.PNG", "binary"),
        ("lib.so", "binary"),
    ],
)
def test_lockfiles_bundles_and_binaries_are_recognised_by_name(
    tmp_path: Path, path: str, reason: str
) -> None:
    _tree(tmp_path, [path])
    assert _skipped(tmp_path) == {path: reason}


def test_a_file_over_the_limit_is_too_large(tmp_path: Path) -> None:
    _tree(tmp_path, {"a.py": "x" * 10, "b.py": "x" * 11})
    assert _found(tmp_path, IndexingSettings(max_file_bytes=10)) == ["a.py"]
    assert _skipped(tmp_path, IndexingSettings(max_file_bytes=10)) == {"b.py": "too large"}


def test_links_are_not_followed_so_a_linked_file_is_found_once(tmp_path: Path) -> None:
    root = tmp_path / "root"
    _tree(tmp_path, ["root/real/a.py", "elsewhere/b.py"])
    (root / "alias").symlink_to(root / "real", target_is_directory=True)
    (root / "away").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (root / "real" / "loop").symlink_to(root, target_is_directory=True)
    (root / "b.py").symlink_to(tmp_path / "elsewhere" / "b.py")
    (root / "broken").symlink_to(root / "gone")
    assert _found(root) == ["real/a.py"]
    expected = {"alias": "duplicate", "away": "outside", "real/loop": "duplicate", "b.py": "outside"}
    assert _skipped(root) == {**expected, "broken": "duplicate"}
    ignore = Ignore(root, IndexingSettings())
    assert ignore.reason("alias/a.py") == "duplicate"
    assert ignore.reason("away/b.py") == "outside"


def test_a_root_that_is_a_link_is_walked(tmp_path: Path) -> None:
    _tree(tmp_path, ["real/a.py"])
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    assert _found(tmp_path / "link") == ["a.py"]


@pytest.mark.parametrize("path", ["", ".", "..", "../a.py", "a/../../b", "/etc/passwd", "a//b", "a/./b"])
def test_a_path_that_leaves_the_folder_is_outside(tmp_path: Path, path: str) -> None:
    assert Ignore(tmp_path, IndexingSettings()).reason(path) == "outside"


def test_the_rules_apply_to_a_deleted_path(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "gone/\n"})
    ignore = Ignore(tmp_path, IndexingSettings())
    assert ignore.reason("gone/a.py") == "ignored"
    assert ignore.reason("never/was/a.py") is None
    assert ignore.reason("node_modules", is_dir=True) == "noise"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and such file names need Unix")
def test_pipes_and_names_in_another_encoding_are_unreadable(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.py")).touch()
    except OSError:
        pytest.skip("this file system allows only UTF-8 names")
    assert _skipped(tmp_path) == {"pipe.py": "unreadable", "caf?.py": "unreadable"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root can read everything")
def test_a_folder_without_permission_is_unreadable_and_the_rest_is_found(tmp_path: Path) -> None:
    _tree(tmp_path, ["closed/a.py", "open/b.py"])
    (tmp_path / "closed").chmod(0)
    try:
        assert _found(tmp_path) == ["open/b.py"]
        assert _skipped(tmp_path) == {"closed": "unreadable"}
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_root_that_is_not_a_folder_is_an_error(tmp_path: Path) -> None:
    _tree(tmp_path, ["file"])
    for root in (tmp_path / "gone", tmp_path / "file"):
        with pytest.raises(IndexUnavailable, match=root.name):
            list(scan(root, IndexingSettings()))


def test_a_cancelled_walk_is_not_reported_as_complete(tmp_path: Path) -> None:
    _tree(tmp_path, ["a/b", "c"])
    with pytest.raises(Cancelled):
        list(scan(tmp_path, IndexingSettings(), cancelled=lambda: True))


def test_a_pattern_with_many_wildcards_is_fast(tmp_path: Path) -> None:
    _tree(
        tmp_path,
        {".gitignore": "*a" * 40 + "b\n" + "**/a/" * 40 + "b\n", "a" * 200: "", "/".join("a" * 100): ""},
    )
    assert len(_found(tmp_path)) == 2


@pytest.mark.parametrize(
    "text", ["[", "\\", "a\\", "[z-a]", "!", "/", "//", "\x00", "[[:alpha:]", "***/***", "\udcff"]
)
def test_an_invalid_pattern_does_not_stop_the_walk(tmp_path: Path, text: str) -> None:
    _tree(tmp_path, ["q.py"])
    (tmp_path / ".gitignore").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert _found(tmp_path) in (["q.py"], [])


def test_files_whose_change_requires_a_new_walk_are_recognised() -> None:
    assert all(
        map(is_ignore_file, [".gitignore", "a/.sightlineignore", ".git/info/exclude", "env/pyvenv.cfg"])
    )
    assert not any(map(is_ignore_file, ["a.py", "gitignore", "exclude", "info/exclude"]))
