"""Derives a file's role from its path: tests, examples, shims and the like rank below the real code."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from sightline.wordlist import words
from sightline.words import split, stem

_PLATFORMS = (
    "win windows win32 darwin macos osx aix sunos solaris os390 os400 haiku cygwin hurd freebsd openbsd "
    "netbsd plan9 android ios tvos watchos wasm wasi emscripten qnx vxworks"
)
# A folder of this name gives its role to all below it; English words that name real source are not listed.
_FOLDERS = {
    "test": words(
        "test tests testing __tests__ testdata test_data testutil testutils testlib spec specs fixture "
        "fixtures __fixtures__ __testfixtures__ mock mocks __mocks__ fakes __snapshots__ snapshots e2e bench "
        "benches benchmark benchmarks fuzz fuzzing fuzzers unittest unittests integration integration_tests "
        "test_suite testsuite jmh perftest"
    ),
    "example": words(
        "example examples _examples demo demos sample samples tutorial tutorials playground playgrounds "
        "cookbook quickstart docs_src"
    ),
    "compat": words(
        "compat _compat compatibility legacy deprecated obsolete polyfill polyfills shim shims backport "
        "backports"
    ),
    "platform": words(_PLATFORMS),
    "docs": words("doc docs documentation website man manual wiki changelogs .github .changeset"),
    "generated": words(
        "generated __generated__ gen autogen locale locales i18n l10n translations third_party thirdparty "
        "3rdparty external vendor vendored"
    ),
}
# The last word of a name with several words: `str_cat_test`, `FooBenchmark`, `poll_windows`, `user.pb`.
_LAST = {
    "test": words("test tests spec specs bench benches benchmark benchmarks e2e fuzz mock mocks testutil"),
    "example": words("example examples demo sample"),
    "compat": words("compat legacy deprecated polyfill polyfills shim shims backport backports"),
    "platform": words(f"{_PLATFORMS} arm64 amd64 s390x ppc64le riscv64"),
    "generated": words("pb pb2 generated designer freezed"),
}
# `test_helpers`, `TestBase`: two-word names that only tests have.
_AFTER_TEST = words("helper helpers util utils lib base case common main support suite data framework macros")
_WHOLE = {
    "test": words("test tests bench benchmark benchmarks conftest testing fixtures"),
    "example": words("example examples demo"),
    "compat": words("compat legacy shim shims polyfills"),
}
_BARRELS = words(
    "__init__.py __init__.pyi package-info.java module-info.java doc.go prelude.rs package.scala "
    "assemblyinfo.cs globalusings.cs"
)
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts", ".pyi")
# Prose and data: good answers to queries about them, poor ones to queries about code.
_NOT_CODE = words(
    "md mdx markdown rst txt adoc asciidoc org tex json yaml yml toml xml csv ini cfg conf lock properties "
    "html css scss svg gradle cmake bazel bzl mk csproj sln props targets plist podspec gemspec snap cabal "
    "po pot arb resx xlf xliff ftl tsv ndjson jsonl geojson log out"
)
_TEST_FOLDER = re.compile(r"[a-z](?:Tests?|Benchmarks?)$|[._-][Tt]ests?$")
_TEST_HEAD = re.compile(r"tests?_|Tests?[A-Z]")
# Maven and Gradle keep production code here, whatever its name.
_PRODUCTION = "/src/main/"
_MAYBE_PRODUCT = words("test testing integration")
_VERSION = re.compile(r"v\d+(?:[._]\d+)*$")
_NAMED_VERSION = re.compile(r"\bv\d", re.IGNORECASE)

# A query with one of these words asks for files of the role.
_ASKING = {
    "test": words("test spec benchmark bench fixture mock fuzz testing tester unittest e2e snapshot perf"),
    "example": words("example demo sample tutorial playground quickstart cookbook"),
    "compat": words("compat compatibility legacy deprecated polyfill shim backport backward obsolete"),
    "barrel": words("barrel export reexport init package"),
    "declaration": words("declaration declare typing ambient"),
    "platform": words(f"{_PLATFORMS} mac bsd platform kqueue iocp"),
    "docs": words(
        "doc docs documentation readme guide manual changelog markdown tutorial section chapter install "
        "contributing license wiki config configuration yaml toml json xml workflow"
    ),
    "generated": words("generated translation locale i18n vendor vendored third party"),
    "old_version": words("legacy old older previous"),
}

# In the order of their bits.
ROLES = tuple(_ASKING)
_BITS = {role: 1 << at for at, role in enumerate(ROLES)}
_CACHE_SIZE = 1 << 17
_FOLDER_CACHE = 1 << 10


def bit(role: str) -> int:
    """The flag of a role."""
    return _BITS[role]


def _flags(words_of: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Maps a word to the flags of the roles it indicates."""
    found: dict[str, int] = {}
    for role, indicators in words_of.items():
        for word in indicators:
            found[word] = found.get(word, 0) | bit(role)
    return found


_ASKED_BY = _flags({role: {stem(word) for word in asking} for role, asking in _ASKING.items()})
_FOLDER_FLAGS, _LAST_FLAGS, _WHOLE_FLAGS = _flags(_FOLDERS), _flags(_LAST), _flags(_WHOLE)


@lru_cache(maxsize=_FOLDER_CACHE)
def _folder_roles(folder: str) -> int:
    found = 0
    for each in folder.split("/"):
        found |= _FOLDER_FLAGS.get(each.lower(), 0)
        # Kotlin and Gradle name source sets jvmTest, integrationTest; .NET names projects Foo.Tests.
        if _TEST_FOLDER.search(each):
            found |= bit("test")
    return found


def _name_roles(name: str) -> int:
    parts = split(name)
    if len(parts) < 2:
        return _WHOLE_FLAGS.get(name.lower(), 0)
    found = _LAST_FLAGS.get(parts[-1], 0)
    if _TEST_HEAD.match(name) or (parts[-2] == "test" and parts[-1] in _AFTER_TEST):
        found |= bit("test")
    return found


@lru_cache(maxsize=_CACHE_SIZE)
def roles(path: str) -> int:
    """The roles of a file as flags, from its path alone."""
    folder, _, name = path.rpartition("/")
    bare, _, extension = name.rpartition(".")
    found = _name_roles(bare or name) | _folder_roles(folder)
    if name.lower() in _BARRELS:
        found |= bit("barrel")
    if name.endswith(_DECLARATIONS):
        found |= bit("declaration")
    if extension.lower() in _NOT_CODE or not bare:
        found |= bit("docs")
    if _PRODUCTION in f"/{path}":
        found &= ~(bit("test") | bit("example"))
    return found


def maybe_product_folder(path: str) -> str:
    """The nested folder with a name such as `testing` that contains a file; empty if there is none."""
    parts = path.split("/")[:-1]
    for depth, part in enumerate(parts[1:], 1):
        if part in _MAYBE_PRODUCT:
            return "/".join(parts[: depth + 1])
    return ""


def looks_like_test(path: str) -> bool:
    """Whether a file's own name marks it as a test."""
    name = path.rpartition("/")[2]
    return bool(_name_roles(name.rpartition(".")[0] or name) & bit("test"))


def has_version(folder: str) -> bool:
    """Whether a part of a folder's path is a version number."""
    return any(_VERSION.fullmatch(part) for part in folder.split("/"))


def roles_below(path: str, product: str) -> int:
    """The roles of a file, ignoring the name of a product folder."""
    return roles(path.replace(f"{product}/", f"{product.rpartition('/')[0]}/", 1))


def version_folders(paths: Iterable[str]) -> frozenset[str]:
    """Folders such as `src/v3` that have a newer sibling `src/v4`."""
    siblings: dict[str, dict[tuple[int, ...], str]] = {}
    for folder in {path.rpartition("/")[0] for path in paths}:
        parts = folder.split("/")
        for depth, part in enumerate(parts):
            if _VERSION.fullmatch(part):
                number = tuple(int(digits) for digits in re.findall(r"\d+", part))
                siblings.setdefault("/".join(parts[:depth]), {})[number] = "/".join(parts[: depth + 1])
    return frozenset(
        folder
        for versions in siblings.values()
        for number, folder in versions.items()
        if number < max(versions)
    )


def asked_roles(query: str) -> int:
    """The roles a query asks for, as flags: files are not penalised for them."""
    asked = 0
    for word in split(query):
        asked |= _ASKED_BY.get(stem(word), 0)
    return asked | (bit("old_version") if _NAMED_VERSION.search(query) else 0)
