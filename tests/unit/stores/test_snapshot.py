"""Arrays on disk: opened without reading them, checked for damage, changed without changing the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.stores.memory import snapshot
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.name_letters import letters
from sightline.stores.memory.snapshot import Arrays, Growing
from sightline.stores.memory.strings import StringTable, pack

_ARRAYS: Arrays = {
    "numbers": np.arange(5, dtype=np.int64),
    "rows": Growing(np.arange(12, dtype=np.int8).reshape(3, 4)),
    "empty": np.zeros(0, np.uint16),
}


def _written(folder: Path) -> Path:
    path = folder / "some.snapshot"
    snapshot.write(path, {"generation": 7}, _ARRAYS)
    return path


def test_written_arrays_are_opened_with_room_to_grow(tmp_path: Path) -> None:
    found = snapshot.read(_written(tmp_path))
    assert found is not None
    assert found.meta == {"generation": 7}
    assert found.arrays["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert found.arrays["rows"][:3].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert len(found.arrays["rows"]) > 1000
    assert not found.arrays["rows"][3:].any()
    assert found.arrays["empty"].tolist() == []
    assert [path.name for path in tmp_path.iterdir()] == ["some.snapshot"]


def test_changes_stay_in_the_process_that_makes_them(tmp_path: Path) -> None:
    path = _written(tmp_path)
    first, second = snapshot.read(path), snapshot.read(path)
    assert first is not None
    assert second is not None
    first.arrays["numbers"][0] = 99
    assert second.arrays["numbers"][0] == 0
    assert snapshot.is_intact(path)


def test_a_copy_has_the_arrays_and_their_room_with_other_metadata(tmp_path: Path) -> None:
    source, target = _written(tmp_path), tmp_path / "copy.snapshot"
    assert snapshot.copy(source, target, {"birth": "another, longer one"})
    old, new = snapshot.read(source), snapshot.read(target)
    assert old is not None
    assert new is not None
    assert new.meta == {"generation": 7, "birth": "another, longer one"}
    assert old.meta == {"generation": 7}
    for name, array in old.arrays.items():
        assert np.array_equal(new.arrays[name], array)
    assert snapshot.is_intact(target)


def test_damage_is_found_in_a_copy_as_in_its_source(tmp_path: Path) -> None:
    source, target = _written(tmp_path), tmp_path / "copy.snapshot"
    raw = source.read_bytes()
    source.write_bytes(raw.replace(np.arange(5, dtype=np.int64).tobytes(), bytes(40)))
    assert snapshot.copy(source, target, {})
    assert snapshot.read(target) is None
    target.unlink()
    source.write_bytes(raw[:-1])
    assert not snapshot.copy(source, target, {})
    source.write_bytes(b"")
    assert not snapshot.copy(source, target, {})
    source.unlink()
    assert not snapshot.copy(source, target, {})
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=150)
@given(where=st.floats(0, 1), kind=st.sampled_from(["cut", "flip", "append"]), byte=st.integers(1, 255))
def test_a_damaged_snapshot_is_a_miss_and_never_an_error(
    tmp_path_factory: pytest.TempPathFactory, where: float, kind: str, byte: int
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "some.snapshot"
    snapshot.write(path, {}, {"numbers": np.arange(512, dtype=np.int64)})
    raw = bytearray(path.read_bytes())
    at = int(where * (len(raw) - 1))
    if kind == "cut":
        del raw[at:]
    elif kind == "flip":
        raw[at] ^= byte
    else:
        raw.append(byte)
    path.write_bytes(raw)
    found = snapshot.read(path)
    # The bytes between the header and the arrays have no meaning.
    assert found is None or found.arrays["numbers"].tolist() == list(range(512))


def test_a_large_snapshot_is_checked_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_CHECKED_AT_ONCE", 0)
    path = _written(tmp_path)
    raw = bytearray(path.read_bytes())
    raw[raw.index(np.arange(5, dtype=np.int64).tobytes())] = 1
    path.write_bytes(raw)
    assert snapshot.read(path) is not None
    assert not snapshot.is_intact(path)


def test_a_missing_snapshot_is_a_miss_and_not_damage(tmp_path: Path) -> None:
    assert snapshot.read(tmp_path / "absent") is None
    assert snapshot.read(tmp_path) is None
    assert snapshot.is_intact(tmp_path / "absent")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="absent"):
        snapshot.write(tmp_path / "absent" / "some.snapshot", {}, _ARRAYS)


@given(st.lists(st.text(max_size=5)), st.text(max_size=5))
def test_strings_are_found_under_every_number_they_have(texts: list[str], other: str) -> None:
    table = StringTable(pack(texts))
    assert list(table) == texts
    assert [table[number] for number in range(len(texts))] == texts
    for text in [*texts, other]:
        assert list(table.find(text)) == [number for number, each in enumerate(texts) if each == text]


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_names_keep_their_numbers_when_they_are_opened_again(early: list[str], late: list[str]) -> None:
    names = Interner()
    codes = [names.code(name) for name in early]
    again = Interner()
    again.use(names.arrays())
    assert again.codes(early).tolist() == codes
    assert [again.code(name) for name in late] == [names.code(name) for name in late]
    assert list(again.since(0)) == list(names.since(0))
    assert [again[code] for code in range(len(again))] == list(names.since(0))
    assert again.find("absent") is None


@given(st.lists(st.text(max_size=6)))
def test_the_letters_of_a_name_are_those_of_its_characters(names: list[str]) -> None:
    expected = []
    for name in names:
        bits = 0
        for char in name.lower():
            bits |= 1 << ord(char) % 61
        expected.append(bits)
    assert letters(names).tolist() == expected
