"""Detects credentials by a file's text, whatever its name."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEGIN = re.compile(r"^[ \t]*-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[ \t\r]*$", re.MULTILINE)
_END = "-----END "
_BASE64 = re.compile(r"[A-Za-z0-9+/]{32}")
_AT_START = re.compile(r"\s*(-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|PuTTY-User-Key-File-)")
# A key may follow other text; in source code it may be a sample, so there it must be most of the file.
_NOT_SOURCE = re.compile(r"(?:^\.?[^.]*|\.(?:txt|conf|cfg|ini|ya?ml|json|toml|ovpn|crt|cer|log))$")
_MOST = 0.5

_SERVICE_ACCOUNT = re.compile(r'"private_key"\s*:\s*"-----BEGIN')
_DOCKER_LOGIN = re.compile(r'"(auth|identitytoken|registrytoken)"\s*:\s*"[^"]')
_KUBERNETES_KEY = re.compile(r"\bclient-key-data[\"']?:\s*[\"']?[A-Za-z0-9+/]{40}")
_TOKENS = {
    ".npmrc": re.compile(r"_auth(Token)?\s*=|_password\s*="),
    ".pypirc": re.compile(r"password\s*[:=]"),
}


def holds_secret(name: str, text: str) -> bool:
    """Whether a file holds credentials; `name` is in lower case, without the marks of a copy."""
    if _is_private_key(name, text):
        return True
    if name.endswith(".json") and (_SERVICE_ACCOUNT.search(text) or _is_docker_login(text)):
        return True
    if "client-key-data" in text and _KUBERNETES_KEY.search(text):
        return True
    return name in _TOKENS and _TOKENS[name].search(text) is not None


def _is_docker_login(text: str) -> bool:
    return '"auths"' in text and _DOCKER_LOGIN.search(text) is not None


def _is_private_key(name: str, text: str) -> bool:
    if _AT_START.match(text) or ("\nPuTTY-User-Key-File-" in text and "\nPrivate-Lines:" in text):
        return True
    if "PRIVATE KEY" not in text:
        return False
    keys = sum(end - start for start, end in _keys(text))
    return keys > 0 and (keys > len(text) * _MOST or _NOT_SOURCE.search(name) is not None)


def _keys(text: str) -> Iterator[tuple[int, int]]:
    """Where there are keys: a header line, text that looks like a key, and a footer line."""
    at = 0
    while begin := _BEGIN.search(text, at):
        at = text.find(_END, begin.end())
        if at < 0:
            at = len(text)
        if _BASE64.search(text, begin.end(), at):
            yield begin.start(), at
