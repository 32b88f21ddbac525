"""One server under the requests of eight busy users while files are saved: errors, latencies, memory.

    python tests/benchmarks/load.py [--chunks 100000] [--minutes 10] [--clients 8] [--windows 1]
        [--pause 0.2] [--work DIR] [--record]

Each client sends a request, waits (`--pause` seconds on average) and sends another. A save counts as done
when its new text is found. With several windows each is a server on the same folder, as editors start them:
one writes the index, the others follow, and every window is notified of every save. The run fails on any
error, and when the server's memory has grown by more than the bound. `--work` keeps the project and its index
for the next run.
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
from tests.benchmarks.processes import family_mb, processor_seconds, resident_mb
from tests.benchmarks.report import DOCS, percentile, record, table
from tests.benchmarks.shared_client import SharedClient

_SAMPLE_SECONDS = 1.0
# Bound on memory at the end relative to memory after a tenth of the run: 10 % more, plus room for one merge
# of the keyword index, which briefly holds the old and the new index.
_GROWTH_SHARE = 1.10
_GROWTH_MB = 64.0
_FIND_SECONDS = 60.0
# FileChangeType.Changed of the protocol.
_CHANGED = 2
_MIX = {"search": 40, "symbols": 15, "hover": 15, "related": 10, "status": 10, "save": 10}


@dataclass(slots=True)
class Log:
    """Times and errors by kind of request."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    messages: list[str] = field(default_factory=list)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def run(self, kind: str, action: Callable[[], object]) -> None:
        """Run an action and record its duration or its error."""
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


class SimulatedUser:
    """The requests of one client; no other client saves its files."""

    def __init__(
        self, number: int, windows: Sequence[SharedClient], files: Sequence[Path], pause: float
    ) -> None:
        self._number = number
        self._pause = pause
        self._client = windows[number % len(windows)]
        self._others = [window for window in windows if window is not self._client]
        self._files = files
        self._rng = random.Random(number)
        self._saves = 0

    def work(self, until: float, log: Log) -> None:
        """Send requests until the time is up."""
        kinds, weights = list(_MIX), list(_MIX.values())
        while time.monotonic() < until:
            (kind,) = self._rng.choices(kinds, weights)
            log.run(kind, getattr(self, kind))
            time.sleep(self._rng.expovariate(1 / self._pause) if self._pause else 0)

    def search(self) -> None:
        """Search for a random sentence that was not sent before."""
        self._client.request("workspace/semanticSearch", {"query": sentence(self._rng)})

    def symbols(self) -> None:
        """Look up the beginning of a symbol name."""
        name = "".join(word.title() for word in sentence(self._rng).split()[:2])
        self._client.request("workspace/symbol", {"query": name[: self._rng.randint(2, 8)]})

    def hover(self) -> None:
        """Hover over the name of a function."""
        self._client.request("textDocument/hover", self._place())

    def related(self) -> None:
        """Request the code related to a function."""
        self._client.request("textDocument/related", self._place())

    def status(self) -> None:
        """Request the status of the index."""
        self._client.request("workspace/indexStatus", {})

    def save(self) -> None:
        """Replace one function of a file and wait until a search finds the new one."""
        path = self._rng.choice(self._files)
        self._saves += 1
        marker = f"saved_by_{self._number}_as_{self._saves}"
        functions = path.read_text(encoding="utf-8").split("\n\n")
        functions[self._rng.randrange(len(functions))] = f"def {marker}(value):\n    return value\n"
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
        path = self._rng.choice(self._files)
        lines = path.read_text(encoding="utf-8").splitlines()
        heads = [number for number, line in enumerate(lines) if line.startswith("def ")]
        position = {"line": self._rng.choice(heads), "character": 6}
        return {"textDocument": {"uri": path.as_uri()}, "position": position}


Memory = list[tuple[float, float]]


def run(
    windows: Sequence[SharedClient], root: Path, clients: int, seconds: float, pause: float
) -> tuple[Log, Memory]:
    """Run all clients for a while; return the log and the memory of the first server over time."""
    files = sorted(root.rglob("*.py"))
    log, started = Log(), time.monotonic()
    own = [files[number::clients][:200] for number in range(clients)]
    users = [SimulatedUser(number, windows, own[number], pause) for number in range(clients)]
    threads = [threading.Thread(target=user.work, args=(started + seconds, log)) for user in users]
    for thread in threads:
        thread.start()
    memory: Memory = []
    while any(thread.is_alive() for thread in threads):
        memory.append((time.monotonic() - started, resident_mb(windows[0].process.pid)))
        time.sleep(_SAMPLE_SECONDS)
    return log, memory


def growth(memory: Memory) -> tuple[float, float]:
    """Median memory over the second and the last tenth of the run."""
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
    """Create a workspace, index it, run the load and print the result."""
    parser = options.parser(__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--windows", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between requests of a client")
    parser.add_argument("--work", type=Path, help="keep the project and its index here")
    parser.add_argument("--record", action="store_true", help="write into docs/benchmarks.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = given.work or Path(scratch)
        root = (work / "project").resolve()
        if not root.exists():
            make_workspace(root, given.chunks)
        variables = {"SIGHTLINE_CACHE_DIR": str(work / "cache")}
        windows = [SharedClient(variables) for _ in range(given.windows)]
        for window in windows:
            window.initialize(root)
            status = window.wait_ready()
        busy = -sum(processor_seconds(window.process.pid) for window in windows)
        log, memory = run(windows, root, given.clients, given.minutes * 60, given.pause)
        busy += sum(processor_seconds(window.process.pid) for window in windows)
        whole = sum(family_mb(window.process.pid) for window in windows)
        for window in windows:
            window.close()
    before, after = growth(memory)
    bound = before * _GROWTH_SHARE + _GROWTH_MB
    text = "\n".join(
        [
            f"{given.clients} clients in {given.windows} windows, {status['chunks']:,} chunks, "
            f"{given.pause:g} s between requests.\n",
            summary(log, given.minutes * 60),
            f"Processor time: {busy * 1000 / sum(map(len, log.times.values())):.1f} ms a request.",
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
