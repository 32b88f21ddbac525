"""One server under the requests of eight busy people while files are saved: errors, latencies, memory.

    python tests/benchmarks/load.py [--chunks 100000] [--minutes 10] [--clients 8] [--windows 1] [--record]

Each client asks, waits a moment (200 ms on average) and asks something else. A save counts as done when its
new text is found. With several windows each is a server on the same folder, as editors start them: one writes
the index, the others follow, and every window hears of every save. The run fails on any error, and when the
server's memory has grown by more than the bound.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks import options
from tests.benchmarks.corpus import make_workspace, sentence
from tests.benchmarks.curves import Panel, panels
from tests.benchmarks.processes import family_mb, resident_mb
from tests.benchmarks.report import DOCS, percentile, record, table
from tests.benchmarks.shared_client import SharedClient

_PAUSE_SECONDS = 0.2
_SAMPLE_SECONDS = 1.0
# Memory at the end against memory after a tenth of the run: a tenth more, and room for one merge of the
# keyword index, which holds the old and the new one for a moment.
_GROWTH_SHARE = 1.10
_GROWTH_MB = 64.0
_FIND_SECONDS = 60.0
# FileChangeType.Changed of the protocol.
_CHANGED = 2
_MIX = {"search": 40, "symbols": 15, "hover": 15, "related": 10, "status": 10, "save": 10}


@dataclass(slots=True)
class Log:
    """What happened, by kind of request."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    messages: list[str] = field(default_factory=list)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def run(self, kind: str, action: Callable[[], object]) -> None:
        """Do something and note how long it took, or what went wrong."""
        started = time.perf_counter()
        try:
            action()
        except (RuntimeError, TimeoutError, OSError) as error:
            with self.guard:
                self.errors[kind] += 1
                self.messages.append(f"{kind}: {error}")
            return
        with self.guard:
            self.times[kind].append((time.perf_counter() - started) * 1000)


class Person:
    """One client's worth of requests; files that it saves are its own."""

    def __init__(self, number: int, windows: Sequence[SharedClient], files: Sequence[Path]) -> None:
        self._number = number
        self._client = windows[number % len(windows)]
        self._others = [window for window in windows if window is not self._client]
        self._files = files
        self._chance = random.Random(number)
        self._saves = 0

    def work(self, until: float, log: Log) -> None:
        """Ask until the time is up."""
        kinds, weights = list(_MIX), list(_MIX.values())
        while time.monotonic() < until:
            (kind,) = self._chance.choices(kinds, weights)
            log.run(kind, getattr(self, kind))
            time.sleep(self._chance.expovariate(1 / _PAUSE_SECONDS))

    def search(self) -> None:
        """A sentence that nobody has asked before."""
        self._client.request("workspace/semanticSearch", {"query": sentence(self._chance)})

    def symbols(self) -> None:
        """The beginning of a name."""
        name = "".join(word.title() for word in sentence(self._chance).split()[:2])
        self._client.request("workspace/symbol", {"query": name[: self._chance.randint(2, 8)]})

    def hover(self) -> None:
        """A name somewhere in a file."""
        self._client.request("textDocument/hover", self._place())

    def related(self) -> None:
        """What has to do with a function."""
        self._client.request("textDocument/related", self._place())

    def status(self) -> None:
        """How the index is."""
        self._client.request("workspace/indexStatus", {})

    def save(self) -> None:
        """Change one function of a file, and wait until that is found."""
        path = self._chance.choice(self._files)
        self._saves += 1
        marker = f"saved_by_{self._number}_as_{self._saves}"
        functions = path.read_text(encoding="utf-8").split("\n\n")
        functions[self._chance.randrange(len(functions))] = f"def {marker}(value):\n    return value\n"
        path.write_text("\n\n".join(functions), encoding="utf-8")
        self._client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
        for window in self._others:
            changes = [{"uri": path.as_uri(), "type": _CHANGED}]
            window.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        deadline = time.monotonic() + _FIND_SECONDS
        while not self._finds(marker):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{marker} was not found within {_FIND_SECONDS:.0f} s")
            time.sleep(0.02)

    def _finds(self, marker: str) -> bool:
        asked = {"query": marker, "limit": 1, "mode": "keyword", "context": "none"}
        results = self._client.request("workspace/semanticSearch", asked)["results"]
        return any(hit.get("symbol", {}).get("name") == marker for hit in results)

    def _place(self) -> dict[str, object]:
        path = self._chance.choice(self._files)
        lines = path.read_text(encoding="utf-8").splitlines()
        heads = [number for number, line in enumerate(lines) if line.startswith("def ")]
        position = {"line": self._chance.choice(heads), "character": 6}
        return {"textDocument": {"uri": path.as_uri()}, "position": position}


Memory = list[tuple[float, float]]


def run(windows: Sequence[SharedClient], root: Path, clients: int, seconds: float) -> tuple[Log, Memory]:
    """Have every client work for a while; the log, and the memory of the first server over time."""
    files = sorted(root.rglob("*.py"))
    log, started = Log(), time.monotonic()
    people = [Person(number, windows, files[number::clients][:200]) for number in range(clients)]
    threads = [threading.Thread(target=person.work, args=(started + seconds, log)) for person in people]
    for thread in threads:
        thread.start()
    memory: Memory = []
    while any(thread.is_alive() for thread in threads):
        memory.append((time.monotonic() - started, resident_mb(windows[0].process.pid)))
        time.sleep(_SAMPLE_SECONDS)
    return log, memory


def growth(memory: Memory) -> tuple[float, float]:
    """Memory after the first tenth of the run and at its end, each over a tenth."""
    tenth = max(1, len(memory) // 10)
    early = memory[tenth : 2 * tenth] or memory
    return statistics.median(mb for _, mb in early), statistics.median(mb for _, mb in memory[-tenth:])


def _row(kind: str, times: list[float], errors: int) -> tuple[object, ...]:
    name = "save until found" if kind == "save" else kind
    return name, len(times), errors, statistics.median(times), percentile(times, 0.99), max(times)


def summary(log: Log, seconds: float) -> str:
    """The latencies as a table."""
    rows = [_row(kind, times, log.errors[kind]) for kind in _MIX if (times := log.times[kind])]
    total = sum(map(len, log.times.values()))
    head = ("request", "answered", "errors", "p50, ms", "p99, ms", "longest, ms")
    pace = f"{total:,} requests in {seconds / 60:g} minutes, {total / seconds:.0f} a second."
    return f"{table(head, rows)}\n\n{pace}"


def main() -> None:
    """Make a workspace, index it, let people loose on it, and say how it went."""
    parser = options.parser(__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--windows", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write into docs/benchmarks.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "project").resolve()
        make_workspace(root, given.chunks)
        variables = {"SIGHTLINE_CACHE_DIR": str(Path(scratch, "cache"))}
        windows = [SharedClient(variables) for _ in range(given.windows)]
        for window in windows:
            window.initialize(root)
            status = window.wait_ready()
        log, memory = run(windows, root, given.clients, given.minutes * 60)
        whole = sum(family_mb(window.process.pid) for window in windows)
        for window in windows:
            window.close()
    before, after = growth(memory)
    bound = before * _GROWTH_SHARE + _GROWTH_MB
    text = "\n".join(
        [
            f"{given.clients} clients in {given.windows} windows, {status['chunks']:,} chunks.\n",
            summary(log, given.minutes * 60),
            f"Memory of the server: {before:.0f} MB after a tenth of the run, {after:.0f} MB at its end, "
            f"{max(mb for _, mb in memory):.0f} MB at most, {whole:.0f} MB with its children; "
            f"bound {bound:.0f} MB ({'holds' if after <= bound else 'missed'}).",
        ]
    )
    print(text, *log.messages[:10], sep="\n")
    if given.record:
        chart = panels("Under load", [Panel("memory of the server, MB by second", memory, log=False)])
        (DOCS / "images" / "load.svg").write_text(chart, encoding="utf-8")
        record("load", text)
    if log.errors or after > bound:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
