"""Files parsed by other processes: the results are the same, whatever happens to a process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sightline.indexing import parser_pool as parsers
from sightline.indexing.file_record import PreparedFile
from sightline.indexing.parser_pool import ParserPool
from sightline.indexing.prepare import FileRequest, Prepared, ReadOptions, UnchangedFile, prepare_file
from sightline.processes.worker_process import WorkerDied, WorkerProcess

_FILES = 170


@pytest.fixture
def reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReadOptions:
    monkeypatch.setattr(parsers, "usable_cores", lambda: 2)
    for number in range(_FILES):
        body = "\n\n".join(
            f"def work_{number}_{each}(item):\n    return call(item)" for each in range(number % 7)
        )
        (tmp_path / f"m{number:03}.py").write_text(f'"""Module {number}."""\n\n{body}\n')
    (tmp_path / "m005.py").write_bytes(b"\0\1\2")
    return ReadOptions(tmp_path, 1 << 20, {})


@pytest.fixture
def wanted(reading: ReadOptions) -> list[FileRequest]:
    return [FileRequest(f"m{number:03}.py") for number in range(_FILES)]


def bare(prepared: Prepared) -> Prepared:
    """A result without what is not sent between processes: the text to embed contains a chunk's text."""
    if not isinstance(prepared, PreparedFile):
        return prepared
    chunks = tuple(each._replace(chunk=each.chunk._replace(text="")) for each in prepared.draft.chunks)
    return PreparedFile(prepared.draft._replace(chunks=chunks, mtime_ns=0), prepared.texts)


def outcomes(reading: ReadOptions, wanted: list[FileRequest], *, alone: bool = False) -> list[Prepared]:
    with closing(ParserPool(reading, alone=alone)) as processes:
        return [bare(each) for each in processes.prepare_all(wanted)]


def use_crashing_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setattr(parsers, "_MODULE", "crashing_parser")


def test_parser_processes_give_the_same_result_as_this_process(
    reading: ReadOptions, wanted: list[FileRequest]
) -> None:
    assert outcomes(reading, wanted) == outcomes(reading, wanted, alone=True)


def test_unchanged_files_are_recognised_and_skips_have_a_reason(
    reading: ReadOptions, wanted: list[FileRequest]
) -> None:
    known = prepare_file(reading, wanted[7])
    assert isinstance(known, PreparedFile)
    wanted[7] = FileRequest(wanted[7].path, known.draft.digest)
    found = outcomes(reading, wanted)
    assert isinstance(found[7], UnchangedFile)
    assert getattr(found[5], "reason", "") == "binary"
    assert sum(isinstance(each, PreparedFile) for each in found) == _FILES - 2


@pytest.mark.parametrize("fate", ["crash", "hang", "fail"])
def test_a_file_that_kills_a_parser_is_split_by_lines_and_affects_no_other(
    fate: str, reading: ReadOptions, wanted: list[FileRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    use_crashing_parser(monkeypatch)
    monkeypatch.setattr(parsers, "_PART_SECONDS", 5.0)
    monkeypatch.setattr(parsers, "_FILE_SECONDS", 5.0)
    healthy = outcomes(reading, wanted)
    (reading.root / f"{fate}.py").write_text("def found_by_its_words():\n    pass\n")
    *others, fatal = outcomes(reading, [*wanted, FileRequest(f"{fate}.py")])
    assert others == healthy
    assert isinstance(fatal, PreparedFile)
    assert fatal.draft.parse == "error"
    assert "def found_by_its_words" in "".join(fatal.texts.values())


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """The processes that are started from here on."""
    found: list[WorkerProcess] = []
    real = parsers._start

    def record_start() -> WorkerProcess | None:
        process = real()
        found.extend([process] if process else [])
        return process

    monkeypatch.setattr(parsers, "_start", record_start)
    return found


@pytest.fixture
def end_processes(
    reading: ReadOptions, started: list[WorkerProcess], monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """Kills all processes, and lets no other be started."""

    def end() -> None:
        monkeypatch.setattr(sys, "executable", str(reading.root / "no-such-program"))
        for worker in started:
            worker.kill()

    return end


def test_ending_early_ends_the_processes(
    reading: ReadOptions, wanted: list[FileRequest], started: list[WorkerProcess]
) -> None:
    with closing(ParserPool(reading, alone=False)) as processes:
        next(iter(processes.prepare_all(wanted)))
    assert len(started) == 2
    assert all(worker._process.poll() is not None for worker in started)


@pytest.mark.parametrize(
    ("loading", "worth"), [(False, parsers._WORTH_FILES), (True, parsers._WORTH_WHILE_LOADING)]
)
def test_processes_start_as_soon_as_many_files_are_expected(
    reading: ReadOptions, wanted: list[FileRequest], started: list[WorkerProcess], loading: bool, worth: int
) -> None:
    with closing(ParserPool(reading, alone=False, loading=loading)) as processes:
        for files in range(_FILES):
            processes.expect(files)
            assert len(started) == (2 if files >= worth else 0)
        list(processes.prepare_all(wanted))
    assert len(started) == 2


def test_if_no_process_can_be_started_this_one_parses(
    reading: ReadOptions, wanted: list[FileRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = outcomes(reading, wanted, alone=True)
    monkeypatch.setattr(sys, "executable", str(reading.root / "no-such-program"))
    assert outcomes(reading, wanted) == expected


def test_if_no_new_process_can_be_started_this_one_parses_the_rest(
    reading: ReadOptions,
    wanted: list[FileRequest],
    started: list[WorkerProcess],
    end_processes: Callable[[], None],
) -> None:
    expected = outcomes(reading, wanted, alone=True)
    with closing(ParserPool(reading, alone=False)) as processes:
        stream = processes.prepare_all(wanted)
        found = [bare(next(stream))]
        end_processes()
        found += map(bare, stream)
    by_lines = [each for each in found if isinstance(each, PreparedFile) and each.draft.parse == "error"]
    # The files in progress may have killed the processes, and there is no other process to try them in.
    assert len(by_lines) <= len(started) * parsers._PARTS_AHEAD * parsers._PART_FILES
    assert [each for each in found if each not in by_lines] == [
        each for each, other in zip(expected, found, strict=True) if other not in by_lines
    ]


def test_a_process_known_to_be_dead_gets_no_more_files(
    reading: ReadOptions,
    wanted: list[FileRequest],
    started: list[WorkerProcess],
    end_processes: Callable[[], None],
) -> None:
    expected = outcomes(reading, wanted, alone=True)
    with closing(ParserPool(reading, alone=False)) as processes:
        processes.expect(len(wanted))
        end_processes()
        for worker in started:
            wait_until_noticed(worker)
        assert [bare(each) for each in processes.prepare_all(wanted)] == expected


def wait_until_noticed(worker: WorkerProcess) -> None:
    """Wait until a process refuses further calls."""
    while True:
        try:
            worker.submit("prepare").exception(timeout=10)
        except WorkerDied:
            return
