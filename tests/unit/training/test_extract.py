"""What is extracted from source files of several languages."""

from pathlib import Path

import pytest

from training.extract import Deduplicator, extract_project
from training.records import Record, read_records, write_records

_SOURCES = {
    "cache.py": 'class Cache:\n    def evict(self, key):\n        """Evict an entry that has expired."""\n'
    "        entry = self.entries[key]\n        entry.close()\n",
    "cache.go": "package cache\n\n// Evict removes an entry that has expired.\nfunc Evict(key string) {\n"
    "\tentry := entries[key]\n\tentry.Close()\n}\n",
    "cache.rs": "/// Evicts an entry that has expired.\npub fn evict(key: &str) {\n    let entry = get(key);"
    "\n    entry.close();\n}\n",
    "Cache.java": "class Cache {\n  /** Evicts an entry that has expired. */\n"
    "  void evict(String key) {\n    Entry entry = get(key);\n    entry.close();\n  }\n}\n",
    "cache.ex": 'defmodule Cache do\n  @doc """\n  Evicts an entry that has expired.\n  """\n'
    "  def evict(key) do\n    entry = get(key)\n    close(entry)\n  end\nend\n",
    "cache.ts": "/** Evicts an entry that has expired. */\nexport function evict(key: string) {\n"
    "  const entry = get(key);\n  entry.close();\n}\n",
    "cache.rb": "# Evicts an entry that has expired.\ndef evict(key)\n"
    "  entry = get(key)\n  entry.close\nend\n",
    "cache.cc": "// Evicts an entry that has expired.\nvoid evict(int key) {\n  auto entry = get(key);\n"
    "  entry.close();\n}\n",
}


@pytest.mark.parametrize("name", _SOURCES)
def test_a_documented_definition_is_found_without_its_documentation(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(_SOURCES[name], encoding="utf-8")
    found = [record for record in extract_project(tmp_path, "a+b") if record.name.lower() == "evict"]
    assert len(found) == 1
    assert "entry that has expired" in found[0].doc
    assert "expired" not in found[0].code


def test_licence_headers_describe_nothing(tmp_path: Path) -> None:
    text = "# Copyright 2020 Somebody. All rights reserved.\n" + _SOURCES["cache.py"]
    (tmp_path / "cache.py").write_text(text, encoding="utf-8")
    assert not any("opyright" in record.header + record.doc for record in extract_project(tmp_path, "a+b"))


def test_a_copy_with_other_numbers_and_spacing_is_dropped() -> None:
    code = "total = first + second\nif total > 10:\n    report(total, limit, other, more)\n"
    unique = Deduplicator()
    assert unique.is_new(Record("a", "x.py", "python", "chunk", code))
    assert not unique.is_new(
        Record("b", "y.py", "python", "chunk", code.replace("10", "99").replace(" ", "  "))
    )


def test_records_survive_the_round_trip_through_a_file(tmp_path: Path) -> None:
    records = [Record("a", "x.py", "python", "chunk", "é\n\tcode", doc="what it does")]
    assert write_records(tmp_path / "r.jsonl", records) == 1
    assert list(read_records(tmp_path / "r.jsonl")) == records
