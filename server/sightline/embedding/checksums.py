"""The manifest beside the packaged weights: the name of the model and the hashes of its files."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from sightline.embedding.embedder import ModelUnavailable
from sightline.names import PRODUCT

MANIFEST = "manifest.json"
_REMEDY = f"Search uses keywords only until {PRODUCT} is reinstalled or embedding.model names another model."


class Manifest(NamedTuple):
    """Name of the packaged model and the sha256 of each of its files."""

    name: str
    files: dict[str, str]

    @property
    def id(self) -> str:
        """An id that changes whenever any file of the model changes."""
        together = "".join(f"{name}={digest}\n" for name, digest in sorted(self.files.items()))
        return f"{self.name}:{hashlib.sha256(together.encode()).hexdigest()[:12]}"


def sha256_of(path: Path) -> str:
    """Hash a file without holding all of it in memory."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_manifest(folder: Path, name: str, files: list[str]) -> Manifest:
    """Write the manifest of a newly built model."""
    manifest = Manifest(name, {file: sha256_of(folder / file) for file in sorted(files)})
    text = json.dumps({"name": manifest.name, "files": manifest.files}, indent=2)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return manifest


def verified_manifest(folder: Path) -> Manifest:
    """Return the manifest of a folder whose files are exactly what it lists."""
    manifest = _read_manifest(folder)
    for name, expected in manifest.files.items():
        try:
            actual = sha256_of(folder / name)
        except OSError as error:
            raise ModelUnavailable(f"The packaged model has no file {name}. {_REMEDY}") from error
        if actual != expected:
            raise ModelUnavailable(f"The packaged {name} is damaged: its checksum differs. {_REMEDY}")
    return manifest


def _read_manifest(folder: Path) -> Manifest:
    try:
        raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return Manifest(str(raw["name"]), {str(name): str(digest) for name, digest in raw["files"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelUnavailable(f"The packaged model has no readable {MANIFEST}. {_REMEDY}") from error
