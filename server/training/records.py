"""The records that extraction writes and training reads: code with its descriptions."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Record:
    """A piece of code, its location, and the words that describe it (each may be empty)."""

    repo: str
    path: str
    language: str
    kind: str
    code: str
    name: str = ""
    container: str = ""
    doc: str = ""
    header: str = ""


def write_records(path: Path, records: Iterable[Record]) -> int:
    """Write records as JSON lines and return their number."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_records(path: Path) -> Iterator[Record]:
    """Read what write_records wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield Record(**json.loads(line))
