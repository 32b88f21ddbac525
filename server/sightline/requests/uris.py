"""Converts between file URIs and paths, and keeps the client's spelling of its folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from sightline.platforms import is_windows

_DRIVE = re.compile(r"^/[A-Za-z]:")
_ON_WINDOWS = is_windows()


def to_path(uri: str, windows: bool = _ON_WINDOWS) -> str | None:
    """The file-system path of a file URI, or None for anything that is not a local file."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path)
    if parts.scheme != "file" or not path or "\0" in path:
        return None
    host = unquote(parts.netloc)
    if windows:
        return _windows_path(host, path)
    return path if host in ("", "localhost") and path.startswith("/") else None


def _windows_path(host: str, path: str) -> str:
    if host not in ("", "localhost"):
        return f"//{host}{path}".replace("/", "\\")
    if _DRIVE.match(path):
        # VS Code sends c%3A, other clients C: for the same drive.
        path = path[1].upper() + path[2:]
    return path.replace("/", "\\")


def from_path(path: str, windows: bool = _ON_WINDOWS) -> str:
    """The file URI of an absolute path."""
    if windows:
        path = path.replace("\\", "/")
        if path.startswith("//"):
            return "file:" + quote(path)
        path = path if path.startswith("/") else "/" + path
        return "file://" + path[:3] + quote(path[3:])
    return "file://" + quote(path)


def resolved(path: str) -> Path:
    """The path without links; one that cannot be resolved (a loop) stays as it is."""
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError):
        return Path(path)


class Roots:
    """The workspace folders: the client's URI of each, and its real path."""

    def __init__(self) -> None:
        """Start without folders."""
        # Keyed by path as text, as in hits: creating a Path for each hit costs more than the rest.
        self._uri_of: dict[str, str] = {}
        self._spelled: dict[Path, Path] = {}

    def add(self, uri: str) -> Path | None:
        """Add a folder; None if the URI is not a local file."""
        text = to_path(uri)
        if text is None:
            return None
        root = resolved(text)
        self._uri_of[str(root)] = uri
        self._spelled[Path(os.path.normpath(text))] = root
        return root

    def remove(self, uri: str) -> Path | None:
        """Remove a folder; None if it was not one of ours."""
        root = self.root(uri)
        if root is not None:
            del self._uri_of[str(root)]
            self._spelled = {path: to for path, to in self._spelled.items() if to != root}
        return root

    def root(self, uri: str) -> Path | None:
        """The folder with this URI, in any spelling."""
        text = to_path(uri)
        if text is None:
            return None
        root = self._spelled.get(Path(os.path.normpath(text))) or resolved(text)
        return root if str(root) in self._uri_of else None

    def __iter__(self) -> Iterator[Path]:
        """The real paths of the folders, in the order they were added."""
        return map(Path, tuple(self._uri_of))

    def uris(self) -> list[str]:
        """The client's URIs of the folders."""
        return list(self._uri_of.values())

    def locate(self, uri: str) -> Path | None:
        """The real path of a document, resolved through the client's spelling of its folder."""
        text = to_path(uri)
        if text is None:
            return None
        # Normalise dots first, or a URI could leave a folder and still appear to be inside it.
        path = Path(os.path.normpath(text))
        for spelled, root in self._spelled.items():
            if path.is_relative_to(spelled):
                return root / path.relative_to(spelled)
        return resolved(text)

    def holding(self, path: Path) -> Path | None:
        """The innermost folder that contains a real path."""
        inside = [root for root in self if path.is_relative_to(root)]
        return max(inside, key=lambda root: len(root.parts), default=None)

    def folder_uri(self, root: str) -> str:
        """The client's URI of a folder, or a plain one for a folder the client never named."""
        return self._uri_of.get(root) or from_path(root)

    def uri(self, root: str, path: str) -> str:
        """The URI of a file in a folder, in the client's spelling of the folder."""
        return f"{self.folder_uri(root).removesuffix('/')}/{quote(path)}"
