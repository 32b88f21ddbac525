"""A real Neovim, headless or on a screen, in which tests type, read the screen and evaluate Lua."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.editors.fresh_user import environment
from tests.editors.screen import TIMEOUT_SECONDS, Screen, eventually

_HERE = Path(__file__).parent
PLUGIN = _HERE.parents[2] / "editors" / "neovim"
_KEYS = {"Escape": "<Esc>", "Enter": "<CR>", "Tab": "<Tab>", "Up": "<Up>", "Down": "<Down>"}


@dataclass(slots=True)
class Neovim(Screen):
    """One running editor; Lua runs through its socket, and its screen (if any) is a tmux session."""

    process: subprocess.Popen[bytes] | None = None

    def lua(self, code: str) -> Any:
        """Run a Lua chunk inside the editor and return its result."""
        script = self.socket.with_suffix(".lua")
        script.write_text(code, encoding="utf-8")
        expression = f'luaeval("vim.json.encode({{ dofile(_A) }})", "{script}")'
        done = self.run("nvim", "--server", str(self.socket), "--remote-expr", expression)
        answer = json.loads(done.stdout or done.stderr)
        return answer[0] if answer else None

    def listens(self) -> bool:
        """Return whether the editor answers; its socket exists a moment before."""
        if not self.socket.exists():
            return False
        asked = self.run("nvim", "--server", str(self.socket), "--remote-expr", "1", check=False)
        return asked.returncode == 0

    def until(self, code: str, seconds: float = TIMEOUT_SECONDS) -> Any:
        """Wait until a Lua chunk returns a true value, and return it."""
        return eventually(code, lambda: self.lua(code), seconds)

    def keys(self, *keys: str) -> None:
        """Press keys by their tmux names; anything else is typed literally.

        Not through the terminal, where Escape and a key that follows quickly are one key with Alt.
        """
        typed = "".join(_KEYS.get(key) or key.replace("<", "<lt>") for key in keys)
        self.run("nvim", "--server", str(self.socket), "--remote-send", typed)

    def command(self, line: str) -> None:
        """Type an Ex command."""
        self.keys(":", line, "Enter")

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
        else:
            # dataclass(slots=True) creates a new class, in which super() without arguments fails.
            Screen.close(self)


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
    editor.show(folder, [str(programs / "nvim"), *_arguments(socket), *arguments])
    return _ready(editor)


def _arguments(socket: Path) -> list[str]:
    return ["-u", str(_HERE / "init.lua"), "-i", "NONE", "--listen", str(socket)]


def _ready(editor: Neovim) -> Neovim:
    eventually("the editor listens", editor.listens)
    editor.until("return vim.v.vim_did_enter == 1")
    return editor
