"""The environment of a user who has just installed Sightline and an editor."""

import os
import shutil
import sys
from pathlib import Path


def server_program() -> Path:
    """Return the `sightline` command of the Python that runs the tests."""
    found = shutil.which("sightline", path=str(Path(sys.executable).parent)) or shutil.which("sightline")
    assert found, "the sightline command is not installed: pip install -e ."
    return Path(found)


def environment(programs: Path, home: Path) -> dict[str, str]:
    """Return the environment of a fresh user's shell; it contains nothing of this machine's user."""
    path = os.pathsep.join([str(server_program().parent), str(programs), os.environ["PATH"]])
    places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("NVIM", "TMUX", "VIM"))},
        **places,
        "HOME": str(home),
        "PATH": path,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "SIGHTLINE_CACHE_DIR": str(home / "sightline"),
    }
