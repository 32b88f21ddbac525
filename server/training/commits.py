"""Commit subjects as queries, paired with the best matching part of a changed file."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from training.collect import COMMITS_FILE
from training.exclusions import is_excluded_path
from training.extract import is_test, line_chunks
from training.grammars import BY_SUFFIX
from training.phrases import clean_subject, split_name
from training.records import Record

_CHUNK_CHARACTERS = 1000
_MOST_A_REPOSITORY = 800
_MOST_A_FILE = 12


def commit_records(folder: Path, repo: str) -> Iterator[Record]:
    """Yield a record for each descriptive commit that changed one or two files which still exist."""
    used: dict[str, int] = {}
    written = 0
    log = folder / COMMITS_FILE
    for line in log.read_text(encoding="utf-8").splitlines() if log.is_file() else []:
        commit = json.loads(line)
        subject = clean_subject(commit["subject"])
        paths = [path for path in commit["paths"] if _is_code(path) and (folder / path).is_file()]
        if subject is None or not 1 <= len(paths) <= 2 or used.get(paths[0], 0) >= _MOST_A_FILE:
            continue
        used[paths[0]] = used.get(paths[0], 0) + 1
        chunk = _best_chunk(folder / paths[0], subject)
        if chunk and written < _MOST_A_REPOSITORY:
            written += 1
            grammar = BY_SUFFIX[paths[0].rsplit(".", 1)[-1].lower()].name
            yield Record(repo, paths[0], grammar, "commit", chunk, doc=subject)


def _is_code(path: str) -> bool:
    return path.rsplit(".", 1)[-1].lower() in BY_SUFFIX and not is_test(path) and not is_excluded_path(path)


def _best_chunk(file: Path, subject: str) -> str:
    """Return the chunk that shares most words with the subject; empty if no chunk shares a word."""
    wanted = {word for word in split_name(subject).split() if len(word) > 3}
    chunks = line_chunks(file.read_text(encoding="utf-8", errors="replace"), _CHUNK_CHARACTERS)
    scored = [(len(wanted & set(re.findall(r"[a-z]+", split_name(chunk)))), chunk) for chunk in chunks[:60]]
    best = max(scored, default=(0, ""), key=lambda pair: pair[0])
    return best[1] if best[0] > 0 else ""
