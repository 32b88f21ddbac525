"""The benchmark's projects, which the model must never see, with all names they are known by."""

import re

BENCHMARK_PROJECTS = (
    "abseil-cpp",
    "aiohttp",
    "alamofire",
    "axum",
    "bash-it",
    "cats",
    "chi",
    "circe",
    "cobra",
    "commons-lang",
    "ecto",
    "exposed",
    "express",
    "fastapi",
    "fmt",
    "gin",
    "gson",
    "jackson-databind",
    "kotlinx-coroutines",
    "ktor",
    "libuv",
    "messagepack-csharp",
    "model2vec",
    "nlohmann-json",
    "nvim-lspconfig",
    "phoenix",
    "pydantic",
    "rack",
    "rxswift",
    "serde",
    "sinatra",
    "tokio",
    "trpc",
    "vitest",
    "zod",
)

# Other spellings: package names of parts, vendored folder names, and a project that grew out of one of them.
_ALIASES = (
    "absl",
    "abseil",
    "commons-lang3",
    "fmtlib",
    "jackson",
    "kotlinx.coroutines",
    "lspconfig",
    "messagepack",
    "nlohmann",
    "oh-my-bash",
    "uv",
)

_SEPARATORS = re.compile(r"[^a-z0-9]+")
# Bundled third-party code could contain the excluded projects.
_VENDOR_FOLDERS = frozenset(
    (
        *("vendor", "vendored", "_vendor", "third_party", "thirdparty", "3rdparty"),
        *("node_modules", "external", "extern", "deps", "contrib"),
    )
)


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in _SEPARATORS.split(name.lower()) if word)


def _bare(word: str) -> str:
    """Undo the changes of packagers to a name: libcommons-lang3-java contains commons-lang."""
    return word.removeprefix("lib").rstrip("0123456789") or word


_EXCLUDED = frozenset(_words(name) for name in (*BENCHMARK_PROJECTS, *_ALIASES))
_LONGEST = max(len(words) for words in _EXCLUDED)


def is_excluded_name(name: str) -> bool:
    """Return whether a package, repository or folder name contains the name of a benchmark project."""
    words = _words(name)
    return _contains_excluded(words) or _contains_excluded(tuple(map(_bare, words)))


def _contains_excluded(words: tuple[str, ...]) -> bool:
    return any(
        words[start : start + length] in _EXCLUDED
        for length in range(1, _LONGEST + 1)
        for start in range(len(words) - length + 1)
    )


def is_excluded_path(path: str) -> bool:
    """Return whether a file is in vendored code or in a folder named after a benchmark project."""
    *folders, name = path.lower().replace("\\", "/").split("/")
    stem = name.split(".")[0]
    return any(folder in _VENDOR_FOLDERS or _words(folder) in _EXCLUDED for folder in folders) or (
        _words(stem) in _EXCLUDED
    )
