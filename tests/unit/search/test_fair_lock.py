"""The lock that searches take one after the other."""

from __future__ import annotations

import threading
import time

import pytest

from sightline.search.fair_lock import FairLock

_THREADS = 6


def _until_waiting(lock: FairLock, count: int) -> None:
    while len(lock._waiting) < count:
        time.sleep(0.001)


def test_threads_get_the_lock_in_the_order_in_which_they_asked() -> None:
    lock, order = FairLock(), list[int]()

    def work(number: int) -> None:
        with lock:
            order.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(_THREADS)]
    with lock:
        for number, thread in enumerate(threads):
            thread.start()
            _until_waiting(lock, number + 1)
    for thread in threads:
        thread.join()
    assert order == list(range(_THREADS))


def test_one_thread_at_a_time_has_the_lock() -> None:
    lock, inside, most = FairLock(), list[int](), list[int]()

    def work(number: int) -> None:
        for _ in range(200):
            with lock:
                inside.append(number)
                most.append(len(inside))
                inside.remove(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * (200 * _THREADS)


def test_an_error_releases_the_lock() -> None:
    lock = FairLock()
    with pytest.raises(ValueError, match="wrong"), lock:
        raise ValueError("wrong")
    with lock:
        pass
