"""The memory index on disk equals a newly built one, whatever was saved, reopened and edited."""

from __future__ import annotations

import gc
import tempfile
import weakref
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.stores.catalog.catalog import Catalog
from sightline.stores.memory import snapshot
from sightline.stores.memory.image import drop_stale_images, is_damaged, is_outdated, open_image, save_image
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory
from sightline.stores.vectors.matrix import Matrix
from sightline.stores.vectors.vector_space import VectorSpace
from sightline.words import fold, split, stem
from tests.unit.stores.edits import edit

_DIM = 16
_PATHS = ("a.py", "src/test/tool.py", "src/test/test_tool.py", "src/v1/a.py", "src/v2/parse_tree.go")
_TEXTS = (
    "def alpha():\n    return 1\n",
    "def beta():\n    return alpha() + gamma_rays()\n",
    "class Gamma:\n    def alpha(self):\n        return beta()\n\n\ndef gammaRay():\n    return Gamma()\n",
    "alpha()\nbeta()\n",
    "def größe(wert):\n    return ALPHA\n\n\nALPHA = 3\n",
    "",
)
_STEPS = st.lists(
    st.tuples(st.sampled_from(_PATHS), st.none() | st.sampled_from(_TEXTS))
    | st.sampled_from(["save", "reopen", "prune"]),
    max_size=14,
)


def _catalog(folder: Path, *, readonly: bool = False) -> Catalog:
    return Catalog(folder / "catalog.sqlite", readonly=readonly)


def _edit(memory: MemoryIndex, path: str, text: str | None) -> None:
    edit(memory, path, text)
    _embed(memory)


def _embed(memory: MemoryIndex) -> None:
    """Set a vector that depends only on the key, for every key without a vector."""
    if memory.space is None:
        memory.switch(VectorSpace("made up", _DIM, Matrix(_DIM), Matrix(_DIM)))
    keys = np.array(sorted(memory.waiting_keys()), np.int64)
    rows = [np.random.default_rng(abs(key)).standard_normal(_DIM) for key in keys.tolist()]
    vectors = np.array(rows, np.float32).reshape(-1, _DIM)
    memory.attach(keys, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _held(memory: MemoryIndex) -> dict[str, Any]:
    """Everything a search can read, by path and place instead of by number."""
    memory.folded.follow()
    memory.words.follow()
    memory.places.follow()
    memory.paths.follow(memory.files)
    numbers = memory.files.numbers()
    places = {
        slot: (memory.files[number].path, place)
        for number in numbers
        for place, slot in enumerate(memory.files[number].slots)
    }
    files = np.array(numbers, np.int64)
    usage = memory.usage.of(files, memory.vocabulary, memory.keywords, memory.generation).tolist()
    by_path = {memory.files[number].path: number for number in numbers}
    return {
        "details": {places[slot]: details for slot, details in memory.details([*places]).items()},
        "found": {path: memory.file_number(path) == number for path, number in by_path.items()},
        "files": {path: _file(memory, number) for path, number in by_path.items()},
        "usage": {memory.files[n].path: round(value, 5) for n, value in zip(numbers, usage, strict=True)},
        "terms": {
            term: _scores(memory, id, places)
            for term, id in memory.vocabulary.items()
            if memory.keywords.df(id)
        },
        "names": {
            name: _named(memory, name) for name in ("alpha", "gammaRay", "gamma_rays", "größe", "none")
        },
        "words": {name: _words(memory, name) for name in ("alpha", "gammaRay", "größe")},
        "starts": {prefix: _starting(memory, prefix) for prefix in ("", "al", "gam", "ray", "x")},
        "stems": {stem: _paths(memory, memory.places.with_stem(stem)) for stem in ("a", "tool", "none")},
        "folders": {name: _folders(memory, name) for name in ("", "test", "v1", "v2")},
        "nearest": _nearest(memory, places),
    }


def _file(memory: MemoryIndex, number: int) -> Any:
    entry, rows = memory.files[number], memory.rows
    chunks = [
        (
            memory.kind(slot),
            memory.symbol(slot),
            memory.names[rows["container"][slot]],
            int(rows["key"][slot]),
        )
        for slot in entry.slots
    ]
    assert all(memory.slot(int(rows["chunk_id"][slot])) == slot for slot in entry.slots)
    assert all(slot in memory.keys.slots([int(rows["key"][slot])]) for slot in entry.slots)
    symbols = [memory.symbols.name(row) for row in memory.symbols.of_file(number)]
    return entry.id, entry.language, chunks, symbols, int(memory.paths.roles[number])


def _scores(memory: MemoryIndex, id: int, places: dict[int, Any]) -> dict[Any, float]:
    scores = memory.keywords.scores({id: 1.0}, memory.rows.size)
    return {places[int(slot)]: round(float(scores[slot]), 5) for slot in np.flatnonzero(scores)}


def _named(memory: MemoryIndex, name: str) -> list[str]:
    rows = [*memory.symbols.named(name)]
    for other in memory.folded.like([fold(name)]).get(fold(name), []):
        rows += memory.symbols.named(other)
    return sorted(memory.files[memory.symbols.columns["file"][row]].path for row in set(rows))


def _words(memory: MemoryIndex, name: str) -> list[str]:
    """The words of a name that is in use."""
    code = memory.names.find(name)
    if code is None or name not in {memory.symbols.name(row) for row in memory.symbols.named(name)}:
        return []
    sizes, words = memory.words.lists(np.array([code, code]))
    assert sizes.tolist() == [len(words) // 2] * 2
    return [memory.words._words[word] for word in words.tolist()]


def _starting(memory: MemoryIndex, prefix: str) -> list[str]:
    """The words of names in use that start with a prefix."""
    names = {memory.symbols.name(row) for row in memory.symbols.alive().tolist()}
    used = {stem(part) for name in names for part in split(name)}
    return sorted(used & {memory.words._words[word] for word in memory.words.starting_with([prefix])[0]})


def _paths(memory: MemoryIndex, numbers: list[int]) -> list[str]:
    alive = memory.file_rows["alive"]
    return sorted(memory.files[number].path for number in numbers if alive[number])


def _folders(memory: MemoryIndex, name: str) -> dict[str, list[str]]:
    """The folders with a name, as far as they have files."""
    found = {folder: memory.places.in_folder(folder) for folder in memory.places.folders_named(name)}
    return {folder: paths for folder, numbers in found.items() if (paths := _paths(memory, numbers))}


def _nearest(memory: MemoryIndex, places: dict[int, Any]) -> list[Any]:
    assert memory.space is not None
    probe = np.ones(_DIM, np.float32) / np.float32(4)
    slots, scores = memory.space.nearest(probe, 100, None)
    found = zip(slots.tolist(), scores.tolist(), strict=True)
    return sorted((round(score, 5), places[slot]) for slot, score in found)


@settings(max_examples=60, deadline=None)
@given(_STEPS)
def test_a_reopened_memory_index_equals_a_newly_built_one(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        catalog = _catalog(folder)
        memory = load_memory(catalog, folder)
        _embed(memory)
        for step in steps:
            if step == "save":
                save_image(memory, folder)
            elif step == "prune":
                catalog.prune_terms()
                memory.generation = catalog.generation
            elif step == "reopen":
                catalog.close()
                catalog = _catalog(folder)
                memory = load_memory(catalog, folder)
                _embed(memory)
            else:
                _edit(memory, *step)
        with closing(_catalog(folder, readonly=True)) as plain:
            fresh = load_memory(plain, None)
            _embed(fresh)
            expected = _held(fresh)
        assert _held(memory) == expected
        with closing(_catalog(folder, readonly=True)) as other:
            second = load_memory(other, folder)
            _embed(second)
            assert _held(second) == expected
        catalog.close()


@pytest.fixture
def saved(tmp_path: Path) -> MemoryIndex:
    memory = load_memory(_catalog(tmp_path), tmp_path)
    for path, text in zip(_PATHS, _TEXTS, strict=False):
        _edit(memory, path, text)
    save_image(memory, tmp_path)
    return memory


def test_a_saved_memory_index_is_mapped_and_up_to_date(saved: MemoryIndex, tmp_path: Path) -> None:
    assert not is_outdated(saved, 0, 0.0)
    again = open_image(saved.catalog, tmp_path)
    assert again is not None
    assert again.space is not None
    assert again.space.chunks.count == saved.live
    _edit(saved, "new.py", "def late():\n    return 1\n")
    assert is_outdated(saved, 0, 0.0)


def test_a_snapshot_is_outdated_when_its_files_were_parsed_again(saved: MemoryIndex) -> None:
    assert not is_outdated(saved, 1000, 1.0)
    for path, text in zip(_PATHS, _TEXTS, strict=False):
        _edit(saved, path, "\n" + text)
    assert is_outdated(saved, 1000, 1.0)


def test_unusable_snapshots_are_removed(saved: MemoryIndex, tmp_path: Path) -> None:
    for name in ("keywords.snapshot", "memory-1.snapshot", "memory-2.snapshot.77.tmp"):
        (tmp_path / name).write_bytes(b"left over")
    drop_stale_images(saved.catalog, tmp_path)
    assert list(tmp_path.glob("*.snapshot*")) == [saved.saved.path]


def test_only_one_snapshot_is_kept(saved: MemoryIndex, tmp_path: Path) -> None:
    save_image(saved, tmp_path)
    (only,) = tmp_path.glob("*.snapshot")
    assert only == saved.saved.path


@pytest.mark.parametrize("damage", [lambda raw: raw[: len(raw) // 2], lambda raw: b"x" * len(raw)])
def test_a_damaged_snapshot_is_not_opened(
    saved: MemoryIndex, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    (path,) = tmp_path.glob("*.snapshot")
    raw = path.read_bytes()
    path.unlink()
    path.write_bytes(damage(raw))
    assert open_image(saved.catalog, tmp_path) is None


def test_damage_of_a_large_snapshot_is_detected_later(
    saved: MemoryIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_CHECKED_AT_ONCE", 0)
    (path,) = tmp_path.glob("*.snapshot")
    again = open_image(saved.catalog, tmp_path)
    assert again is not None
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"gammaRay")] = 0
    path.write_bytes(raw)
    assert is_damaged(again)
    assert is_damaged(again), "the verdict is kept until the memory index is rebuilt"


def test_the_terms_that_were_in_memory_are_freed_once_they_are_mapped(tmp_path: Path) -> None:
    with closing(_catalog(tmp_path)) as catalog:
        memory = MemoryIndex(catalog)
        for path, text in zip(_PATHS, _TEXTS, strict=False):
            _edit(memory, path, text)
        _held(memory)
        terms = weakref.ref(memory.vocabulary)
        assert save_image(memory, tmp_path)
        gc.collect()
        assert terms() is None
