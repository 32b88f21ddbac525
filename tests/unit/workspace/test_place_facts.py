"""What is kept of the places that were shown is dropped when the index changes."""

from __future__ import annotations

from pathlib import Path

from sightline.search.results.place_facts import KnownFacts
from sightline.search.results.places import Label
from sightline.types import Hit, SearchRequest
from sightline.workspace import Workspace


def _found(workspace: Workspace, query: str) -> Hit:
    hits = workspace.search(SearchRequest(query)).hits
    return next(hit for hit in hits if hit.path == "sockets.py")


def test_a_hit_shows_the_symbol_and_lines_of_the_last_save(workspace: Workspace, root: Path) -> None:
    workspace.add_folder(root)
    assert workspace.wait_idle(60)
    before = _found(workspace, "read_socket")
    text = (root / "sockets.py").read_text()
    (root / "sockets.py").write_text("# read\n\n" + text.replace("(socket)", "(socket, size)"))
    workspace.changed([root / "sockets.py"])
    assert workspace.wait_idle(60)
    after = _found(workspace, "read_socket")
    assert (before.start_line, after.start_line) == (0, 2)
    assert after.symbol is not None
    assert after.symbol.signature == "def read_socket(socket, size)"


def test_facts_of_a_chunk_that_stays_are_those_of_its_changed_file(workspace: Workspace, root: Path) -> None:
    notes = root / "notes.txt"
    notes.write_text("".join(f"line {number} of some notes about sockets\n\n" for number in range(200)))
    folder = workspace.add_folder(root)
    assert workspace.wait_idle(60)
    memory = folder.memory
    assert memory is not None
    number = memory.file_number("notes.txt")
    assert number is not None
    slot, known = memory.files.slots(number)[0], KnownFacts(memory)
    place = [slot], [Label(None, memory.span(slot))]
    (before,), (again,) = known.of(*place), known.of(*place)
    assert before is again
    notes.write_text(notes.read_text() + "the end\n")
    workspace.changed([notes])
    assert workspace.wait_idle(60)
    assert memory.files.slots(number)[0] == slot
    (after,) = known.of(*place)
    assert before.digest != after.digest == memory.files[number].digest
