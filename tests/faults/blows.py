"""The faults of the campaign: each is something done to a running server, its files or its disk."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.damage import cut, fill, scribble
from tests.faults.patient import Patient

Blow = Callable[[Patient, random.Random], None]


def kill_while_indexing(patient: Patient, chance: random.Random) -> None:
    """SIGKILL while a third of the files is taken in."""
    patient.rewrite(chance, share=0.33)
    time.sleep(chance.uniform(0, 0.7))
    patient.kill()


def kill_while_saving(patient: Patient, chance: random.Random) -> None:
    """SIGKILL in the middle of a burst of saves."""
    timer = threading.Timer(chance.uniform(0, 0.7), patient.kill)
    timer.start()
    while timer.is_alive():
        patient.save(chance)
        time.sleep(chance.uniform(0, 0.05))
    timer.join()


def kill_while_building(patient: Patient, chance: random.Random) -> None:
    """SIGKILL at any moment of a first index, from the start of the process on."""
    patient.stop()
    shutil.rmtree(patient.index)
    patient.start(wait=False)
    time.sleep(chance.uniform(0.3, 1.5) * patient.start_seconds)
    patient.kill()


def second_window_while_building(patient: Patient, chance: random.Random) -> None:
    """A second window is opened at any moment of a first index; half of the time the first is then killed."""
    patient.stop()
    shutil.rmtree(patient.index)
    patient.start(wait=False)
    time.sleep(chance.uniform(0.3, 1.5) * patient.start_seconds)
    with patient.second_window() as second:
        if chance.random() < 0.5:
            patient.kill()
            patient.server.end()
            second.wait_ready()
            patient.start()
        second.wait_ready()
        told = [message for message in second.told if message["method"] == "window/showMessage"]
        assert not told, f"the second window was told {told}"


def save_beside_a_second_window(patient: Patient, chance: random.Random) -> None:
    """A second window searches while the first one saves, clears and reindexes."""
    with patient.second_window() as second:
        for _ in range(5):
            patient.rewrite(chance, share=0.3)
            second.request("workspace/semanticSearch", {"query": "user"})
        for command in ("sightline.clear", "sightline.reindex"):
            patient.server.request("workspace/executeCommand", {"command": command})
            second.request("workspace/semanticSearch", {"query": "user"})
        second.wait_ready()
        told = [message for message in second.told if message["method"] == "window/showMessage"]
        assert not told, f"the second window was told {told}"


def kill_the_vector_process(patient: Patient, chance: random.Random) -> None:
    """SIGKILL for the process that holds Chroma."""
    for pid in patient.children():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    patient.save(chance)


def stop_and_continue(patient: Patient, chance: random.Random) -> None:
    """SIGSTOP, saves meanwhile, SIGCONT."""
    patient.signal(signal.SIGSTOP)
    for _ in range(5):
        patient.save(chance)
    time.sleep(chance.uniform(0, 0.5))
    patient.signal(signal.SIGCONT)


def damage_catalog(patient: Patient, chance: random.Random) -> None:
    """The open catalog is cut, overwritten in places, or deleted."""
    file = patient.index / "catalog.sqlite"
    chance.choice((cut, scribble, Path.unlink))(file)
    patient.save(chance)


def damage_catalog_at_rest(patient: Patient, chance: random.Random) -> None:
    """The catalog is damaged while no server runs."""
    patient.stop()
    chance.choice((cut, scribble, Path.unlink))(patient.index / "catalog.sqlite")
    patient.start()


def damage_snapshots(patient: Patient, chance: random.Random) -> None:
    """What speeds up the next start is damaged."""
    patient.stop()
    for file in patient.index.glob("*.snapshot"):
        chance.choice((cut, scribble))(file)
    patient.start()


def damage_vector_store(patient: Patient, chance: random.Random) -> None:
    """Chroma's open folder is cut, overwritten in places, or deleted."""
    folder = patient.index / "chroma"
    damage = chance.choice((cut, scribble, None))
    if damage is None:
        shutil.rmtree(folder, ignore_errors=True)
    for file in folder.rglob("*"):
        if damage and file.is_file() and file.stat().st_size:
            damage(file)
    patient.save(chance)


def remove_cache(patient: Patient, chance: random.Random) -> None:
    """Somebody tidies up the cache folder under the running server."""
    for path in patient.cache.iterdir():
        shutil.rmtree(path)
    patient.save(chance)


def fill_disk(patient: Patient, chance: random.Random) -> None:
    """The disk of the cache is full during saves, then is not, and the next save comes at once."""
    filler = fill(patient.cache)
    patient.rewrite(chance, share=0.5)
    patient.search()
    if chance.random() < 0.5:
        patient.wait_failed()
        patient.save(chance)
    filler.unlink()
    patient.save(chance)


def read_only_disk(patient: Patient, chance: random.Random) -> None:
    """A server is started on a cache that cannot be written, and again on one that can."""
    patient.stop()
    patient.remount("ro")
    try:
        patient.start()
        patient.search()
        patient.stop()
    finally:
        patient.remount("rw")
    patient.start()


def jump_clock(patient: Patient, chance: random.Random) -> None:
    """Files are written with times of long ago and of years ahead."""
    for path in chance.sample(patient.files(), 5):
        patient.write(path, chance)
        seconds = time.time() + chance.choice((-1, 1)) * chance.uniform(1, 10**8)
        os.utime(path, (seconds, seconds))
        patient.tell(path)


def change_while_reading(patient: Patient, chance: random.Random) -> None:
    """A file is rewritten without a pause while the server is told of it again and again."""
    path = chance.choice(patient.files())
    for _ in range(200):
        patient.write(path, chance)
        patient.tell(path)


def ten_thousand_events(patient: Patient, chance: random.Random) -> None:
    """Ten thousand events at once, most about nothing."""
    patient.save(chance)
    files = patient.files()
    patient.tell(*(files[number % len(files)] for number in range(10_000)))


def remove_folder(patient: Patient, chance: random.Random) -> None:
    """The folder of the workspace goes away, changes and comes back, and the next save comes at once."""
    away = patient.root.with_name("away")
    changed = chance.sample(patient.files(), 5)
    patient.root.rename(away)
    for path in changed:
        patient.write(away / path.relative_to(patient.root), chance)
    # A walk fails, or a handful of saves.
    patient.tell(*(changed if chance.random() < 0.5 else [patient.root]))
    patient.search()
    patient.wait_failed()
    away.rename(patient.root)
    patient.save(chance)


def flip_rights(patient: Patient, chance: random.Random) -> None:
    """Files and a folder may not be read for a while."""
    shut = [*chance.sample(patient.files(), 3), patient.root / "lib"]
    modes = {path: path.stat().st_mode for path in shut}
    for path in reversed(shut):
        path.chmod(0)
    patient.tell(*shut)
    patient.search()
    for path, mode in reversed(modes.items()):
        path.chmod(mode)
    patient.save(chance)
    patient.tell(*shut)


KILLS: tuple[Blow, ...] = (kill_while_indexing, kill_while_saving, kill_while_building)
ON_OWN_DISK: tuple[Blow, ...] = (fill_disk, read_only_disk)
OTHERS: tuple[Blow, ...] = (
    second_window_while_building,
    save_beside_a_second_window,
    kill_the_vector_process,
    stop_and_continue,
    damage_catalog,
    damage_catalog_at_rest,
    damage_snapshots,
    damage_vector_store,
    remove_cache,
    jump_clock,
    change_while_reading,
    ten_thousand_events,
    remove_folder,
    flip_rights,
)
