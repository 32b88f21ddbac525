"""From source code to records: definitions, commented blocks, chunks of files, Markdown sections."""

import hashlib
import logging
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from training.definitions import definitions
from training.exclusions import is_excluded_name, is_excluded_path
from training.grammars import BY_SUFFIX, MARKDOWN_SUFFIXES, Grammar
from training.phrases import clean_comment, first_sentence, is_good_query
from training.records import Record

if TYPE_CHECKING:
    from tree_sitter import Parser

_log = logging.getLogger(__name__)

_MOST_FILES = 1200
_MOST_RECORDS = 5000
_MOST_BYTES = 150_000
_CODE_CHARACTERS = 1800
_CHUNK_CHARACTERS = 1000
_CHUNKS_A_FILE = 3
_TEST_SHARE = 0.1
_UNDOCUMENTED_SHARE = 0.4

_TESTS = re.compile(
    r"(^|/)(t|tests?|spec|specs|__tests__|testing|fixtures?|testdata|mocks?|benches|examples?)/|[._-](test|spec)s?\.|Tests?\.\w+$"
)
_GENERATED = re.compile(
    r"\.min\.|\.pb\.|_pb2|\.generated\.|/dist/|/build/|bundle\.|locale/|/po/|zz_generated"
)
_COMMENT_LINE = re.compile(r"^\s*(?://|#|--)\s+(\S.*)$")
_HEADING = re.compile(r"^(#{1,4})\s+(.+?)\s*#*$")


def extract_project(folder: Path, name: str) -> list[Record]:
    """Return the records of one project, at most a fixed number, the same ones every time."""
    records: list[Record] = []
    for path in _source_files(folder, name):
        try:
            text = (folder / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        records.extend(_records_of_file(name, path, text))
    chosen = random.Random(name)
    return chosen.sample(records, _MOST_RECORDS) if len(records) > _MOST_RECORDS else records


def _source_files(folder: Path, name: str) -> list[str]:
    paths = []
    for file in folder.rglob("*"):
        path = file.relative_to(folder).as_posix()
        if (
            _is_wanted(path)
            and file.is_file()
            and not file.is_symlink()
            and file.stat().st_size < _MOST_BYTES
        ):
            paths.append(path)
    chosen = random.Random(name)
    kept = [path for path in sorted(paths) if not is_test(path) or chosen.random() < _TEST_SHARE]
    return chosen.sample(kept, _MOST_FILES) if len(kept) > _MOST_FILES else kept


def is_test(path: str) -> bool:
    """Return whether a path looks like that of a test, a fixture or an example."""
    return _TESTS.search(path) is not None


def _is_wanted(path: str) -> bool:
    suffix = path.rsplit(".", 1)[-1].lower()
    known = suffix in BY_SUFFIX or suffix in MARKDOWN_SUFFIXES
    return known and not is_excluded_path(path) and not _GENERATED.search(path)


def _records_of_file(repo: str, path: str, text: str) -> Iterator[Record]:
    suffix = path.rsplit(".", 1)[-1].lower()
    if suffix in MARKDOWN_SUFFIXES:
        yield from _sections(repo, path, text)
        return
    if "\n" not in text or max(map(len, text.splitlines()[:50]), default=0) > 1000:
        return
    grammar = BY_SUFFIX[suffix]
    header = _header(text)
    yield from _definitions(repo, path, text, grammar, header)
    yield from _commented_blocks(repo, path, text, grammar)
    yield from _chunks(repo, path, text, grammar, header)


@cache
def _parser(grammar: str) -> "Parser":
    from tree_sitter_language_pack import get_parser

    parser: Parser = get_parser(grammar)
    return parser


def _definitions(
    repo: str, path: str, text: str, grammar: Grammar, header: str, undocumented: float = _UNDOCUMENTED_SHARE
) -> Iterator[Record]:
    source = text.encode()
    chosen = random.Random(path)
    for found in definitions(source, _parser(grammar.name).parse(source).root_node, grammar):
        if found.code.count("\n") < 2 or not found.name:
            continue
        doc = clean_comment(found.doc)
        doc = doc if is_good_query(first_sentence(doc)) else ""
        if not doc and chosen.random() > undocumented:
            continue
        code = found.code[:_CODE_CHARACTERS]
        yield Record(
            repo, path, grammar.name, "definition", code, found.name, found.container, doc[:600], header
        )


def all_definitions(folder: Path) -> list[Record]:
    """Return every definition of a project, documented or not."""
    records: list[Record] = []
    for path in _source_files(folder, folder.name):
        suffix = path.rsplit(".", 1)[-1].lower()
        if suffix in BY_SUFFIX:
            text = (folder / path).read_text(encoding="utf-8", errors="replace")
            records.extend(_definitions(folder.name, path, text, BY_SUFFIX[suffix], "", undocumented=1.0))
    return records


def _header(text: str) -> str:
    """Return the purpose of the file from the comment at its top."""
    lines = text.splitlines()[:40]
    comment = [line for line in lines if re.match(r"\s*(?://|#|--|\*|/\*|\"\"\"|;)", line)]
    for start in range(min(len(comment), 30)):
        sentence = first_sentence(clean_comment("\n".join(comment[start : start + 4])))
        if is_good_query(sentence, least=3):
            return sentence
    return ""


def _commented_blocks(repo: str, path: str, text: str, grammar: Grammar) -> Iterator[Record]:
    lines = text.splitlines()
    for number, line in enumerate(lines[:-3]):
        match = _COMMENT_LINE.match(line)
        if match is None or (number and _COMMENT_LINE.match(lines[number - 1])):
            continue
        block = _block(lines[number + 1 : number + 25])
        if len(block) >= 3 and is_good_query(match.group(1), least=3):
            yield Record(repo, path, grammar.name, "comment", "\n".join(block), doc=match.group(1))


def _block(lines: list[str]) -> list[str]:
    end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    block = lines[:end]
    return [] if block and _COMMENT_LINE.match(block[0]) else block


def _chunks(repo: str, path: str, text: str, grammar: Grammar, header: str) -> Iterator[Record]:
    chunks = line_chunks(text, _CHUNK_CHARACTERS)
    chosen = random.Random(f"{repo}/{path}")
    for chunk in chosen.sample(chunks, min(_CHUNKS_A_FILE, len(chunks))):
        if len(chunk) > 150:
            yield Record(repo, path, grammar.name, "chunk", chunk, header=header)


def line_chunks(text: str, characters: int) -> list[str]:
    """Split a text into runs of whole lines of about `characters` characters."""
    chunks: list[str] = []
    current: list[str] = []
    size = 0
    for line in text.splitlines():
        current.append(line)
        size += len(line) + 1
        if size >= characters:
            chunks.append("\n".join(current))
            current, size = [], 0
    return [*chunks, "\n".join(current)] if current else chunks


def _sections(repo: str, path: str, text: str) -> Iterator[Record]:
    headings: list[str] = []
    body: list[str] = []
    for line in [*text.splitlines(), "# end"]:
        match = _HEADING.match(line)
        if match is None:
            body.append(line)
            continue
        content = "\n".join(body).strip()
        if headings and len(content) > 120 and is_good_query(headings[-1], least=1):
            outer = headings[-2] if len(headings) > 1 else ""
            yield Record(repo, path, "markdown", "section", content[:_CODE_CHARACTERS], headings[-1], outer)
        headings = [*headings[: len(match.group(1)) - 1], match.group(2)]
        body = []


class Deduplicator:
    """Drops duplicate code, exact or up to numbers and spacing, and documentation that is very frequent."""

    _MOST_SAME_DOC = 3
    _HEAD_WORDS = 30

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._docs: dict[bytes, int] = {}

    def is_new(self, record: Record) -> bool:
        """Remember the record and return whether it is no duplicate of an earlier one."""
        words = re.findall(r"[a-z]+", record.code.lower())
        head = _digest(record.kind + record.name + " ".join(words[: self._HEAD_WORDS]))
        bag = _digest(record.kind + record.name + " ".join(sorted(set(words))))
        if len(words) < 8 or head in self._seen or bag in self._seen:
            return False
        self._seen.update((head, bag))
        return not record.doc or self._counts(record.doc)

    def _counts(self, doc: str) -> bool:
        key = _digest(doc.lower())
        self._docs[key] = self._docs.get(key, 0) + 1
        return self._docs[key] <= self._MOST_SAME_DOC


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()


def extract_all(raw: Path) -> Iterator[Record]:
    """Yield the records of every collected project that is not one of the benchmark's."""
    unique = Deduplicator()
    for folder in sorted(path for registry in raw.iterdir() for path in registry.iterdir() if path.is_dir()):
        if is_excluded_name(folder.name):
            _log.info("excluded: %s", folder.name)
            continue
        kept = [record for record in extract_project(folder, folder.name) if unique.is_new(record)]
        _log.info("%s: %d", folder.name, len(kept))
        yield from kept
