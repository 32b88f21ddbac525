"""A real Neovim, headless or on a real screen, that tests can type into, look at and ask."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.editors.fresh_user import environment

_HERE = Path(__file__).parent
PLUGIN = _HERE.parents[2] / "editors" / "neovim"
COLUMNS, LINES = 140, 36
_PATIENCE = 60.0


class NotInTime(AssertionError):
    """What was waited for did not happen."""


def eventually(what: str, check: Callable[[], Any], seconds: float = _PATIENCE) -> Any:
    """Return the first true answer of `check`, asked until the time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := check():
            return answer
        time.sleep(0.05)
    raise NotInTime(what)


@dataclass(slots=True)
class Neovim:
    """One running editor; its socket answers Lua, its screen (if any) is a tmux pane."""

    programs: Path
    socket: Path
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None

    def lua(self, code: str) -> Any:
        """Run a Lua chunk inside the editor and return what it returns."""
        script = self.socket.with_suffix(".lua")
        script.write_text(code, encoding="utf-8")
        expression = f'luaeval("vim.json.encode({{ dofile(_A) }})", "{script}")'
        done = self._run("nvim", "--server", str(self.socket), "--remote-expr", expression)
        answer = json.loads(done.stdout or done.stderr)
        return answer[0] if answer else None

    def until(self, code: str, seconds: float = _PATIENCE) -> Any:
        """Wait until a Lua chunk returns something true."""
        return eventually(code, lambda: self.lua(code), seconds)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p").stdout

    def keys(self, *keys: str) -> None:
        """Press keys by their tmux names; anything else is typed as it is."""
        self._tmux("send-keys", *keys)

    def command(self, line: str) -> None:
        """Type an Ex command."""
        self.keys(":")
        self._tmux("send-keys", "-l", line)
        self.keys("Enter")

    def resize(self, columns: int, lines: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def sees(self, text: str, seconds: float = _PATIENCE) -> str:
        """Wait until a text is on the screen, and return the screen."""
        try:
            return str(eventually(text, lambda: shot if text in (shot := self.screen()) else "", seconds))
        except NotInTime:
            raise NotInTime(f"{text!r} is not on the screen:\n{self.screen()}") from None

    def keep(self, name: str) -> None:
        """Write the screen where people look at it afterwards."""
        artefacts = Path(os.environ.get("SIGHTLINE_ARTEFACTS", _HERE.parent / "artefacts"))
        artefacts.mkdir(parents=True, exist_ok=True)
        (artefacts / f"neovim-{name}.txt").write_text(self.screen(), encoding="utf-8")

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
        else:
            self._tmux("kill-server", check=False)

    def _tmux(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self._run("tmux", "-L", self.socket.stem, "-f", "/dev/null", *arguments, check=check)

    def _run(self, program: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.programs / program), *arguments],
            env=dict(self.environment),
            check=check,
            capture_output=True,
            text=True,
            timeout=60,
        )


def start_headless(programs: Path, home: Path, folder: Path, socket: Path, *arguments: str) -> Neovim:
    """Start an editor without a screen in `folder`."""
    variables = environment(programs, home)
    command = [str(programs / "nvim"), "--headless", *_arguments(socket), *arguments]
    process = subprocess.Popen(
        command, cwd=folder, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return _ready(Neovim(programs, socket, variables, process))


def start_on_screen(programs: Path, home: Path, folder: Path, socket: Path, *arguments: str) -> Neovim:
    """Start an editor in a terminal of a fixed size in `folder`."""
    editor = Neovim(programs, socket, environment(programs, home))
    size = ["-x", str(COLUMNS), "-y", str(LINES)]
    command = [str(programs / "nvim"), *_arguments(socket), *arguments]
    editor._tmux("new-session", "-d", *size, "-c", str(folder), *command)
    return _ready(editor)


def _arguments(socket: Path) -> list[str]:
    return ["-u", str(_HERE / "init.lua"), "-i", "NONE", "--listen", str(socket)]


def _ready(editor: Neovim) -> Neovim:
    eventually("the editor listens", editor.socket.exists, 20)
    editor.until("return vim.v.vim_did_enter == 1")
    return editor
