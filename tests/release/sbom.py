"""Prints a bill of materials (CycloneDX 1.6): the pins of the lock file and the bundle of the extension.

python -m tests.release.sbom
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sightline import __version__
from tests.release.lockfile import LOCK, blocks

_TOP = Path(__file__).parents[2]
_PACKAGES = _TOP / "editors" / "vscode" / "package-lock.json"


def _component(kind: str, name: str, version: str) -> dict[str, Any]:
    address = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    return {"type": "library", "name": name, "version": version, "purl": address, "bom-ref": address}


def _python() -> Iterator[dict[str, Any]]:
    for name, entry in blocks(LOCK.read_text(encoding="utf-8")):
        version = re.match(r"[^=]+==([^ ;\\]+)", entry)
        assert version is not None
        yield _component("pypi", name, version[1])


def _bundled() -> Iterator[dict[str, Any]]:
    packages = json.loads(_PACKAGES.read_text(encoding="utf-8"))["packages"]
    for path, package in packages.items():
        if path and not package.get("dev"):
            yield _component("npm", path.rpartition("node_modules/")[2], package["version"])


def bill_of_materials() -> dict[str, Any]:
    """The bill of materials as a CycloneDX document."""
    product = {"type": "application", "name": "sightline", "version": __version__, "bom-ref": "sightline"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": [*_python(), *_bundled()],
    }


if __name__ == "__main__":
    print(json.dumps(bill_of_materials(), indent=2))
