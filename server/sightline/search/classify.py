"""What kind of question a query is, and which names of the code it mentions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sightline.search.stopwords import STOPWORDS
from sightline.search.wordlist import words

QueryKind = Literal["symbol", "factual", "navigational", "exploratory"]

_WORD = r"[^\W\d][\w$]*[!?]?"
_QUALIFIED = re.compile(rf"@?{_WORD}(?:(?:::|->|\.|#|/(?=\w+$)){_WORD})*(?:\(\))?", re.UNICODE)
_SEPARATOR = re.compile(r"::|->|\.|#|/")
_QUOTED = re.compile(r'"([^"]+)"|`([^`]+)`')
_ERROR_CODE = re.compile(r"\b(?:[A-Z]{1,5}\d{2,6}|E[A-Z]{4,}|0x[0-9A-Fa-f]{2,}|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b")
_VERSION = re.compile(r"\bv?\d+\.\d+(?:\.\d+)*\b")
_PATH = re.compile(r"(?<!\S)(?:\.{0,2}/)?[\w.-]+(?:/[\w.-]+)+|(?<!\S)[\w-]+\.[a-z]{1,5}(?!\S)")
_HUMP = re.compile(r"[a-z\d][A-Z]|[A-Z]{2}[a-z]|[^\W_]_+[^\W_]")
_CAPITAL = re.compile(r"[A-Z][A-Za-z\d]+")
# `class Foo`, `func ServeHTTP`: the keyword only says what the name is.
_KEYWORDS = words(
    "class struct interface trait enum type def func fn function method module namespace const var "
    "let macro defmodule object protocol impl"
)
_NAVIGATION = words(
    "where file files folder directory docs documentation readme guide section chapter page tutorial"
)
_QUESTION = words("how what why when which who does do is are can should")


@dataclass(frozen=True, slots=True)
class Name:
    """A name the query mentions; `certain` when nothing but a name can be meant."""

    name: str
    container: str = ""
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Intent:
    """The kind of a query, the names and quoted phrases in it, and whether it is put as a question."""

    kind: QueryKind
    names: tuple[Name, ...] = ()
    phrases: tuple[str, ...] = ()
    question: bool = False


def _name(text: str, certain: bool) -> Name:
    parts = [part for part in _SEPARATOR.split(text.removesuffix("()").lstrip("@")) if part]
    return Name(parts[-1], parts[-2] if len(parts) > 1 else "", certain)


def _code_shaped(word: str) -> bool:
    """Whether a word could only come from code: humps, underscores, separators, call brackets."""
    bare = word.removesuffix("()")
    return bare != word or bool(_HUMP.search(bare)) or bool(re.search(r"\w(?:::|->|\.|#)\w", bare))


def _whole_name(text: str) -> Name | None:
    """The one name the whole query is, if it is one."""
    words = text.strip("`\"' ").split()
    if len(words) == 2 and words[0].lower() in _KEYWORDS:
        words = words[1:]
    if len(words) != 1 or not _QUALIFIED.fullmatch(words[0]):
        return None
    return _name(words[0], certain=True)


def _names(text: str, phrases: tuple[str, ...]) -> tuple[Name, ...]:
    found: dict[tuple[str, str], Name] = {}
    for phrase in phrases:
        if _QUALIFIED.fullmatch(phrase):
            name = _name(phrase, certain=True)
            found.setdefault((name.container, name.name), name)
    for match in _QUALIFIED.finditer(text):
        word = match.group()
        shaped = _code_shaped(word)
        # The first word has its capital from the sentence, so a stopword there is none.
        named = _CAPITAL.fullmatch(word) and (match.start() > 0 or word.lower() not in STOPWORDS)
        if shaped or named:
            name = _name(word, certain=shaped)
            found.setdefault((name.container, name.name), name)
    return tuple(found.values())


def _sentence_kind(text: str, names: tuple[Name, ...], phrases: tuple[str, ...]) -> QueryKind:
    words = [word.strip("?,.!:;").lower() for word in text.split()]
    if _PATH.search(text) or "[[" in text or (words and words[0] == "where"):
        return "navigational"
    if phrases or any(name.certain for name in names) or _ERROR_CODE.search(text) or _VERSION.search(text):
        return "factual"
    if not _asks(text) and _NAVIGATION.intersection(words):
        return "navigational"
    return "exploratory"


def _asks(text: str) -> bool:
    """Whether a text is a question, which asks what code does rather than what it is called."""
    first = text.split(maxsplit=1)[:1]
    return text.rstrip().endswith("?") or bool(first and first[0].lower() in _QUESTION)


def classify(text: str) -> Intent:
    """The intent of a query's free text."""
    phrases = tuple(quoted or ticked for quoted, ticked in _QUOTED.findall(text))
    whole = _whole_name(text)
    if whole is not None:
        return Intent("symbol", (whole,), phrases)
    names = _names(text, phrases)
    return Intent(_sentence_kind(text, names, phrases), names, phrases, _asks(text))
