"""Turns the collected sources into training records, from files and from commits."""

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path

from training.commits import commit_records
from training.exclusions import is_excluded_name
from training.extract import extract_all
from training.records import Record, write_records

_log = logging.getLogger(__name__)


def all_commits(repositories: Path) -> Iterator[Record]:
    """Yield the commit records of every collected repository that is not one of the benchmark's."""
    for folder in sorted(path for path in repositories.iterdir() if path.is_dir()):
        if not is_excluded_name(folder.name):
            yield from commit_records(folder, folder.name)


def main() -> None:
    """Write files.jsonl and commits.jsonl."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("raw", type=Path, help="what collect.py wrote")
    parser.add_argument("out", type=Path, help="folder for the records")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    arguments.out.mkdir(parents=True, exist_ok=True)
    files = write_records(arguments.out / "files.jsonl", extract_all(arguments.raw))
    subjects = write_records(arguments.out / "commits.jsonl", all_commits(arguments.raw / "git"))
    _log.info("records of files: %d, of commits: %d", files, subjects)


if __name__ == "__main__":
    main()
