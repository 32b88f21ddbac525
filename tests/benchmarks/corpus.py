"""A workspace of any size, the same every time: Python, Go and TypeScript with names people would choose."""

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
    """Write files that come to about so many chunks; how many files there are."""
    chance = random.Random(seed)
    files = max(1, chunks // _FUNCTIONS_PER_FILE)
    for number in range(files):
        folder = root / f"{_NOUNS[number % len(_NOUNS)]}s" / f"part{number // 400}"
        folder.mkdir(parents=True, exist_ok=True)
        writer, ending = _WRITERS[number % len(_WRITERS)]
        name = f"{chance.choice(_VERBS)}_{chance.choice(_NOUNS)}_{number}{ending}"
        text = "\n\n".join(writer(chance) for _ in range(_FUNCTIONS_PER_FILE))
        (folder / name).write_text(text + "\n", encoding="utf-8")
    return files


def long_file(lines: int, marker: str) -> str:
    """A Python file of so many lines with one function nobody else has."""
    chance = random.Random(lines)
    parts = [f"def {marker}(value):\n    return value"]
    while sum(part.count("\n") + 2 for part in parts) < lines:
        parts.append(_python(chance))
    return "\n\n".join(parts) + "\n"


def sentence(chance: random.Random) -> str:
    """Something that a person could ask of such a workspace."""
    words = chance.choice(_VERBS), chance.choice(_ADJECTIVES), chance.choice(_NOUNS), chance.choice(_NOUNS)
    return "{} the {} {} of a {}".format(*words)


def _name(chance: random.Random) -> str:
    words = chance.choice(_VERBS), chance.choice(_ADJECTIVES), chance.choice(_NOUNS)
    return f"{'_'.join(words)}_{chance.randrange(10**6)}"


def _call(chance: random.Random, joint: str = "_") -> str:
    noun = chance.choice(_NOUNS)
    return f"{chance.choice(_VERBS)}{joint}{noun if joint else noun.title()}"


def _doc(chance: random.Random, subject: str) -> str:
    return f"{chance.choice(_VERBS).title()} the {chance.choice(_ADJECTIVES)} {subject}."


def _python(chance: random.Random) -> str:
    subject = chance.choice(_NOUNS)
    lines = [f"def {_name(chance)}({subject}, {chance.choice(_NOUNS)}_id):"]
    lines.append(f'    """{_doc(chance, subject)}"""')
    for _ in range(_STATEMENTS):
        lines.append(f"    {chance.choice(_NOUNS)} = {_call(chance)}({subject}, {chance.randrange(99)})")
    return "\n".join([*lines, f"    return {subject}"])


def _go(chance: random.Random) -> str:
    subject, name = chance.choice(_NOUNS), _name(chance).title().replace("_", "")
    lines = [f"// {_doc(chance, subject)}", f"func {name}({subject} string) (string, error) {{"]
    for _ in range(_STATEMENTS):
        lines.append(f"\t{chance.choice(_NOUNS)} := {_call(chance, '')}({subject}, {chance.randrange(99)})")
    return "\n".join([*lines, f"\treturn {subject}, nil", "}"])


def _typescript(chance: random.Random) -> str:
    subject, name = chance.choice(_NOUNS), _name(chance).title().replace("_", "")
    lines = [f"/** {_doc(chance, subject)} */", f"export function {name}({subject}: string): string {{"]
    for _ in range(_STATEMENTS):
        lines.append(
            f"  const {chance.choice(_NOUNS)}{chance.randrange(99)} = {_call(chance, '')}({subject});"
        )
    return "\n".join([*lines, f"  return {subject};", "}"])


_WRITERS = ((_python, ".py"), (_go, ".go"), (_typescript, ".ts"))
