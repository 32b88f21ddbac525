"""Files read and cut by other processes: the same outcomes, whatever happens to a process."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sightline.indexing import drafting
from sightline.indexing.draft import Drafted
from sightline.indexing.drafting import Drafting
from sightline.indexing.taking import Reading, Same, Taken, Wanted, take
from sightline.worker_process import WorkerProcess

_FILES = 170


@pytest.fixture
def reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reading:
    monkeypatch.setattr(drafting, "_cores", lambda: 2)
    for number in range(_FILES):
        body = "\n\n".join(
            f"def work_{number}_{each}(item):\n    return call(item)" for each in range(number % 7)
        )
        (tmp_path / f"m{number:03}.py").write_text(f'"""Module {number}."""\n\n{body}\n')
    (tmp_path / "m005.py").write_bytes(b"\0\1\2")
    return Reading(tmp_path, 1 << 20, {})


@pytest.fixture
def wanted(reading: Reading) -> list[Wanted]:
    return [Wanted(f"m{number:03}.py") for number in range(_FILES)]


def bare(taken: Taken) -> Taken:
    """An outcome without what does not travel: the text of a chunk is in what is embedded."""
    if not isinstance(taken, Drafted):
        return taken
    chunks = tuple(replace(each, chunk=replace(each.chunk, text="")) for each in taken.draft.chunks)
    return Drafted(replace(taken.draft, chunks=chunks, mtime_ns=0), taken.texts)


def outcomes(reading: Reading, wanted: list[Wanted], *, alone: bool = False) -> list[Taken]:
    with closing(Drafting(reading, alone=alone)) as processes:
        return [bare(each) for each in processes.take_all(wanted)]


def mortal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setattr(drafting, "_MODULE", "mortal_worker")


def test_other_processes_make_of_each_file_what_this_one_makes(
    reading: Reading, wanted: list[Wanted]
) -> None:
    assert outcomes(reading, wanted) == outcomes(reading, wanted, alone=True)


def test_known_bytes_are_the_same_and_skipped_files_say_why(reading: Reading, wanted: list[Wanted]) -> None:
    known = take(reading, wanted[7])
    assert isinstance(known, Drafted)
    wanted[7] = Wanted(wanted[7].path, known.draft.digest)
    found = outcomes(reading, wanted)
    assert isinstance(found[7], Same)
    assert getattr(found[5], "reason", "") == "binary"
    assert sum(isinstance(each, Drafted) for each in found) == _FILES - 2


@pytest.mark.parametrize("fate", ["crash", "hang", "fail"])
def test_a_file_that_is_fatal_to_a_parser_is_cut_by_lines_and_harms_no_other(
    fate: str, reading: Reading, wanted: list[Wanted], monkeypatch: pytest.MonkeyPatch
) -> None:
    mortal(monkeypatch)
    monkeypatch.setattr(drafting, "_PART_SECONDS", 5.0)
    monkeypatch.setattr(drafting, "_FILE_SECONDS", 5.0)
    healthy = outcomes(reading, wanted)
    (reading.root / f"{fate}.py").write_text("def found_by_its_words():\n    pass\n")
    *others, fatal = outcomes(reading, [*wanted, Wanted(f"{fate}.py")])
    assert others == healthy
    assert isinstance(fatal, Drafted)
    assert fatal.draft.parse == "error"
    assert "def found_by_its_words" in "".join(fatal.texts.values())


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """The processes that are started from here on."""
    found: list[WorkerProcess] = []
    real = drafting._start

    def noted() -> WorkerProcess | None:
        process = real()
        found.extend([process] if process else [])
        return process

    monkeypatch.setattr(drafting, "_start", noted)
    return found


def test_ending_early_ends_the_processes(
    reading: Reading, wanted: list[Wanted], started: list[WorkerProcess]
) -> None:
    with closing(Drafting(reading, alone=False)) as processes:
        next(iter(processes.take_all(wanted)))
    assert len(started) == 2
    assert all(worker.ended for worker in started)


@pytest.mark.parametrize(
    ("loading", "worth"), [(False, drafting._WORTH_FILES), (True, drafting._WORTH_WHILE_LOADING)]
)
def test_processes_start_as_soon_as_many_files_are_to_come(
    reading: Reading, wanted: list[Wanted], started: list[WorkerProcess], loading: bool, worth: int
) -> None:
    with closing(Drafting(reading, alone=False, loading=loading)) as processes:
        for files in range(_FILES):
            processes.expect(files)
            assert len(started) == (2 if files >= worth else 0)
        list(processes.take_all(wanted))
    assert len(started) == 2


def test_where_no_process_can_be_started_this_one_does_the_work(
    reading: Reading, wanted: list[Wanted], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = outcomes(reading, wanted, alone=True)
    monkeypatch.setattr(sys, "executable", str(reading.root / "no-such-program"))
    assert outcomes(reading, wanted) == expected


def test_when_no_process_can_be_started_any_more_the_rest_is_done_here(
    reading: Reading, wanted: list[Wanted], started: list[WorkerProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = outcomes(reading, wanted, alone=True)
    with closing(Drafting(reading, alone=False)) as processes:
        stream = processes.take_all(wanted)
        found = [bare(next(stream))]
        monkeypatch.setattr(sys, "executable", str(reading.root / "no-such-program"))
        for worker in started:
            worker.kill()
        found += map(bare, stream)
    by_lines = [each for each in found if isinstance(each, Drafted) and each.draft.parse == "error"]
    # What the processes had in hand may be what killed them, and there is no other to try it in.
    assert len(by_lines) < _FILES // 2
    assert [each for each in found if each not in by_lines] == [
        each for each, other in zip(expected, found, strict=True) if other not in by_lines
    ]
