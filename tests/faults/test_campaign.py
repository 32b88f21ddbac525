"""A short campaign; `python -m tests.faults.campaign --kills 200` runs the long one."""

from __future__ import annotations

import shutil

import pytest

from tests.faults.campaign import plan, run
from tests.faults.faults import KILLS

_SECONDS = 25.0


@pytest.mark.skipif(shutil.which("pgrep") is None, reason="needs a POSIX system with pgrep")
def test_a_server_survives_a_short_campaign() -> None:
    record = run(kills=3, rounds=1, seconds=_SECONDS)
    assert record.tried
    assert record.failures == 0, record


def test_a_plan_has_all_kills_and_depends_only_on_the_seed() -> None:
    faults = plan(kills=200, rounds=2, seed=1, own_disk=True)
    assert sum(fault in KILLS for fault in faults) == 200
    assert faults == plan(kills=200, rounds=2, seed=1, own_disk=True)
    assert faults != plan(kills=200, rounds=2, seed=2, own_disk=True)
