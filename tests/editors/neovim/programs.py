"""Locates the programs that the tests need."""

import subprocess
from pathlib import Path

import pytest

_INSTALL = Path(__file__).parents[1] / "install-neovim.sh"


def installed() -> Path:
    """Return the folder of Neovim and tmux, installed on the first run; skip the test if that fails."""
    done = subprocess.run([str(_INSTALL)], stdout=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 0
    if not done.stdout:
        pytest.skip("NEOVIM NOT TESTED: its install script says why")
    return Path(done.stdout.strip())
