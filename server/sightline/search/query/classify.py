"""Determines the kind of a query, the code names it mentions, and its informative terms."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from sightline.search.query.stopwords import STOPSTEMS, STOPWORDS
from sightline.wordlist import words
from sightline.words import tokens

# A name, a noun phrase, a heading, a question, a change, another sentence, and pasted text of many lines.
QueryKind = Literal["symbol", "topic", "heading", "question", "change", "statement", "report"]
KINDS: tuple[QueryKind, ...] = get_args(QueryKind)

_WORD = r"[^\W\d][\w$]*[!?]?"
_QUALIFIED = re.compile(rf"@?{_WORD}(?:(?:::|->|\.|#|/(?=\w+$)){_WORD})*(?:\(\))?", re.UNICODE)
_SEPARATOR = re.compile(r"::|->|\.|#|/")
_QUOTED = re.compile(r'"([^"]+)"|`([^`]+)`')
_QUALIFYING = re.compile(r"\w(?:::|->|\.|#)\w")
_HUMP = re.compile(r"[a-z\d][A-Z]|[A-Z]{2}[a-z]|[^\W_]_+[^\W_]")
_CAPITAL = re.compile(r"[A-Z][A-Za-z\d]+")
# `class Foo`, `func ServeHTTP`: the keyword only states the kind of the name.
_KEYWORDS = words(
    "class struct interface trait enum type def func fn function method module namespace const var "
    "let macro defmodule object protocol impl"
)
QUESTION_WORDS = words("how what why when which who where does do is are can should")
# After `how` these begin a question; `how errors are handled` is a heading.
_AFTER_HOW = words(
    "am are can come could did do does far has have is long many may might much must often should to was "
    "were will would"
)
# Imperative verbs that start the description of a change, as in commit subjects and tickets.
_CHANGE = words(
    "accept add added adds adjust align allow allows also always apply avoid bring cache cancel catch change "
    "check clarify clean clear close collect combine compare configure consider consolidate convert copy "
    "correct correctly cover create customize cut declare decrease default defer define delay delete "
    "deprecate detach detect determine disable disallow discard display distinguish do document don't drop "
    "emit enable encode enforce enhance ensure escape exclude expand export expose extend fall fallback "
    "filter find finish fix fixed fixes flush follow force free generate get give guard handle hide honor "
    "honour hook ignore implement implemented improve include increase infer inject inline insert install "
    "introduce invalidate isolate join keep let limit link load log lower maintain make mark match measure "
    "merge migrate minimize mock move mutate need no normalize omit only open optimize override parse pass "
    "patch permit pin point populate preallocate prefer prepare preserve prevent print prioritize process "
    "propagate protect provide pull push put quote raise read rebuild recognize record recover redirect "
    "reduce refactor refresh register reject relax release reload remove removed removes rename reorder "
    "reorganize repair replace report reset resolve respect restore restrict retry return reuse rewrite "
    "rework rollback round run sanitize save scope send separate set share shorten show shut silence "
    "simplify skip sort specify speed split stabilize standardize start stop store strip substitute suggest "
    "support supports suppress switch sync throw tidy tighten treat trim truncate try turn tweak unify "
    "unwrap update upgrade use uses validate verify wait warn wrap write"
)
# Verbs in the third person, which often start a documentation comment.
_DESCRIBING = words(
    "adds allows applies asserts builds calculates called checks closes computes converts creates decodes "
    "determines encodes finds generates gets given handles indicates initialises initializes invokes loads "
    "makes opens parses prints provides reads registers removes resolves retrieves returns runs sends sets "
    "specifies tests tries used validates wraps writes"
)
# A noun phrase contains none of these.
_SENTENCE = words(
    "a an any are be because been can could did does doesn't don't had has have i if instead is it its must "
    "never not should since so than that the their them then there these they this those to was we were when "
    "which while whose will without would you your"
)
_LONGEST_PHRASE = 12
_RECENT_TEXTS = 32


class Name(NamedTuple):
    """A name the query mentions; `certain` when the text can only be a name."""

    name: str
    container: str = ""
    certain: bool = False


class Intent(NamedTuple):
    """The kind of a query, and the names it contains."""

    kind: QueryKind
    names: tuple[Name, ...] = ()

    @property
    def mentions_name(self) -> bool:
        """Whether a sentence mentions something that can only be a name in code."""
        return self.kind != "symbol" and any(name.certain for name in self.names)


def _name(text: str, certain: bool) -> Name:
    parts = [part for part in _SEPARATOR.split(text.removesuffix("()").lstrip("@")) if part]
    return Name(parts[-1], parts[-2] if len(parts) > 1 else "", certain)


def _code_shaped(word: str) -> bool:
    """Whether a word has the form of code: humps, underscores, separators, call brackets."""
    bare = word.removesuffix("()")
    return bare != word or bool(_HUMP.search(bare)) or bool(_QUALIFYING.search(bare))


def _whole_name(text: str) -> Name | None:
    """The name, if the whole query is a single name."""
    parts = text.strip("`\"' ").split()
    if len(parts) == 2 and parts[0].lower() in _KEYWORDS:
        parts = parts[1:]
    if len(parts) != 1 or not _QUALIFIED.fullmatch(parts[0]):
        return None
    return _name(parts[0], certain=True)


def _names_in(text: str) -> tuple[Name, ...]:
    """The names a text mentions, in order, quoted ones first."""
    found: dict[tuple[str, str], Name] = {}
    for quoted, ticked in _QUOTED.findall(text):
        phrase = quoted or ticked
        if _QUALIFIED.fullmatch(phrase):
            name = _name(phrase, certain=True)
            found.setdefault((name.container, name.name), name)
    for match in _QUALIFIED.finditer(text):
        word = match.group()
        # Most words are neither shaped like code nor capitalised.
        if word.isalpha() and word.islower():
            continue
        shaped = _code_shaped(word)
        # The first word of a sentence is capitalised anyway, so a stopword there is not a name.
        named = _CAPITAL.fullmatch(word) and (match.start() > 0 or word.lower() not in STOPWORDS)
        if shaped or named:
            name = _name(word, certain=shaped)
            found.setdefault((name.container, name.name), name)
    return tuple(found.values())


def _sentence_kind(text: str) -> QueryKind:
    parts = [word.strip(".,:;!()`'\"").lower() for word in text.split()]
    if text.rstrip().endswith("?"):
        return "question"
    if parts[:1] == ["how"]:
        return "question" if _AFTER_HOW.intersection(parts[1:2]) else "heading"
    if parts[:1] and parts[0] in QUESTION_WORDS:
        return "question"
    if parts[:1] and parts[0] in _CHANGE:
        return "change"
    described = parts[:1] and parts[0] in _DESCRIBING
    if described or _SENTENCE.intersection(parts) or len(parts) > _LONGEST_PHRASE:
        return "statement"
    return "topic"


def classify(text: str) -> Intent:
    """The intent of a query's free text; the caller checks whether it is a report."""
    whole = _whole_name(text)
    return Intent("symbol", (whole,)) if whole else Intent(_sentence_kind(text), _names_in(text))


# Several steps of a search need them.
@lru_cache(maxsize=_RECENT_TEXTS)
def informative_terms(text: str, intent: Intent) -> tuple[str, ...]:
    """The distinct terms in order; stopwords count only within a name, or when there is nothing else."""
    found = tuple(dict.fromkeys(tokens(text)))
    if intent.kind == "symbol":
        return found
    return tuple(term for term in found if term not in STOPSTEMS) or found
