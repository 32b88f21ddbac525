"""A reproducible workspace of any size: Python, Go and TypeScript with realistic names."""

from __future__ import annotations

import random
from pathlib import Path

_VERBS = (
    "parse", "load", "store", "fetch", "render", "merge", "split", "check", "write", "read", "encode",
    "decode", "resolve", "build", "apply",
)  # fmt: skip
_NOUNS = (
    "user", "session", "token", "request", "response", "buffer", "index", "record", "query", "filter",
    "cursor", "header", "payload", "config", "cache", "route", "event", "handler", "socket", "stream",
    "packet", "column", "schema", "account", "invoice", "order", "report", "ticket", "worker", "queue",
    "batch", "lock",
)  # fmt: skip
_ADJECTIVES = (
    "active", "pending", "stale", "remote", "local", "partial", "final", "raw", "signed", "shared",
    "nested", "empty", "default",
)  # fmt: skip
# A function of this size is about one chunk.
_STATEMENTS = 14
_FUNCTIONS_PER_FILE = 10


def make_workspace(root: Path, chunks: int, seed: int = 1) -> int:
    """Write files with about `chunks` chunks in total; return the number of files."""
    rng = random.Random(seed)
    files = max(1, chunks // _FUNCTIONS_PER_FILE)
    for number in range(files):
        folder = root / f"{_NOUNS[number % len(_NOUNS)]}s" / f"part{number // 400}"
        folder.mkdir(parents=True, exist_ok=True)
        writer, ending = _WRITERS[number % len(_WRITERS)]
        name = f"{rng.choice(_VERBS)}_{rng.choice(_NOUNS)}_{number}{ending}"
        text = "\n\n".join(writer(rng) for _ in range(_FUNCTIONS_PER_FILE))
        (folder / name).write_text(text + "\n", encoding="utf-8")
    return files


def long_file(lines: int, marker: str) -> str:
    """A Python file of the given number of lines with one function of a unique name."""
    rng = random.Random(lines)
    parts = [f"def {marker}(value):\n    return value"]
    while sum(part.count("\n") + 2 for part in parts) < lines:
        parts.append(_python(rng))
    return "\n\n".join(parts) + "\n"


def sentence(rng: random.Random) -> str:
    """A query that a user could enter for such a workspace."""
    words = rng.choice(_VERBS), rng.choice(_ADJECTIVES), rng.choice(_NOUNS), rng.choice(_NOUNS)
    return "{} the {} {} of a {}".format(*words)


def _name(rng: random.Random) -> str:
    words = rng.choice(_VERBS), rng.choice(_ADJECTIVES), rng.choice(_NOUNS)
    return f"{'_'.join(words)}_{rng.randrange(10**6)}"


def _call(rng: random.Random, joint: str = "_") -> str:
    noun = rng.choice(_NOUNS)
    return f"{rng.choice(_VERBS)}{joint}{noun if joint else noun.title()}"


def _doc(rng: random.Random, subject: str) -> str:
    return f"{rng.choice(_VERBS).title()} the {rng.choice(_ADJECTIVES)} {subject}."


def _python(rng: random.Random) -> str:
    subject = rng.choice(_NOUNS)
    lines = [f"def {_name(rng)}({subject}, {rng.choice(_NOUNS)}_id):"]
    lines.append(f'    """{_doc(rng, subject)}"""')
    for _ in range(_STATEMENTS):
        lines.append(f"    {rng.choice(_NOUNS)} = {_call(rng)}({subject}, {rng.randrange(99)})")
    return "\n".join([*lines, f"    return {subject}"])


def _go(rng: random.Random) -> str:
    subject, name = rng.choice(_NOUNS), _name(rng).title().replace("_", "")
    lines = [f"// {_doc(rng, subject)}", f"func {name}({subject} string) (string, error) {{"]
    for _ in range(_STATEMENTS):
        lines.append(f"\t{rng.choice(_NOUNS)} := {_call(rng, '')}({subject}, {rng.randrange(99)})")
    return "\n".join([*lines, f"\treturn {subject}, nil", "}"])


def _typescript(rng: random.Random) -> str:
    subject, name = rng.choice(_NOUNS), _name(rng).title().replace("_", "")
    lines = [f"/** {_doc(rng, subject)} */", f"export function {name}({subject}: string): string {{"]
    for _ in range(_STATEMENTS):
        lines.append(f"  const {rng.choice(_NOUNS)}{rng.randrange(99)} = {_call(rng, '')}({subject});")
    return "\n".join([*lines, f"  return {subject};", "}"])


_WRITERS = ((_python, ".py"), (_go, ".go"), (_typescript, ".ts"))
