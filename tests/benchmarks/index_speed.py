"""Cold index, save to searchable, warm open, memory and disk: ratios measured in one run.

python tests/benchmarks/index_speed.py cold [--repo FOLDER]     against semble, if installed; of a folder
                                                                only the files that both would index;
                                                                on one core with `taskset -c 0` before it
python tests/benchmarks/index_speed.py growth [--small 10000 --large 100000]
python tests/benchmarks/index_speed.py worktree [--large 50000] a second work tree against a cold index
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sightline.interpreter import tune_interpreter
from tests.benchmarks import options
from tests.benchmarks.corpus import long_file, make_workspace
from tests.benchmarks.processes import compiled, family_mb, own_peak_mb
from tests.benchmarks.ranking.others import semble_model
from tests.benchmarks.tools import installed

_ROUNDS = 7
_FEW_ROUNDS = 3
_SAVES = 5
_IMPORTS = "import pygls.lsp.server, numpy, chromadb, fastembed"


def main() -> None:
    """Run one of the benchmarks, or one step of it when started as a subprocess."""
    parser = options.parser(__doc__)
    parser.add_argument("what", choices=("cold", "growth", "worktree", *_STEPS))
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    given = parser.parse_args()
    if given.what in _STEPS:
        if given.what in _OWN_STEPS:
            # As the command line does before anything else.
            tune_interpreter()
        print(json.dumps(_STEPS[given.what](given.repo)))
    elif given.what == "cold":
        _cold(given.repo)
    elif given.what == "worktree":
        _worktree(given.large)
    else:
        _growth(given.small, given.large)


def _cold(repo: Path | None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "repo")
        if repo is None:
            make_workspace(root, 10_000)
        else:
            _copy(repo.resolve(), root)
        print(f"{sum(path.is_file() for path in root.rglob('*'))} files")
        rows: dict[str, list[dict[str, float]]] = {"index": [], "semble": []}
        step("index", root)
        # Alternate, so that background load affects both equally.
        for _ in range(_ROUNDS):
            for name in ("index", "semble") if installed("semble") else ("index",):
                rows[name].append(step(name, root))
    for what in ("seconds", "processor"):
        _compare(what, *([each[what] for each in rows[name]] for name in ("index", "semble")))


def _compare(what: str, ours: list[float], theirs: list[float]) -> None:
    print(f"{what}: sightline {_seconds(ours)}")
    if theirs:
        print(f"{what}: semble {_seconds(theirs)}")
        pairs = [each / other for each, other in zip(ours, theirs, strict=True)]
        best = min(ours) / min(theirs)
        print(
            f"{what}: ratio {statistics.median(pairs):.2f} in the median round, {best:.2f} of the best ones"
        )


def _copy(repo: Path, root: Path) -> None:
    """Copy the files of a folder that semble indexes; it skips prose, data and settings."""
    if not installed("semble"):
        shutil.copytree(repo, root)
        return
    for path in step("files", repo)["files"]:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repo / path, target)


def _seconds(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} s, at best {min(values):.2f} s"


def _growth(small: int, large: int) -> None:
    saves: dict[int, dict[str, float]] = {}
    for chunks in (small, large):
        with tempfile.TemporaryDirectory() as scratch:
            os.environ["SIGHTLINE_CACHE_DIR"] = str(Path(scratch, "cache"))
            root = Path(scratch, "repo")
            make_workspace(root, chunks)
            built = step("index", root)
            saves[chunks] = step("save", root)
            warm = step("warm", root)
            del os.environ["SIGHTLINE_CACHE_DIR"]
        per = built["chunks"] / 10_000
        print(f"{built['chunks']} chunks: built in {built['seconds']:.1f} s, warm in {warm['seconds']:.2f} s")
        print(f"  peak memory {built['peak_mb']:.0f} MB building, {warm['peak_mb']:.0f} MB warm")
        print(f"  each 10,000: disk {built['disk_mb'] / per:.1f} MB, memory {built['peak_mb'] / per:.0f} MB")
        print(f"  warm / build {warm['seconds'] / built['seconds']:.3f}, save {_save_line(saves[chunks])}")
    imports = _import_seconds()
    for what in ("seconds", "answered"):
        print(f"save {large} / {small}, {what}: {saves[large][what] / saves[small][what]:.2f}")
    print(f"warm / importing the libraries ({imports:.2f} s): {warm['seconds'] / imports:.2f}")


def _worktree(chunks: int) -> None:
    """Index the same commit in two work trees each round: from scratch, then next to the first index."""
    ratios: dict[str, list[float]] = {"seconds": [], "processor": []}
    for _ in range(_FEW_ROUNDS):
        with tempfile.TemporaryDirectory() as scratch:
            first, second = Path(scratch, "first"), Path(scratch, "second")
            files = make_workspace(first, chunks)
            _commit(first)
            subprocess.run(["git", "-C", first, "worktree", "add", "--quiet", second], check=True)
            os.environ["SIGHTLINE_CACHE_DIR"] = str(Path(scratch, "cache"))
            cold, warm = step("index", first), step("index", second)
            del os.environ["SIGHTLINE_CACHE_DIR"]
        assert warm["chunks"] == cold["chunks"]
        for what, found in ratios.items():
            found.append(warm[what] / cold[what])
        print(f"{files} files: {cold['seconds']:.1f} s cold, {warm['seconds']:.1f} s as a second work tree")
    for what, found in ratios.items():
        print(f"ratio of {what}: {statistics.median(found):.3f} in the median, at most {max(found):.3f}")


def _commit(root: Path) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    for command in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message", "all")):
        subprocess.run(["git", *who, *command], cwd=root, check=True)


def _save_line(save: dict[str, float]) -> str:
    """The time from a save to the start of the first search that finds it, and to the first hybrid answer."""
    return (
        f"searchable after {save['seconds'] * 1000:.0f} ms, answered after {save['answered'] * 1000:.0f} ms"
    )


def step(name: str, root: Path, script: str = __file__) -> dict[str, Any]:
    """Run one step of a script in a subprocess and return the figures it prints."""
    command = [sys.executable, script, name, "--repo", str(root)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=compiled())
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _index(root: Path) -> dict[str, Any]:
    started, before = time.perf_counter(), _processor()
    from sightline.workspace import Workspace

    scratch = None if os.environ.get("SIGHTLINE_CACHE_DIR") else tempfile.TemporaryDirectory()
    if scratch:
        os.environ["SIGHTLINE_CACHE_DIR"] = scratch.name
    workspace = Workspace()
    folder = workspace.add_folder(root)
    most = 0.0
    # The parser processes count too, and they have exited at the end.
    while not folder.wait_idle(1.0):
        most = max(most, family_mb(os.getpid()))
    seconds, processor = time.perf_counter() - started, _processor() - before
    status = folder.status()
    assert status.state == "ready", status
    workspace.close(60)
    return {
        "seconds": seconds,
        "processor": processor,
        "files": status.files_indexed,
        "chunks": status.chunks,
        "peak_mb": max(most, own_peak_mb()),
        "disk_mb": status.disk_bytes / 1e6,
    }


def _processor() -> float:
    """The processor time of this process and of its children that have exited."""
    return sum(os.times()[:4])


def _semble(root: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as scratch:
        model = semble_model(Path(scratch))
        # Import time counts for both tools: one of them imports late, the other early.
        started, before = time.perf_counter(), _processor()
        from semble import SembleIndex

        SembleIndex.from_path(root, model_path=model)
        return {"seconds": time.perf_counter() - started, "processor": _processor() - before}


def _files(root: Path) -> dict[str, Any]:
    from semble import SembleIndex

    with tempfile.TemporaryDirectory() as scratch:
        chunks = SembleIndex.from_path(root, model_path=semble_model(Path(scratch))).chunks
    return {"files": sorted({(root / chunk.file_path).relative_to(root).as_posix() for chunk in chunks})}


def _warm(root: Path) -> dict[str, Any]:
    started = time.perf_counter()
    from sightline.types import SearchRequest
    from sightline.workspace import Workspace

    workspace = Workspace()
    workspace.add_folder(root)
    request = SearchRequest("decode the signed session token")
    # The first answer that used vectors.
    while not any(hit.match != "keyword" for hit in workspace.search(request).hits):
        time.sleep(0.01)
    seconds = time.perf_counter() - started
    workspace.close(60)
    return {"seconds": seconds, "peak_mb": own_peak_mb()}


def _save(root: Path) -> dict[str, Any]:
    from sightline.types import SearchRequest
    from sightline.workspace import Workspace

    target = root / "edited.py"
    target.write_text(long_file(1000, "unedited"))
    workspace = Workspace()
    folder = workspace.add_folder(root)
    folder.wait_idle()
    searchable, answered = [], []
    # The first search builds data that later ones share.
    workspace.search(SearchRequest("decode the signed session token"))
    for number in range(_SAVES):
        marker = f"freshly_saved_{number}"
        target.write_text(long_file(1000, marker))
        saved = time.perf_counter()
        folder.changed([target.resolve()])
        # Poll by keyword, the cheapest mode: polling must not slow down what is measured.
        asked = saved
        while not _found(workspace.search(SearchRequest(marker, limit=1, mode="keyword")), marker):
            time.sleep(0.002)
            asked = time.perf_counter()
        searchable.append(asked - saved)
        started = time.perf_counter()
        while not _found(workspace.search(SearchRequest(marker, limit=1)), marker):
            time.sleep(0.002)
        answered.append(asked - saved + time.perf_counter() - started)
        folder.wait_idle()
    workspace.close(60)
    target.unlink()
    return {"seconds": statistics.median(searchable), "answered": statistics.median(answered)}


def _found(result: Any, name: str) -> bool:
    """Whether a definition of this very name was found: an earlier save has one that differs by a digit."""
    return any(hit.symbol and hit.symbol.name == name for hit in result.hits)


def _import_seconds() -> float:
    command = [
        sys.executable,
        "-c",
        f"import time; t = time.perf_counter(); {_IMPORTS}; print(time.perf_counter() - t)",
    ]
    return min(
        float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(_ROUNDS)
    )


_OWN_STEPS = {"index": _index, "warm": _warm, "save": _save}
_STEPS = {**_OWN_STEPS, "semble": _semble, "files": _files}


if __name__ == "__main__":
    main()
