"""Search, symbols and related code from a real Emacs in batch, through eglot."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.editors.neovim.rig import environment
from tests.editors.stdlib_project import copy_standard_library

pytestmark = [
    pytest.mark.editors,
    pytest.mark.skipif(sys.platform != "linux", reason="EMACS NOT TESTED: it is installed on Linux only"),
]

_HERE = Path(__file__).parent
_PACKAGE = _HERE.parents[1] / "editors" / "emacs" / "sightline.el"
_QUERY = "read a compressed file"


class Emacs:
    """Runs forms in a fresh batch Emacs that visits gzip.py of an indexed project."""

    def __init__(self, program: Path, project: Path, home: Path) -> None:
        self.program = program
        self.project = project
        self._environment = environment(program.parent, home)

    def run(self, *forms: str) -> subprocess.CompletedProcess[str]:
        evaluate = [argument for form in forms for argument in ("--eval", form)]
        return subprocess.run(
            [str(self.program), "--batch", *evaluate],
            cwd=self.project,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=240,
        )

    def ask(self, *forms: str) -> dict[str, Any]:
        """Run forms of which the last tells an answer."""
        load = f'(load "{_HERE / "emacs" / "batch.el"}" nil t)'
        done = self.run(load, f'(find-file "{self.project}/gzip.py")', "(batch-ready)", *forms)
        answers = [line for line in done.stdout.splitlines() if line.startswith("ANSWER ")]
        assert answers, done.stderr
        return dict(json.loads(answers[-1].removeprefix("ANSWER ")))


@pytest.fixture(scope="module")
def emacs(tmp_path_factory: pytest.TempPathFactory) -> Emacs:
    done = subprocess.run([str(_HERE / "install-emacs.sh")], stdout=subprocess.PIPE, text=True, timeout=600)
    if done.returncode == 3:
        pytest.skip("EMACS NOT TESTED: this machine has neither Emacs with eglot nor apt-get")
    assert done.returncode == 0
    project = copy_standard_library(tmp_path_factory.mktemp("work") / "library")
    return Emacs(Path(done.stdout.strip()), project, tmp_path_factory.mktemp("home"))


def test_a_search_offers_the_answers_in_the_order_of_the_server(emacs: Emacs) -> None:
    answer = emacs.ask(
        f'(sightline-search "{_QUERY}")',
        f'(batch-tell :offered batch-offered :expected (batch-places "{_QUERY}"))',
    )
    assert len(answer["expected"]) >= 5
    assert [line.split("  ")[0] for line in answer["offered"]] == answer["expected"]


def test_the_chosen_answer_is_opened_at_its_line(emacs: Emacs) -> None:
    answer = emacs.ask(
        "(setq batch-choice 2)",
        f'(sightline-search "{_QUERY}")',
        f'(batch-tell :where (batch-where) :expected (nth 2 (batch-places "{_QUERY}")))',
    )
    assert answer["where"] == answer["expected"]


def test_a_symbol_is_found_by_its_name(emacs: Emacs) -> None:
    answer = emacs.ask(
        '(sightline-symbol "GzipFile")', "(batch-tell :offered batch-offered :where (batch-where))"
    )
    assert answer["offered"][0].startswith("GzipFile  gzip.py:")
    assert answer["where"].startswith("gzip.py:")


def test_related_code_comes_with_its_reason(emacs: Emacs) -> None:
    answer = emacs.ask(
        '(re-search-forward "^def compress")', "(sightline-related)", "(batch-tell :offered batch-offered)"
    )
    assert answer["offered"]
    assert all("  [" in line for line in answer["offered"])


def test_a_saved_function_is_found_at_once(emacs: Emacs) -> None:
    answer = emacs.ask(
        '(find-file "orchard.py")',
        '(insert "def pluck_ripe_mangoes(orchard):\\n    return orchard\\n")',
        "(save-buffer)",
        '(with-timeout (20) (while (not (equal (car (batch-places "pluck ripe mangoes")) "orchard.py:1"))'
        " (accept-process-output nil 0.1)))",
        '(batch-tell :first (car (batch-places "pluck ripe mangoes")))',
    )
    assert answer["first"] == "orchard.py:1"


def test_a_bad_filter_is_explained(emacs: Emacs) -> None:
    answer = emacs.ask(
        '(condition-case problem (sightline-search "sort lang:klingon")'
        " (user-error (batch-tell :said (cadr problem))))",
    )
    assert "klingon" in answer["said"]


def test_the_buffer_stays_free_for_the_server_of_its_language(emacs: Emacs) -> None:
    answer = emacs.ask(f'(sightline-search "{_QUERY}")', "(batch-tell :managed (and (eglot-managed-p) t))")
    assert answer["managed"] is None


def test_the_status_names_the_project(emacs: Emacs) -> None:
    answer = emacs.ask(
        "(sightline-status)", '(batch-tell :page (with-current-buffer "*Sightline*" (buffer-string)))'
    )
    assert str(emacs.project) in answer["page"]
    assert "state    ready" in answer["page"]


def test_the_package_compiles_without_a_warning(emacs: Emacs, tmp_path: Path) -> None:
    done = emacs.run(
        "(progn (require 'package) (package-initialize) (setq byte-compile-error-on-warn t))",
        f'(setq byte-compile-dest-file-function (lambda (_) "{tmp_path}/sightline.elc"))',
        f'(unless (byte-compile-file "{_PACKAGE}") (kill-emacs 1))',
    )
    assert done.returncode == 0, done.stderr
