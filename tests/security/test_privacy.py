"""Secrets stay out of the index, and only the owner can read the index."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.files import write_files
from tests.security.harness import Home

_CANARY = "canary_7f3a91_value"
_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----"
_SECRETS = {
    ".env": f"TOKEN={_CANARY}",
    ".env.production": f"TOKEN={_CANARY}",
    "config/prod.env": f"TOKEN={_CANARY}",
    ".netrc": f"machine a login b password {_CANARY}",
    ".aws/credentials": f"aws_secret_access_key = {_CANARY}",
    ".kube/config": f"token: {_CANARY}",
    ".docker/config.json": f'{{"auth": "{_CANARY}"}}',
    ".ssh/config": f"Host {_CANARY}",
    "deploy/id_ed25519": f"{_KEY}\n{_CANARY}",
    "deploy/server.pem": f"{_KEY}\n{_CANARY}",
    "deploy/key.txt": f"{_KEY}\n{_CANARY}",
    "deploy/account.json": f'{{"private_key": "-----BEGIN PRIVATE KEY {_CANARY}"}}',
    "terraform.tfstate": f'{{"password": "{_CANARY}"}}',
    ".npmrc": f"//registry/:_authToken={_CANARY}",
    ".pypirc": f"password = {_CANARY}",
    ".git-credentials": f"https://user:{_CANARY}@host",
    ".env~": f"TOKEN={_CANARY}",
    "deploy/kubeconfig": f"token: {_CANARY}",
    "deploy/credentials": f"password = {_CANARY}",
    "docker/config.json": f'{{"auths": {{"host": {{"auth": "{_CANARY}"}}}}}}',
    ".bash_history": f"login --password {_CANARY}",
    "deploy/bag.txt": f"Bag Attributes {_CANARY}\n{_KEY}\n{'MIIE' * 16}\n-----END OPENSSH PRIVATE KEY-----\n",
}


def _files_containing(text: str, folder: Path) -> list[str]:
    """The files below a folder whose bytes contain a text."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if text.encode() in path.read_bytes()]


def test_no_part_of_a_secret_gets_into_the_index(home: Home, project: Path) -> None:
    write_files(project, _SECRETS)
    home.set("[search]\nexact_limit = 0\n")
    assert all(hit["path"] not in _SECRETS for hit in home.search(_CANARY, project))
    assert _files_containing("charge_credit_card", home.cache)
    assert _files_containing(_CANARY, home.cache) == []


def test_a_workspace_file_cannot_make_a_secret_indexed(home: Home, project: Path) -> None:
    write_files(project, _SECRETS)
    write_files(project, {".sightlineignore": "!.env\n!*\n", ".gitignore": "!.env\n"})
    home.search(_CANARY, project)
    assert _files_containing(_CANARY, home.cache) == []


def test_source_with_secret_only_in_its_name_is_indexed(home: Home, project: Path) -> None:
    write_files(project, {"src/secret_santa.py": "def draw_lots(names):\n    return sorted(names)\n"})
    assert home.search("draw_lots", project)[0]["path"] == "src/secret_santa.py"


def test_a_file_that_becomes_a_secret_leaves_the_index(home: Home, project: Path) -> None:
    write_files(project, {"deploy/key.txt": f"nothing_yet {_CANARY}\n"})
    assert home.search(_CANARY, project)[0]["path"] == "deploy/key.txt"
    write_files(project, {"deploy/key.txt": _SECRETS["deploy/key.txt"]})
    assert all(hit["path"] != "deploy/key.txt" for hit in home.search(_CANARY, project))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes; folders of the profile are private there")
def test_every_file_and_folder_of_an_index_is_private(home: Home, project: Path) -> None:
    home.set("[search]\nexact_limit = 0\n")
    open_to_all = ("sh", "-c", 'umask 0; exec "$0" "$@"')
    for _ in range(2):
        home.search("credit card", project, before=open_to_all)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in home.cache.rglob("*")}
    loose = {str(path.relative_to(home.cache)): oct(mode) for path, mode in modes.items() if mode & 0o077}
    assert {"catalog.sqlite", "lock", "chroma", "chroma.sqlite3"} <= {path.name for path in modes}
    assert loose == {}


def test_clearing_the_index_deletes_all_its_files(home: Home, project: Path) -> None:
    home.search("credit card", project)
    assert home.run("clear", project).returncode == 0
    assert _files_containing("charge_credit_card", home.cache) == []
