"""A terminal of fixed size for a real editor: a tmux session that tests type into and read."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.editors.fresh_user import environment

COLUMNS, LINES = 140, 36
_ARTEFACTS = Path(__file__).parent / "artefacts"
TIMEOUT_SECONDS = 90.0


class TimedOut(AssertionError):
    """A condition did not become true in time."""


def eventually(what: str, check: Callable[[], Any], seconds: float = TIMEOUT_SECONDS) -> Any:
    """Call `check` until it returns a true value or the time is up, and return that value."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := check():
            return answer
        time.sleep(0.05)
    raise TimedOut(what)


@dataclass(slots=True)
class Screen:
    """A tmux session, named after the last part of `socket`."""

    programs: Path
    socket: Path
    environment: Mapping[str, str]

    def screen(self) -> str:
        """Return the text on the screen."""
        return self.tmux("capture-pane", "-p").stdout

    def keys(self, *keys: str) -> None:
        """Press keys by their tmux names; anything else is typed literally."""
        self.tmux("send-keys", *keys)

    def resize(self, columns: int, lines: int) -> None:
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def sees(self, text: str, seconds: float = TIMEOUT_SECONDS) -> str:
        """Wait until the screen contains a text, and return the screen."""
        try:
            return str(eventually(text, lambda: shot if text in (shot := self.screen()) else "", seconds))
        except TimedOut:
            raise TimedOut(f"{text!r} is not on the screen:\n{self.screen()}") from None

    def keep(self, name: str) -> None:
        """Save the screen as an artefact for later inspection."""
        artefacts = Path(os.environ.get("SIGHTLINE_ARTEFACTS", _ARTEFACTS))
        artefacts.mkdir(parents=True, exist_ok=True)
        (artefacts / f"{name}.txt").write_text(self.screen(), encoding="utf-8")

    def close(self) -> None:
        """End the session and the editor in it."""
        self.tmux("kill-server", check=False)

    def tmux(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a tmux command in the session."""
        return self.run("tmux", "-L", self.socket.stem, "-f", "/dev/null", *arguments, check=check)

    def run(self, program: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a program in the environment of the editor."""
        return subprocess.run(
            [str(self.programs / program), *arguments],
            env=dict(self.environment),
            check=check,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )

    def show(self, folder: Path, command: Sequence[str]) -> None:
        """Start a program on the screen."""
        size = ["-x", str(COLUMNS), "-y", str(LINES)]
        self.tmux("new-session", "-d", *size, "-c", str(folder), *command)


def start(programs: Path, home: Path, folder: Path, socket: Path, command: Sequence[str]) -> Screen:
    """Start a program on a new screen in `folder`, in the environment of a fresh user."""
    screen = Screen(programs, socket, environment(programs, home))
    screen.show(folder, command)
    return screen
