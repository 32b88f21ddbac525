"""The faults of the campaign: each one disturbs a running server, its files or its disk."""

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

Fault = Callable[[ServerUnderTest, random.Random], None]


def kill_while_indexing(server: ServerUnderTest, rng: random.Random) -> None:
    """SIGKILL while a third of the files is being indexed."""
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
    """SIGKILL at any moment of a first index, including process start."""
    server.stop()
    shutil.rmtree(server.index)
    server.start(wait=False)
    time.sleep(rng.uniform(0.3, 1.5) * server.start_seconds)
    server.kill()


def second_window_while_building(server: ServerUnderTest, rng: random.Random) -> None:
    """A second window opens at any moment of a first index; half of the time the first one is then killed."""
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
        assert not second.shown(), f"the second window showed {second.shown()}"


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
        assert not second.shown(), f"the second window showed {second.shown()}"


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
    """The snapshots, which speed up the next start, are damaged."""
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
    """The contents of the cache folder are deleted while the server runs."""
    for path in server.cache.iterdir():
        shutil.rmtree(path)
    server.save(rng)


def fill_disk(server: ServerUnderTest, rng: random.Random) -> None:
    """The cache disk is full during saves, is freed, and the next save follows immediately."""
    filler = fill(server.cache)
    server.rewrite(rng, share=0.5)
    server.search()
    if rng.random() < 0.5:
        server.wait_failed()
        server.save(rng)
    filler.unlink()
    server.save(rng)


def read_only_disk(server: ServerUnderTest, rng: random.Random) -> None:
    """A server is started on a read-only cache, and again on a writable one."""
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
    """Files are written with modification times far in the past or in the future."""
    for path in rng.sample(server.files(), 5):
        server.write(path, rng)
        seconds = time.time() + rng.choice((-1, 1)) * rng.uniform(1, 10**8)
        os.utime(path, (seconds, seconds))
        server.notify(path)


def change_while_reading(server: ServerUnderTest, rng: random.Random) -> None:
    """A file is rewritten continuously, with a change notification after each write."""
    path = rng.choice(server.files())
    for _ in range(200):
        server.write(path, rng)
        server.notify(path)


def ten_thousand_events(server: ServerUnderTest, rng: random.Random) -> None:
    """Ten thousand events at once, most for unchanged files."""
    server.save(rng)
    files = server.files()
    server.notify(*(files[number % len(files)] for number in range(10_000)))


def remove_folder(server: ServerUnderTest, rng: random.Random) -> None:
    """The workspace folder disappears, changes and comes back, and the next save follows immediately."""
    away = server.root.with_name("away")
    changed = rng.sample(server.files(), 5)
    server.root.rename(away)
    for path in changed:
        server.write(away / path.relative_to(server.root), rng)
    # Either a walk of the whole folder fails, or a few saves fail.
    server.notify(*(changed if rng.random() < 0.5 else [server.root]))
    server.search()
    server.wait_failed()
    away.rename(server.root)
    server.save(rng)


def toggle_permissions(server: ServerUnderTest, rng: random.Random) -> None:
    """Some files and a folder are unreadable for a while."""
    unreadable = [*rng.sample(server.files(), 3), server.root / "lib"]
    modes = {path: path.stat().st_mode for path in unreadable}
    for path in reversed(unreadable):
        path.chmod(0)
    server.notify(*unreadable)
    server.search()
    for path, mode in reversed(modes.items()):
        path.chmod(mode)
    server.save(rng)
    server.notify(*unreadable)


KILLS: tuple[Fault, ...] = (kill_while_indexing, kill_while_saving, kill_while_building)
ON_OWN_DISK: tuple[Fault, ...] = (fill_disk, read_only_disk)
OTHERS: tuple[Fault, ...] = (
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
    toggle_permissions,
)
