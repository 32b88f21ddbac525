"""Runs Sightline commands with an audit hook, and provides a project with searchable content."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.location import CACHE_VARIABLE

# The program as users start it; unlike `python -m` it does not import modules from the working directory.
PROGRAM = Path(sys.executable).with_name("sightline.exe" if os.name == "nt" else "sightline")
_WATCH = Path(__file__).with_name("watch")

SOURCE = {
    "src/basket.py": "def charge_credit_card(number, amount):\n    return len(number) == 16 and amount > 0\n",
    "src/session.go": "package src\n\nfunc RefreshSession(token string) string { return token }\n",
    "README.md": "# Shop\n\nHow a customer pays for a basket.\n",
}


@dataclass(frozen=True, slots=True)
class Home:
    """A separate home folder for settings, cache and temporary files."""

    folder: Path

    @property
    def cache(self) -> Path:
        """The folder of the indexes."""
        return self.folder / "cache"

    @property
    def log(self) -> Path:
        """The file to which watched processes write their events."""
        return self.folder / "events"

    def environment(self, *, watched: bool = False) -> dict[str, str]:
        """The environment variables of a process."""
        temporary = self.folder / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        found = {
            **os.environ,
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "TMPDIR": str(temporary),
            CACHE_VARIABLE: str(self.cache),
        }
        if watched:
            older = os.environ.get("PYTHONPATH")
            found["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_WATCH), older)))
            found["PYTHONDONTWRITEBYTECODE"] = "1"
            found["SIGHTLINE_AUDIT_LOG"] = str(self.log)
        return found

    def set(self, toml: str) -> None:
        """Write the user's settings file."""
        file = self.folder / "config" / "sightline" / "settings.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(toml)

    def events(self, kind: str) -> list[str]:
        """The subjects of all events of one kind."""
        lines = (line.split("\t", 1) for line in self.log.read_text().splitlines())
        return [subject for found, subject in lines if found == kind]

    def run(
        self,
        *arguments: str | Path,
        cwd: Path | None = None,
        watched: bool = False,
        before: Sequence[str] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Run a Sightline command and wait for it to end."""
        command = [*before, str(PROGRAM), *map(str, arguments)]
        environment = self.environment(watched=watched)
        return subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=300)

    def search(self, query: str, root: Path, **options: Any) -> list[dict[str, Any]]:
        """The hits of a search; exit status 1 means no hit."""
        done = self.run("search", query, root, "--json", **options)
        assert done.returncode in (0, 1), done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)["hits"]
        return found
