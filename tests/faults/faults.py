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
from tests.faults.server_under_test import ServerUnderTest

Blow = Callable[[ServerUnderTest, random.Random], None]


def kill_while_indexing(server: ServerUnderTest, rng: random.Random) -> None:
    """SIGKILL while a third of the files is taken in."""
    server.rewrite(rng, share=0.33)
    time.sleep(rng.uniform(0, 0.7))
    server.kill()


def kill_while_saving(server: ServerUnderTest, rng: random.Random) -> None:
    """SIGKILL in the middle of a burst of saves."""
    timer = threading.Timer(rng.uniform(0, 0.7), server.kill)
    timer.start()
    while timer.is_alive():
        server.save(rng)
        time.sleep(rng.uniform(0, 0.05))
    timer.join()


def kill_while_building(server: ServerUnderTest, rng: random.Random) -> None:
    """SIGKILL at any moment of a first index, from the start of the process on."""
    server.stop()
    shutil.rmtree(server.index)
    server.start(wait=False)
    time.sleep(rng.uniform(0.3, 1.5) * server.start_seconds)
    server.kill()


def second_window_while_building(server: ServerUnderTest, rng: random.Random) -> None:
    """A second window is opened at any moment of a first index; half of the time the first is then killed."""
    server.stop()
    shutil.rmtree(server.index)
    server.start(wait=False)
    time.sleep(rng.uniform(0.3, 1.5) * server.start_seconds)
    with server.second_window() as second:
        if rng.random() < 0.5:
            server.kill()
            server.server.end()
            second.wait_ready()
            server.start()
        second.wait_ready()
        told = [message for message in second.told if message["method"] == "window/showMessage"]
        assert not told, f"the second window was told {told}"


def save_beside_a_second_window(server: ServerUnderTest, rng: random.Random) -> None:
    """A second window searches while the first one saves, clears and reindexes."""
    with server.second_window() as second:
        for _ in range(5):
            server.rewrite(rng, share=0.3)
            second.request("workspace/semanticSearch", {"query": "user"})
        for command in ("sightline.clear", "sightline.reindex"):
            server.server.request("workspace/executeCommand", {"command": command})
            second.request("workspace/semanticSearch", {"query": "user"})
        second.wait_ready()
        told = [message for message in second.told if message["method"] == "window/showMessage"]
        assert not told, f"the second window was told {told}"


def kill_the_vector_process(server: ServerUnderTest, rng: random.Random) -> None:
    """SIGKILL for the process that holds Chroma."""
    for pid in server.children():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    server.save(rng)


def stop_and_continue(server: ServerUnderTest, rng: random.Random) -> None:
    """SIGSTOP, saves meanwhile, SIGCONT."""
    server.signal(signal.SIGSTOP)
    for _ in range(5):
        server.save(rng)
    time.sleep(rng.uniform(0, 0.5))
    server.signal(signal.SIGCONT)


def damage_catalog(server: ServerUnderTest, rng: random.Random) -> None:
    """The open catalog is cut, overwritten in places, or deleted."""
    file = server.index / "catalog.sqlite"
    rng.choice((cut, scribble, Path.unlink))(file)
    server.save(rng)


def damage_catalog_at_rest(server: ServerUnderTest, rng: random.Random) -> None:
    """The catalog is damaged while no server runs."""
    server.stop()
    rng.choice((cut, scribble, Path.unlink))(server.index / "catalog.sqlite")
    server.start()


def damage_snapshots(server: ServerUnderTest, rng: random.Random) -> None:
    """What speeds up the next start is damaged."""
    server.stop()
    for file in server.index.glob("*.snapshot"):
        rng.choice((cut, scribble))(file)
    server.start()


def damage_vector_store(server: ServerUnderTest, rng: random.Random) -> None:
    """Chroma's open folder is cut, overwritten in places, or deleted."""
    folder = server.index / "chroma"
    damage = rng.choice((cut, scribble, None))
    if damage is None:
        shutil.rmtree(folder, ignore_errors=True)
    for file in folder.rglob("*"):
        if damage and file.is_file() and file.stat().st_size:
            damage(file)
    server.save(rng)


def remove_cache(server: ServerUnderTest, rng: random.Random) -> None:
    """Somebody tidies up the cache folder under the running server."""
    for path in server.cache.iterdir():
        shutil.rmtree(path)
    server.save(rng)


def fill_disk(server: ServerUnderTest, rng: random.Random) -> None:
    """The disk of the cache is full during saves, then is not, and the next save comes at once."""
    filler = fill(server.cache)
    server.rewrite(rng, share=0.5)
    server.search()
    if rng.random() < 0.5:
        server.wait_failed()
        server.save(rng)
    filler.unlink()
    server.save(rng)


def read_only_disk(server: ServerUnderTest, rng: random.Random) -> None:
    """A server is started on a cache that cannot be written, and again on one that can."""
    server.stop()
    server.remount("ro")
    try:
        server.start()
        server.search()
        server.stop()
    finally:
        server.remount("rw")
    server.start()


def jump_clock(server: ServerUnderTest, rng: random.Random) -> None:
    """Files are written with times of long ago and of years ahead."""
    for path in rng.sample(server.files(), 5):
        server.write(path, rng)
        seconds = time.time() + rng.choice((-1, 1)) * rng.uniform(1, 10**8)
        os.utime(path, (seconds, seconds))
        server.notify(path)


def change_while_reading(server: ServerUnderTest, rng: random.Random) -> None:
    """A file is rewritten without a pause while the server is told of it again and again."""
    path = rng.choice(server.files())
    for _ in range(200):
        server.write(path, rng)
        server.notify(path)


def ten_thousand_events(server: ServerUnderTest, rng: random.Random) -> None:
    """Ten thousand events at once, most about nothing."""
    server.save(rng)
    files = server.files()
    server.notify(*(files[number % len(files)] for number in range(10_000)))


def remove_folder(server: ServerUnderTest, rng: random.Random) -> None:
    """The folder of the workspace goes away, changes and comes back, and the next save comes at once."""
    away = server.root.with_name("away")
    changed = rng.sample(server.files(), 5)
    server.root.rename(away)
    for path in changed:
        server.write(away / path.relative_to(server.root), rng)
    # A walk fails, or a handful of saves.
    server.notify(*(changed if rng.random() < 0.5 else [server.root]))
    server.search()
    server.wait_failed()
    away.rename(server.root)
    server.save(rng)


def flip_rights(server: ServerUnderTest, rng: random.Random) -> None:
    """Files and a folder may not be read for a while."""
    shut = [*rng.sample(server.files(), 3), server.root / "lib"]
    modes = {path: path.stat().st_mode for path in shut}
    for path in reversed(shut):
        path.chmod(0)
    server.notify(*shut)
    server.search()
    for path, mode in reversed(modes.items()):
        path.chmod(mode)
    server.save(rng)
    server.notify(*shut)


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
