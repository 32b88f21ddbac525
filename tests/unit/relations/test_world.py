"""What is kept about an image goes with it, and follows it."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

from sightline.relations.world import World
from tests.unit.search.small_index import build_image, store_file


def test_an_image_is_not_kept_alive_by_what_is_known_of_it(tmp_path: Path) -> None:
    image = build_image(tmp_path / "project", {"a.py": "def f(): ...\n"}, vectors=False)
    assert World.of(image) is World.of(image)
    watched = ref(image)
    del image
    gc.collect()
    assert watched() is None


def test_the_facts_of_a_saved_file_are_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    image = build_image(folder, {"a.py": "def f():\n    g()\n"}, vectors=False)
    world = World.of(image)
    number = image.file_number("a.py")
    assert number is not None
    assert [call.name for call in world.facts(number).calls()] == ["g"]
    (folder / "a.py").write_text("def f():\n    h()\n")
    with image.catalog.writing():
        store_file(image.catalog, folder, "a.py")
    changed = image.catalog.file("a.py")
    assert changed is not None
    image.symbols.replace(number, image.catalog.symbols_of(changed.id), image.files[number].slots)
    assert [call.name for call in world.facts(number).calls()] == ["h"]
