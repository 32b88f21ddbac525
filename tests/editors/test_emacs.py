"""Search, symbols, related code and hover from a real Emacs, in batch and on a screen."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editors.fresh_user import environment
from tests.editors.neovim.programs import installed
from tests.editors.screen import Screen, eventually, start
from tests.editors.stdlib_project import copy_standard_library

pytestmark = [
    pytest.mark.editors,
    pytest.mark.xdist_group("editors"),
    pytest.mark.skipif(sys.platform != "linux", reason="EMACS NOT TESTED: it is installed on Linux only"),
]

_HERE = Path(__file__).parent
_PACKAGE = _HERE.parents[1] / "editors" / "emacs"
_QUERY = "read a compressed file"
_ROW = re.compile(r"^(\S+\.py:\d+)  ", re.MULTILINE)


class Emacs:
    """A batch Emacs with its own project that evaluates forms."""

    def __init__(self, program: Path, project: Path, home: Path) -> None:
        self.project = project
        self.home = home
        self._process = subprocess.Popen(
            [
                str(program),
                "--batch",
                "--load",
                str(_HERE / "emacs" / "batch.el"),
                "--funcall",
                "batch-serve",
            ],
            cwd=project,
            env=environment(program.parent, home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def answer(self, form: str) -> dict[str, Any]:
        """Evaluate a form and return its value or its error."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(form.replace("\n", " ") + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("ANSWER "):
                return dict(json.loads(line.removeprefix("ANSWER ")))
        raise AssertionError(f"Emacs ended at {form}")

    def value(self, form: str) -> Any:
        answer = self.answer(form)
        assert "value" in answer, answer
        return answer["value"]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture(scope="module")
def program() -> Path:
    done = subprocess.run([str(_HERE / "install-emacs.sh")], stdout=subprocess.PIPE, text=True, timeout=600)
    assert done.returncode == 0
    if not done.stdout:
        pytest.skip("EMACS NOT TESTED: its install script says why")
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def session(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emacs]:
    project = copy_standard_library(tmp_path_factory.mktemp("work") / "library")
    emacs = Emacs(program, project, tmp_path_factory.mktemp("home"))
    try:
        emacs.value(f'(progn (find-file "{project}/gzip.py") (batch-ready))')
        yield emacs
    finally:
        emacs.close()


@pytest.fixture
def emacs(session: Emacs) -> Emacs:
    """The session, at the beginning of gzip.py, set to choose the first candidate."""
    session.value(
        f'(progn (find-file "{session.project}/gzip.py") (goto-char (point-min)) (setq batch-choice 0))'
    )
    return session


def test_a_search_offers_the_hits_in_the_order_of_the_server(emacs: Emacs) -> None:
    expected = emacs.value(f'(batch-places "{_QUERY}")')
    offered = emacs.value(f'(progn (sightline-search "{_QUERY}") batch-offered)')
    assert len(expected) >= 5
    assert [line.split("  ")[0] for line in offered] == expected


def test_the_chosen_hit_is_opened_at_its_line(emacs: Emacs) -> None:
    expected = emacs.value(f'(nth 2 (batch-places "{_QUERY}"))')
    where = emacs.value(f'(let ((batch-choice 2)) (sightline-search "{_QUERY}") (batch-where))')
    assert where == expected


def test_the_chosen_hit_is_opened_at_its_name(emacs: Emacs) -> None:
    where = emacs.value('(progn (sightline-search "GzipFile") (list (batch-where) (current-word)))')
    assert where[0].startswith("gzip.py:")
    assert where[1] == "GzipFile"


def test_a_search_sends_the_current_document(emacs: Emacs) -> None:
    params = emacs.value('(plist-get (sightline--search-params "x") :currentDocument)')
    assert params == (emacs.project / "gzip.py").as_uri()


def test_weak_hits_are_in_a_separate_group(emacs: Emacs) -> None:
    weak = '(sightline--hit-candidate (append \'(:weak t :why "same words") (batch-hit)))'
    assert emacs.value(f"(sightline--group {weak} nil)") == "less likely"
    assert emacs.value(f"(sightline--annotate {weak})") == "  same words"
    assert emacs.value("(sightline--group (sightline--hit-candidate (batch-hit)) nil)") is None


def test_a_hit_in_a_notebook_shows_its_cell(emacs: Emacs) -> None:
    assert emacs.value("(sightline--hit-label (append '(:cell 2) (batch-hit)))") == "a.py:5 cell 3  open(b)"


def test_the_hover_shows_the_symbol_at_point_through_eldoc(emacs: Emacs) -> None:
    emacs.value('(progn (re-search-forward "^def compress") (sightline-eldoc-mode 1))')
    text = emacs.value("(batch-eldoc)")
    assert text.startswith("function compress\ndef compress(")
    emacs.value("(sightline-eldoc-mode -1)")
    assert emacs.value("(memq 'sightline-eldoc-function eldoc-documentation-functions)") is None


def test_no_hover_is_shown_for_unsaved_text(emacs: Emacs) -> None:
    emacs.value('(progn (re-search-forward "^def compress") (insert "_"))')
    try:
        assert emacs.value("(sightline-eldoc-function #'ignore)") is None
    finally:
        emacs.value("(revert-buffer t t)")


def test_a_symbol_is_found_by_its_name(emacs: Emacs) -> None:
    where = emacs.value('(progn (sightline-symbol "GzipFile") (batch-where))')
    assert emacs.value("(car batch-offered)").startswith("GzipFile  gzip.py:")
    assert where.startswith("gzip.py:")


def test_related_code_is_shown_with_its_reason(emacs: Emacs) -> None:
    offered = emacs.value('(progn (re-search-forward "^def compress") (sightline-related) batch-offered)')
    assert offered
    assert all("  [" in line for line in offered)


def test_a_saved_function_is_found_immediately(emacs: Emacs) -> None:
    emacs.value(
        '(progn (find-file "orchard.py") (insert "def pluck_ripe_mangoes(orchard):\\n    return 1\\n"))'
    )
    emacs.value("(save-buffer)")
    found = '(equal (car (batch-places "pluck ripe mangoes")) "orchard.py:1")'
    wait = f"(with-timeout (90 nil) (while (not {found}) (accept-process-output nil 0.1)) t)"
    assert emacs.value(wait) is True


def test_a_bad_filter_is_explained(emacs: Emacs) -> None:
    assert "klingon" in emacs.answer('(sightline-search "sort lang:klingon")')["error"]


def test_the_buffer_is_not_managed_so_that_its_language_server_can_start(emacs: Emacs) -> None:
    assert not emacs.value("(eglot-managed-p)")


def test_the_next_search_restarts_a_dead_server(emacs: Emacs) -> None:
    emacs.value("(delete-process (jsonrpc--process (sightline--server)))")
    assert emacs.value(f'(progn (batch-ready) (batch-places "{_QUERY}"))')


def test_the_status_names_the_project(emacs: Emacs) -> None:
    page = emacs.value('(progn (sightline-status) (with-current-buffer "*Sightline*" (buffer-string)))')
    assert str(emacs.project) in page
    assert "state    ready" in page
    assert "skipped  " in page


@pytest.mark.parametrize("file", ["sightline.el", "sightline-consult.el"])
def test_the_package_compiles_without_a_warning(file: str, program: Path, tmp_path: Path) -> None:
    forms = [
        "(progn (require 'package) (package-initialize) (setq byte-compile-error-on-warn t))",
        f'(add-to-list \'load-path "{_PACKAGE}")',
        f'(setq byte-compile-dest-file-function (lambda (_) "{tmp_path}/compiled.elc"))',
        f'(unless (byte-compile-file "{_PACKAGE / file}") (kill-emacs 1))',
    ]
    evaluate = [argument for form in forms for argument in ("--eval", form)]
    done = subprocess.run([str(program), "--batch", *evaluate], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def _status_is_ready(screen: Screen) -> bool:
    """Ask for the status once and return whether it is on the screen a moment later."""
    screen.keys("C-c", "i")
    # Keys that Emacs has not handled yet would delay the next ones.
    time.sleep(0.5)
    return "state    ready" in screen.screen()


def test_the_live_list_is_refreshed_when_the_index_becomes_ready(
    program: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = copy_standard_library(tmp_path / "library")
    # The search is typed while the server, which it starts, has just begun to index.
    (project / ".sightline.toml").write_text("[indexing]\ncpu_percent = 50\n")
    command = [str(program), "-nw", "--no-init-file", "--load", str(_HERE / "emacs" / "init.el"), "gzip.py"]
    socket = tmp_path_factory.mktemp("s") / f"emacs-slow-{os.getpid()}"
    screen = start(installed(), tmp_path, project, socket, command)
    try:
        screen.sees("gzip.py ")
        screen.keys("C-x", "1", "C-c", "s")
        screen.sees("Find the code that: #")
        screen.keys(_QUERY)
        screen.sees("(indexing ")
        ready = Emacs(program, project, tmp_path)
        try:
            ready.value(f'(progn (find-file "{project}/gzip.py") (batch-ready))')
            expected = ready.value(f'(batch-places "{_QUERY}")')
        finally:
            ready.close()
        eventually("the answers", lambda: re.findall(_ROW, screen.screen())[:5] == expected[:5])
    finally:
        screen.close()


def test_consult_shows_the_hits_while_the_user_types(
    session: Emacs, program: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    expected = session.value(f'(batch-places "{_QUERY}")')
    folder = tmp_path_factory.mktemp("s")
    command = [str(program), "-nw", "--no-init-file", "--load", str(_HERE / "emacs" / "init.el"), "gzip.py"]
    screen = start(installed(), session.home, session.project, folder / f"emacs-{os.getpid()}", command)
    try:
        screen.sees("gzip.py ")
        eventually("the index is ready", lambda: _status_is_ready(screen))
        screen.keys("C-x", "1", "C-c", "s")
        screen.sees("Find the code that: #")
        screen.keys(_QUERY)
        eventually("the answers are listed", lambda: re.findall(_ROW, screen.screen())[:5] == expected[:5])
        screen.keep("emacs-consult")
        screen.keys("Down", "Enter")
        path, line = expected[1].split(":")
        eventually("the second is open", lambda: re.search(rf" {path} .* L{line} ", screen.screen()))
    finally:
        screen.close()
