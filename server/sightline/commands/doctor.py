"""`sightline doctor`: checks that everything a search needs works on this machine."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sightline import __version__
from sightline.commands.console import paint, print_json, size
from sightline.errors import SightlineError
from sightline.location import cache_dir, disk_bytes, make_cache_dir
from sightline.names import COMMAND
from sightline.settings import tree as settings
from sightline.visible import visible

_PACKAGES = ("pygls", "chromadb", "fastembed", "tree-sitter", "tree-sitter-language-pack", "numpy")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    name: str
    ok: bool
    detail: str


def doctor(options: argparse.Namespace) -> int:
    """Run all checks and report what is wrong, with how to fix it."""
    findings = list(_findings())
    if options.json:
        print_json(findings)
    else:
        for finding in findings:
            mark = paint("ok ", "good") if finding.ok else paint("bad", "bad")
            print(f"{mark} {finding.name:10} {visible(finding.detail)}")
    return 0 if all(finding.ok for finding in findings) else 1


def _findings() -> Iterator[Finding]:
    yield Finding(
        COMMAND, True, f"{__version__} on Python {platform.python_version()}, {platform.platform()}"
    )
    yield _check("packages", _packages)
    yield _check("settings", _settings)
    yield _check("cache", _cache)
    yield _check("grammars", _grammars)
    yield _check("model", _model)
    yield _check("vectors", _vectors)


def _check(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, look())
    except (SightlineError, OSError, ImportError) as error:
        return Finding(name, False, str(error))


def _packages() -> str:
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in _PACKAGES)


def _settings() -> str:
    _, problems = settings.load(None)
    if problems:
        raise SightlineError(" ".join(problems))
    return f"{settings.user_file()} {'read' if settings.user_file().exists() else 'not found, defaults used'}"


def _cache() -> str:
    folder = cache_dir()
    make_cache_dir(folder)
    with tempfile.NamedTemporaryFile(dir=folder):
        pass
    free = shutil.disk_usage(folder).free
    return f"{folder} can be written, {size(disk_bytes(folder))} used, {size(free)} free"


def _grammars() -> str:
    from sightline.indexing.parsing.parse_file import parse_file
    from sightline.languages.table import LANGUAGES

    parsed = parse_file("def answer():\n    return 42\n", LANGUAGES["python"])
    if not parsed.symbols:
        raise SightlineError(
            "tree-sitter finds no symbols; install tree-sitter-language-pack>=0.13,<1 again."
        )
    return f"{len(LANGUAGES)} languages known"


def _model() -> str:
    from sightline.embedding import load_embedder

    chosen, _ = settings.load(None)
    embedder = load_embedder(chosen.embedding.model, cache_dir() / "models", False)
    return f"{embedder.id}, {len(embedder.embed_query('parse a date'))} dimensions"


def _vectors() -> str:
    from sightline.stores.vectors.chroma import ChromaStore

    with tempfile.TemporaryDirectory(prefix=f"{COMMAND}-doctor-") as folder:
        store = ChromaStore.open(Path(folder) / "chroma", "doctor", 8)
        store.close()
    return "Chroma opens and closes a store"
