"""Parses types as they are written: the declared type, what it contains, and mere wrappers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sightline.relations.values import words_of

# A value of these types is used like the value it wraps.
_WRAPPERS = words_of(
    "Optional Union Final ClassVar Annotated Required NotRequired Awaitable Coroutine Promise "
    "PromiseLike Readonly Partial NonNullable Box Rc Arc Option Result Ref RefMut Pin Cow "
    "ManuallyDrop unique_ptr shared_ptr weak_ptr optional reference_wrapper scoped_refptr Lazy "
    "Deferred Task ValueTask Mono CompletableFuture Future Supplier Provider ThreadLocal "
    "AtomicReference WeakReference"
)
_CONTAINERS = words_of(
    "list List Sequence MutableSequence Iterable Iterator AsyncIterable AsyncIterator Generator "
    "AsyncGenerator Collection set Set frozenset FrozenSet AbstractSet tuple Tuple deque Deque dict "
    "Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict Array ReadonlyArray Map "
    "ReadonlyMap Vec VecDeque HashMap BTreeMap HashSet BTreeSet vector map unordered_map array span "
    "initializer_list ArrayList LinkedList Queue Stream Enumerable IEnumerable IList IReadOnlyList "
    "Dictionary IDictionary ConcurrentHashMap Flow Observable KeysView ValuesView ContextManager "
    "AbstractContextManager AsyncContextManager"
)
# `type[T]` means the class itself, not an object of it.
_OF_ITSELF = frozenset({"type", "Type"})
_GENERATORS = frozenset({"Generator", "AsyncGenerator", "Coroutine", "Result"})
_LEADING = re.compile(
    r"(?:[&*?!\s]|'\w+\b|(?:const|mut|dyn|impl|struct|enum|union|class|typename|final|static|inline|volatile"
    r"|unsigned|readonly|keyof|ref|in|out|unique|abstract|asserts)\b\s*)+"
)
_SLICE = re.compile(r"\[[^\[\]]*\]|chan\b|<-\s*chan\b|\.\.\.")
_NAME = re.compile(r"[^\W\d][\w$]*(?:\s*(?:\.|::|\\)\s*[^\W\d][\w$]*)*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type by its dotted name; `held` are the types it contains, `itself` if the class itself is meant."""

    name: str
    held: tuple[TypeName, ...] = ()
    itself: bool = False


@lru_cache(maxsize=4096)
def read_type(text: str) -> tuple[TypeName, ...]:
    """The types that a value of a written type can have; empty if the text is no type that can be used."""
    found: list[TypeName] = []
    for part in _split(text.strip().strip("\"'"), "|&"):
        found += _read(part.strip())
    return tuple(found)


def _read(text: str) -> list[TypeName]:
    text = text.strip("\"' :")
    if lead := _LEADING.match(text):
        text = text[lead.end() :]
    if text.startswith("map["):
        return [TypeName("", tuple(read_type(text[_closing(text, 3) + 1 :])))]
    if piece := _SLICE.match(text):
        return [TypeName("", tuple(read_type(text[piece.end() :])))]
    if text.startswith("[") and text.endswith("]"):
        return [TypeName("", tuple(read_type(text[1:-1].partition(";")[0])))]
    if text.startswith("(") and text.endswith(")"):
        parts = _split(text[1:-1], ",")
        return list(read_type(parts[0])) if parts else []
    name = _NAME.match(text)
    if not name:
        return []
    dotted = re.sub(r"\s*(?:\.|::|\\)\s*", ".", name.group())
    rest = text[name.end() :].strip()
    if rest.startswith(("[]", "[ ]")):
        return [TypeName("", (TypeName(dotted),))]
    if rest and rest[0] in "[<":
        inside = _split(rest[1 : _closing(rest, 0)], ",")
        if rest[_closing(rest, 0) + 1 :].strip().startswith("["):
            return [TypeName("", (TypeName(dotted),))]
        return _generic(dotted, inside)
    return [TypeName(dotted)]


def _generic(dotted: str, inside: list[str]) -> list[TypeName]:
    last = dotted.rpartition(".")[2]
    if not inside:
        return [TypeName(dotted)]
    if last in _OF_ITSELF:
        return [TypeName(each.name, each.held, True) for each in read_type(inside[0])]
    if last == "Union":
        return [each for part in inside for each in read_type(part)]
    if last == "Coroutine":
        return list(read_type(inside[-1]))
    if last in _WRAPPERS:
        return list(read_type(inside[0]))
    if last in _CONTAINERS:
        # For a map, the elements are its values.
        held = inside[0] if last in _GENERATORS else inside[-1]
        held = inside[0] if held.strip() == "..." else held
        return [TypeName("", tuple(read_type(held)))]
    return [TypeName(dotted)]


def _split(text: str, separators: str) -> list[str]:
    """The parts of a text between separators outside brackets."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if sign in "([{<":
            depth += 1
        elif sign in ")]}>" and depth and text[at - 1] not in "-=":
            depth -= 1
        elif not depth and sign in separators and at:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _closing(text: str, at: int) -> int:
    """The position where the bracket at `at` is closed."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] in "[<(") - (text[index] in "]>)")
        if not depth:
            return index
    return len(text)
