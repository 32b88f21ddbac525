"""Fetch the training sources: the Debian packages and git repositories of sources.json."""

import argparse
import hashlib
import json
import logging
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from training.exclusions import is_excluded_name, is_excluded_path
from training.gitfiles import commits, newest_files
from training.grammars import BY_SUFFIX, MARKDOWN_SUFFIXES

_log = logging.getLogger(__name__)

_SOURCES = Path(__file__).parent / "sources.json"
_SUFFIXES = frozenset(BY_SUFFIX) | MARKDOWN_SUFFIXES
_MAX_BYTES = 150_000
_COMMITS_PER_REPOSITORY = 2500
_PACKAGES_PER_CALL = 40
# Timeout of one command: one source that hangs must not block a thousand others.
_MOST_SECONDS = 900
COMMITS_FILE = "commits.jsonl"


def read_sources(path: Path = _SOURCES) -> dict[str, Any]:
    """Read the list of sources."""
    sources: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return sources


def chosen_packages(names: list[str], count: int) -> list[str]:
    """Choose packages by the hash of their names, so that new candidates change the choice little."""
    allowed = (name for name in names if not is_excluded_name(name) and not name.endswith(("-doc", "-dbg")))
    return sorted(allowed, key=lambda name: hashlib.md5(name.encode()).hexdigest())[:count]


def chosen_repositories(sources: dict[str, Any]) -> list[str]:
    """Return every "owner/name" listed for training that is not a benchmark project."""
    return [name for name in sources["git"]["training"] if not is_excluded_name(name)]


def collect_debian(sources: dict[str, Any], raw: Path) -> None:
    """Download and unpack the chosen packages of each name pattern."""
    for pattern, count in sources["debian"].items():
        names = _run("apt-cache", "pkgnames", pattern.removesuffix("*")).split()
        chosen = chosen_packages(names, count)
        for start in range(0, len(chosen), _PACKAGES_PER_CALL):
            _unpack_packages(chosen[start : start + _PACKAGES_PER_CALL], raw / "deb")


def _unpack_packages(names: list[str], target: Path) -> None:
    with TemporaryDirectory() as downloads:
        _run("apt-get", "download", "-q", *names, folder=downloads)
        for package in sorted(Path(downloads).glob("*.deb")):
            unpacked = Path(downloads) / "unpacked"
            _run("dpkg-deb", "-x", str(package), str(unpacked))
            _copy_sources(unpacked, target / package.name.split("_")[0])
            shutil.rmtree(unpacked, ignore_errors=True)


def _copy_sources(unpacked: Path, target: Path) -> None:
    for file in unpacked.rglob("*"):
        path = file.relative_to(unpacked).as_posix()
        if _is_source(path) and file.is_file() and not file.is_symlink() and file.stat().st_size < _MAX_BYTES:
            _write(target / path, file.read_bytes())


def collect_git(sources: dict[str, Any], raw: Path, mirrors: Path) -> None:
    """Write the newest sources and the commit subjects of each repository; clone those not in `mirrors`."""
    for name in chosen_repositories(sources):
        folder = name.replace("/", "+")
        repository = mirrors / folder / "repo"
        if not repository.is_dir():
            _run("git", "clone", "--quiet", "--bare", f"https://github.com/{name}.git", str(repository))
        for path, content in newest_files(repository, _SUFFIXES):
            if _is_source(path):
                _write(raw / "git" / folder / path, content)
        _write(raw / "git" / folder / COMMITS_FILE, "\n".join(_commit_lines(repository)).encode())
        _log.info("collected %s", name)


def _commit_lines(repository: Path) -> Iterator[str]:
    for commit in commits(repository, _COMMITS_PER_REPOSITORY):
        paths = [path for path in commit.paths if _is_source(path)]
        if 1 <= len(paths) <= 4:
            yield json.dumps({"subject": commit.subject, "paths": paths})


def _is_source(path: str) -> bool:
    return path.rsplit(".", 1)[-1].lower() in _SUFFIXES and not is_excluded_path(path)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _run(*command: str, folder: str | None = None) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, check=False, text=True, timeout=_MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        _log.warning("%s: given up after %d s", " ".join(command[:3]), _MOST_SECONDS)
        return ""
    if done.returncode:
        _log.warning("%s: %s", " ".join(command[:3]), done.stderr.strip()[-200:])
    return done.stdout


def main() -> None:
    """Collect everything into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("raw", type=Path, help="where the sources are written")
    parser.add_argument("--mirrors", type=Path, required=True, help="bare repositories as OWNER+NAME/repo")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    sources = read_sources()
    collect_git(sources, arguments.raw, arguments.mirrors)
    collect_debian(sources, arguments.raw)


if __name__ == "__main__":
    main()
