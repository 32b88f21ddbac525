"""Collecting continues when a source does not answer."""

import sys

import pytest

from training import collect


def test_a_command_that_hangs_is_stopped_and_named_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(collect, "_MOST_SECONDS", 0.2)
    assert collect._run(sys.executable, "-c", "import time; time.sleep(60)") == ""
    assert "given up" in caplog.text


def test_a_command_that_fails_is_logged_with_its_output(caplog: pytest.LogCaptureFixture) -> None:
    code = "import sys; print('half'); sys.exit('no such package')"
    assert collect._run(sys.executable, "-c", code).strip() == "half"
    assert "no such package" in caplog.text
