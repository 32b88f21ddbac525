"""Expressions in short form, as chains: names, members, calls and elements, without arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_PLAIN = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*", re.UNICODE)
_WORD = re.compile(r"[@$]?[^\W\d][\w$]*[!?]?", re.UNICODE)
_BEFORE = re.compile(r"(?:await|new|mut|ref|move|unsafe|co_await|typeof)\b\s*|[&*(]+\s*")
_JOIN = re.compile(r"\s*(?:\?\.|\.|->|::|!\.|\?->)\s*")
_QUOTES = "\"'`"
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
# What opens and closes such a pair, and what begins and ends a text, in which brackets do not count.
_STOPS = {
    opening: re.compile(f"[{re.escape(opening + closing)}{'' if opening == '<' else _QUOTES}]")
    for opening, closing in _CLOSING.items()
}
_LITERAL = re.compile(
    r"""[-+]?\d|[rbfuRBFU]{0,2}["'`]|\[|\{|(?:True|False|None|null|nil|undefined|true|false)\b|lambda\b"""
)
# An object whose type is written beside it: `((Type) value)`, `(value as Type)`.
_CAST = re.compile(
    r"\(\s*(?:\(\s*(?P<before>[^\W\d][\w$.:]*)\s*(?:<[^()]*>)?\s*\*?\)\s*[\w$.]+(?:\([^()]*\))?"
    r"|[\w$.]+(?:\([^()]*\))?\s+as\s+(?P<after>[^\W\d][\w$.:]*)\s*(?:<[^()]*>)?)\s*\)",
    re.UNICODE,
)
_MAX_EXPRESSION = 240
# Stands for a value that is no object of the workspace's own types.
LITERAL = "!"


@lru_cache(maxsize=4096)
def shorten(text: str) -> str:
    """The chain of an expression, `LITERAL` for a literal, or an empty string if it is neither."""
    if _PLAIN.fullmatch(text):
        return "" if text in _EMPTY else text
    if len(text) > _MAX_EXPRESSION:
        text = text[:_MAX_EXPRESSION]
        if _JOIN.search(text) is None and "(" not in text and "{" not in text:
            return ""
    start, text = 0, text.strip()
    if text.startswith("(") and (cast := _CAST.match(text)):
        # An object of a type is what calling the type returns.
        return _chain(f"{cast['before'] or cast['after']}(){text[cast.end() :]}", 0, 0)
    wrapped = 0
    while begin := _BEFORE.match(text, start):
        wrapped += begin.group().count("(")
        start = begin.end()
    if _LITERAL.match(text, start):
        return LITERAL
    return _chain(text, start, wrapped)


_EMPTY = frozenset({"None", "null", "nil", "undefined", "True", "False", "true", "false"})


def _chain(text: str, start: int, wrapped: int) -> str:
    word = _WORD.match(text, start)
    if not word:
        return ""
    parts, at, end = [word.group()], word.end(), len(text)
    while at < end:
        sign = text[at]
        if joined := _JOIN.match(text, at):
            word = _WORD.match(text, joined.end())
            if not word:
                # `Vec::<T>::new` has its type parameters between the two separators.
                if text.startswith("<", joined.end()):
                    at = _skip(text, joined.end())
                    continue
                return ""
            parts.append(f".{word.group()}")
            at = word.end()
        elif sign in "([{":
            at = _skip(text, at)
            # The body of an anonymous class follows the call that creates an object of it.
            if sign != "{" or parts[-1] != "()":
                parts.append("()" if sign != "[" else "[]")
        elif sign == "<" and (after := _generic(text, at)):
            at = after
        elif sign == ")" and wrapped:
            wrapped -= 1
            at += 1
        elif sign in "!?" or sign.isspace():
            at += 1
        else:
            return ""
    return "".join(parts)


def _generic(text: str, at: int) -> int:
    """The end of type parameters that a call or member follows; 0 if `<` is a comparison."""
    end = _skip(text, at)
    return end if (end < len(text) and text[end] in "({:.") or (end == len(text) and text[-1] == ">") else 0


def _skip(text: str, at: int) -> int:
    """The position after the closing bracket; the end of the text if it is not closed."""
    opening, closing = text[at], _CLOSING[text[at]]
    depth, quote = 0, ""
    for stop in _STOPS[opening].finditer(text, at):
        index, sign = stop.start(), stop.group()
        if quote:
            quote = "" if sign == quote and text[index - 1] != "\\" else quote
        elif sign in _QUOTES:
            quote = sign
        elif sign == opening:
            depth += 1
        elif sign == closing:
            depth -= 1
            if not depth:
                return index + 1
    return len(text)


@lru_cache(maxsize=4096)
def steps(chain: str) -> tuple[str, ...]:
    """The parts of a chain: the first name, then `.member`, `()` and `[]`."""
    return tuple(re.findall(r"^[^.(\[]+|\.[^.(\[]+|\(\)|\[\]", chain))


def first_name(chain: str) -> str:
    """The first name of a chain or a type."""
    if chain.isidentifier():
        return chain
    found = _WORD.match(chain)
    return found.group() if found else ""


def last_name(chain: str) -> str:
    """The last name of a chain: `chan` for `self.chan[]`."""
    return chain.rstrip("()[]").rpartition(".")[2]


def compact(text: str, limit: int = _MAX_EXPRESSION) -> str:
    """A type as it is written, without insignificant white space."""
    return " ".join(text.split())[:limit]


def flatten_use(text: str, before: str = "") -> Iterator[tuple[str, str]]:
    """The paths of an import with their new names: `a::{b, c as d}` is `a::b` and `a::c` as `d`."""
    text = text.strip()
    head, brace, inside = text.partition("{")
    if not brace:
        path, _, alias = text.partition(" as ")
        if path:
            yield before + path.strip(), alias.strip()
        return
    start, depth = 0, 0
    inside = inside.rstrip().removesuffix("}")
    for at, sign in enumerate(inside + ","):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and not depth:
            part = inside[start:at].strip()
            if part == "self":
                yield (before + head.strip()).removesuffix("::").removesuffix("."), ""
            elif part:
                yield from flatten_use(part, before + head.strip())
            start = at + 1
