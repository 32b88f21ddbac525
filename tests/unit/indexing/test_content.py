"""The result of reading one file."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest
import xxhash
from hypothesis import assume, given
from hypothesis import strategies as st

from sightline.indexing.content import Content, decode, digest_of, read
from sightline.indexing.discovery.skips import Skipped

_LIMIT = 1 << 20


def _read(root: Path, raw: bytes, name: str = "file.txt", limit: int = _LIMIT) -> Content | Skipped:
    (root / name).write_bytes(raw)
    return read(root, name, limit)


def _content(root: Path, raw: bytes, name: str = "file.txt") -> Content:
    content = _read(root, raw, name)
    assert isinstance(content, Content)
    return content


def _reason(root: Path, raw: bytes, name: str = "file.txt", limit: int = _LIMIT) -> str:
    skipped = _read(root, raw, name, limit)
    assert isinstance(skipped, Skipped)
    return skipped.reason


def test_content_has_text_digest_size_and_time(tmp_path: Path) -> None:
    raw = "größe = 1\r\nb\n".encode()
    content = _content(tmp_path, raw)
    assert content.text == "größe = 1\r\nb\n"
    assert content.digest == xxhash.xxh3_128_digest(raw)
    assert (content.size, content.encoding, content.note) == (len(raw), "utf-8", "")
    assert content.mtime_ns == (tmp_path / "file.txt").stat().st_mtime_ns


def test_a_file_whose_size_the_system_does_not_know_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file.txt").write_bytes(b"whole\ntext\n")
    known = os.fstat

    def without_size(descriptor: int) -> os.stat_result:
        return os.stat_result((*known(descriptor)[:6], 0, *known(descriptor)[7:]))

    monkeypatch.setattr("sightline.indexing.content.os.fstat", without_size)
    content = read(tmp_path, "file.txt", _LIMIT)
    assert isinstance(content, Content)
    assert content.text == "whole\ntext\n"


def test_an_empty_file_has_empty_text(tmp_path: Path) -> None:
    assert _content(tmp_path, b"").text == ""


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    content = _content(tmp_path, b"\xef\xbb\xbfint x;")
    assert (content.text, content.encoding) == ("int x;", "utf-8-bom")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_has_the_same_digest_with_and_without_a_mark(tmp_path: Path, encoding: str) -> None:
    text = "größe = 1\r\n"
    assert _content(tmp_path, text.encode(encoding)).digest == digest_of(text)


def test_a_text_in_a_guessed_encoding_has_a_different_digest(tmp_path: Path) -> None:
    # Saved again in UTF-8 it is the same text, but the note about the guess has to go.
    assert _content(tmp_path, "größe".encode("latin-1")).digest != digest_of("größe")


@pytest.mark.parametrize("byte_order", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_a_mark_is_text_though_it_has_nul_bytes(tmp_path: Path, byte_order: str) -> None:
    content = _content(tmp_path, "\ufeffclass Ä {}".encode(byte_order))
    assert (content.text, content.encoding) == ("class Ä {}", "utf-16")


def test_other_bytes_are_read_as_latin_1_with_a_note(tmp_path: Path) -> None:
    content = _content(tmp_path, b"caf\xe9 = 1")
    assert (content.text, content.encoding) == ("café = 1", "latin-1")
    assert "byte 3" in content.note


@pytest.mark.parametrize(
    "raw",
    [
        b"\x7fELF\x00\x00",
        b"text" * 100 + b"\0",
        bytes(range(1, 32)) * 9,
        b"\xff\xfe\0\0x\0\0\0",
        "x".encode("utf-16-le"),
    ],
)
def test_nul_or_many_control_characters_mean_binary(tmp_path: Path, raw: bytes) -> None:
    assert _reason(tmp_path, raw) == "binary"


def test_terminal_colours_and_page_breaks_are_text(tmp_path: Path) -> None:
    assert _content(tmp_path, b"\x1b[1mbold\x1b[0m\n\x0c\nnext page\n").encoding == "utf-8"


def test_a_file_over_the_limit_is_too_large_and_one_at_the_limit_is_not(tmp_path: Path) -> None:
    assert _reason(tmp_path, b"x" * 11, limit=10) == "too large"
    assert isinstance(_read(tmp_path, b"x" * 10, limit=10), Content)


def test_code_on_very_long_lines_is_minified_and_prose_on_long_lines_is_not(tmp_path: Path) -> None:
    line = b"function a(){return 1};" * 200
    assert _reason(tmp_path, line, "app.js") == "minified"
    assert _reason(tmp_path, line, "style.css") == "minified"
    assert isinstance(_read(tmp_path, line, "notes.md"), Content)
    assert isinstance(_read(tmp_path, b"const a = 1;\n" * 1000, "app.js"), Content)


@pytest.mark.parametrize(
    "head",
    [
        "RSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ],
)
def test_a_private_key_is_a_secret_under_any_name(tmp_path: Path, head: str) -> None:
    assert _reason(tmp_path, f"-----BEGIN {head}-----\nMIIE\n".encode(), "notes.txt") == "secret"


def test_source_that_mentions_private_keys_is_indexed(tmp_path: Path) -> None:
    source = b'PREFIX = "-----BEGIN RSA PRIVATE KEY-----"\n'
    assert isinstance(_read(tmp_path, source, "pem.py"), Content)


_BODY = ("MIIEpAIBAAKCAQEA7yn3bRHQ5CdDzm0qHgY6uJ5fG1ZkqkEw\n" * 20).encode()
_KEY = b"-----BEGIN RSA PRIVATE KEY-----\n" + _BODY + b"-----END RSA PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("server", b"Bag Attributes\n    friendlyName: x\n" + _KEY),
        ("notes.txt", b"the key of the build machine:\r\n" + _KEY.replace(b"\n", b"\r\n")),
        ("secret.yaml", b"apiVersion: v1\ndata:\n  tls: |\n" + _KEY.replace(b"\n", b"\n    ") + b"\n"),
        ("client.ovpn", b"client\nremote host\n" * 200 + b"<key>\n" + _KEY + b"</key>\n"),
        ("deploy.py", b'KEY = """\n' + _KEY + b'"""\n'),
        ("old.txt", b"a note\nPuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 8\n"),
        ("config.json", b'{"auths": {"https://index.docker.io/v1/": {"auth": "dXNlcjpwYXNz"}}}'),
        (
            "admin.conf",
            b"users:\n- user:\n    client-key-data: " + b"LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ==",
        ),
        (".npmrc.bak", b"//registry/:_authToken=abc\n"),
    ],
)
def test_a_key_or_a_login_after_other_text_is_a_secret(tmp_path: Path, name: str, raw: bytes) -> None:
    assert _reason(tmp_path, raw, name) == "secret"


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        (
            "pem_test.go",
            b"package pem\n" + b"func TestDecode() {}\n" * 200 + b"const k = `\n" + _KEY + b"`\n",
        ),
        ("notes.txt", b"a file that begins with\n-----BEGIN RSA PRIVATE KEY-----\nis a key\n"),
        ("config.json", b'{"auths": {}, "HttpHeaders": {"User-Agent": "x"}}'),
        ("deployment.yaml", b"client-key-data: REDACTED\n"),
    ],
)
def test_text_about_keys_and_logins_is_indexed(tmp_path: Path, name: str, raw: bytes) -> None:
    assert isinstance(_read(tmp_path, raw, name), Content)


def test_a_text_with_many_starts_of_keys_is_read_in_linear_time(tmp_path: Path) -> None:
    # Quadratic time would be minutes; the suite's time limit ends the test.
    lines = b"-----BEGIN RSA PRIVATE KEY-----\n" * 15_000 + b"PuTTY-User-Key-File-2\n" * 15_000
    assert isinstance(_read(tmp_path, b"x\n" + lines, "keys.py"), Content)


def test_a_client_configuration_with_tokens_is_a_secret(tmp_path: Path) -> None:
    assert _reason(tmp_path, b"//registry/:_authToken=abc\n", ".npmrc") == "secret"
    assert isinstance(_read(tmp_path, b"save-exact=true\n", ".npmrc"), Content)
    assert _reason(tmp_path, b"[pypi]\npassword = x\n", ".pypirc") == "secret"
    key = b'{"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----"}'
    assert _reason(tmp_path, key, "account.json") == "secret"


def test_a_missing_file_or_a_folder_is_unreadable(tmp_path: Path) -> None:
    assert read(tmp_path, "gone.py", _LIMIT) == Skipped("gone.py", "unreadable")
    (tmp_path / "folder").mkdir()
    assert read(tmp_path, "folder", _LIMIT) == Skipped("folder", "unreadable")
    assert read(tmp_path, "nul\0byte", _LIMIT) == Skipped("nul\0byte", "unreadable")


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes and modes need Unix")
def test_reading_a_named_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert read(tmp_path, "pipe.py", _LIMIT) == Skipped("pipe.py", "unreadable")


def test_a_file_that_changes_while_it_is_read_gives_one_whole_version(tmp_path: Path) -> None:
    path = tmp_path / "busy.txt"
    path.write_text("0" * 5000)
    done = threading.Event()

    def rewrite() -> None:
        for number in range(300):
            fresh = tmp_path / "fresh.txt"
            fresh.write_text(str(number % 10) * (5000 + number))
            os.replace(fresh, path)
        done.set()

    writer = threading.Thread(target=rewrite)
    writer.start()
    while not done.is_set():
        content = read(tmp_path, "busy.txt", _LIMIT)
        # On Windows a file that is being replaced cannot be opened for a moment.
        if isinstance(content, Content):
            assert len(set(content.text)) == 1
            assert content.size == len(content.text)
    writer.join()


@given(st.binary(max_size=300))
def test_any_bytes_decode_to_text_that_can_be_stored(raw: bytes) -> None:
    text, encoding, note = decode(raw)
    text.encode("utf-8")
    assert bool(note) == (encoding == "latin-1")


@given(st.text(max_size=300))
def test_utf_8_text_is_read_unchanged(text: str) -> None:
    assume(not text.startswith("\ufeff"))
    assert decode(text.encode("utf-8"))[0] == text
