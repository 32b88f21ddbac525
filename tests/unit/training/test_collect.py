"""Collecting goes on when a source does not answer."""

import sys

import pytest

from training import collect


def test_a_command_that_hangs_is_given_up_and_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(collect, "_MOST_SECONDS", 0.2)
    assert collect._run(sys.executable, "-c", "import time; time.sleep(60)") == ""
    assert "given up" in caplog.text


def test_a_command_that_fails_is_named_and_what_it_said_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    code = "import sys; print('half'); sys.exit('no such package')"
    assert collect._run(sys.executable, "-c", code).strip() == "half"
    assert "no such package" in caplog.text
