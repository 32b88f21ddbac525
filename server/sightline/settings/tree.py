"""One typed tree of settings: defaults < user file < .sightline.toml < what the editor sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from sightline.names import FOLDER
from sightline.settings.setting_values import Scope, SettingsSource, kind_of, merge, read_file

WORKSPACE_FILE = ".sightline.toml"


def _option(
    default: Any,
    description: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
    scope: Scope = "workspace",
    example: object = None,
    experimental: bool = False,
) -> Any:
    """A field that carries its own documentation and limits; editors hide an experimental one."""
    facts = {
        "description": description,
        "choices": choices,
        "low": low,
        "high": high,
        "scope": scope,
        "example": example,
        "experimental": experimental,
    }
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=facts)
    return field(default=default, metadata=facts)


@dataclass(frozen=True, slots=True)
class IndexingSettings:
    """What is indexed, and how many resources indexing uses."""

    include: tuple[str, ...] = _option(
        (),
        "Globs (gitignore syntax, relative to the folder) of files to index although an ignore file or a "
        "built-in rule hides them. Inside a hidden folder, only globs that begin with that folder apply. "
        "Secrets, binaries and lockfiles are never indexed.",
        example=["build/generated/**"],
    )
    exclude: tuple[str, ...] = _option(
        (),
        "Globs (gitignore syntax, relative to the folder) of files not to index; overrides "
        "`indexing.include`.",
        example=["fixtures/", "*.snap"],
    )
    max_file_bytes: int = _option(
        1 << 20,
        "Larger files are skipped and counted as `too large`; for notebooks the limit is 16 times as high.",
        low=1,
        high=1 << 26,
    )
    use_gitignore: bool = _option(
        True, "Honour .gitignore at every level, .git/info/exclude and git's global excludes file."
    )
    cpu_percent: int = _option(
        100,
        "Below 100, indexing uses at most this share of one core; at 100 it uses all cores (at most four) "
        "while many files are read.",
        low=1,
        high=100,
    )
    pause_while_typing: bool = _option(True, "Pause indexing while you type.")
    poll_seconds: int = _option(
        30,
        "How often the folder is compared with the index when the editor cannot watch files; 0 turns it off.",
        low=0,
        high=86400,
    )
    languages: Mapping[str, str] = _option(
        {}, "Languages by file extension; overrides the built-in table.", example={".inc": "php"}
    )


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model turns text into vectors."""

    model: str = _option(
        "packaged",
        "`packaged`, a model name of fastembed's catalogue, or the path of a local model folder.",
        scope="user",
    )
    allow_download: bool = _option(
        False,
        "Allow a catalogue model to be fetched from the network; without it only local files are used.",
        scope="user",
    )


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where vectors are stored."""

    url: str = _option(
        "", "URL of a Chroma server that you run; empty keeps the vectors on this machine.", scope="user"
    )
    persist_vectors: bool = _option(True, "Also write vectors to Chroma, in the background.")


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How a query is answered."""

    mode: Literal["hybrid", "semantic", "keyword"] = _option(
        "hybrid",
        "The retrievers to use if a request does not name a mode.",
        choices=("hybrid", "semantic", "keyword"),
    )
    limit: int = _option(10, "The number of results if a request does not set a limit.", low=1, high=1000)
    min_score: float = _option(0.0, "Results below this score (0 to 1) are left out.", low=0.0, high=1.0)
    per_file: int = _option(
        3,
        "The maximum number of results from one file while other files can fill the page; 0 means no limit.",
        low=0,
        high=1000,
    )
    select: Literal["files", "cap", "mmr"] = _option(
        "cap",
        "How the page is filled: by score under the per-file cap (`cap`), each file's best place before any "
        "second one (`files`), or for variety (`mmr`).",
        choices=("files", "cap", "mmr"),
    )
    exact_limit: int = _option(
        2_000_000,
        "Up to this number of chunks, vectors are compared in memory, exactly up to 200,000; above it, "
        "Chroma finds the candidates.",
        low=0,
        high=100_000_000,
    )
    cache_ttl_hours: float = _option(
        24.0,
        "How long a cached answer may be used while the index is unchanged; 0 turns the cache off.",
        low=0.0,
        high=8760.0,
    )
    expand_query: bool = _option(False, "Add related words of the index's vocabulary to the query.")
    graph: bool = _option(False, "Rank places higher that the best results import, call or link to.")
    recency: bool = _option(False, "Rank recently changed files higher.")
    history: bool = _option(
        True,
        "In a git repository, rank files higher that were changed by past commits with a subject similar to "
        "the query; commits are read by `git log`, in the background.",
        scope="user",
    )
    rerank_model: str = _option(
        "",
        "Cross-encoder that reorders the best results: a catalogue name or a local folder; empty is off.",
        scope="user",
    )
    rerank_top: int = _option(20, "How many of the best results the cross-encoder reads.", low=1, high=200)
    tuning: Mapping[str, float] = _option(
        {}, "Ranking constants by name, for experiments; docs/ranking.md lists them.", experimental=True
    )


@dataclass(frozen=True, slots=True)
class HoverSettings:
    """What a hover on a symbol shows."""

    enabled: bool = _option(True, "Show the symbol and related places on hover.")
    related: int = _option(
        5, "The maximum number of related places in a hover; only resolved ones are listed.", low=0, high=5
    )


@dataclass(frozen=True, slots=True)
class CodeLensSettings:
    """The line above a definition."""

    enabled: bool = _option(False, 'Show "Find related" above definitions.')


@dataclass(frozen=True, slots=True)
class NavigationSettings:
    """Features that other language servers provide too."""

    languages: tuple[str, ...] = _option(
        (),
        "Languages for which call hierarchy and references are answered; `*` means all. Use it for languages "
        "without another language server: two servers would show everything twice.",
        example=["lua"],
    )


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What the server writes to its log."""

    level: Literal["debug", "info", "warning", "error"] = _option(
        "info", "The least severe message that is logged.", choices=("debug", "info", "warning", "error")
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of one folder."""

    indexing: IndexingSettings = field(default_factory=IndexingSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    hover: HoverSettings = field(default_factory=HoverSettings)
    code_lens: CodeLensSettings = field(default_factory=CodeLensSettings)
    navigation: NavigationSettings = field(default_factory=NavigationSettings)
    log: LogSettings = field(default_factory=LogSettings)


SECTIONS: Mapping[str, type] = {
    option.name: type(getattr(Settings(), option.name)) for option in fields(Settings)
}


def load(root: Path | None, editor: Mapping[str, object] | None = None) -> tuple[Settings, list[str]]:
    """The settings of a folder, and one message for every value that could not be used."""
    sources = [read_file(user_file(), "user")]
    if root is not None:
        sources.append(read_file(root / WORKSPACE_FILE, "workspace"))
    sources.append(SettingsSource("Editor settings", "user", editor or {}))
    values, problems = merge(SECTIONS, sources)
    return Settings(**{name: section(**values[name]) for name, section in SECTIONS.items()}), problems


def user_file() -> Path:
    """The path of the user's settings file, which applies to every folder."""
    # Imported here, because it is slow and a server answers initialize before it reads any settings.
    from platformdirs import user_config_dir

    return Path(user_config_dir(FOLDER, appauthor=False)) / "settings.toml"


def schema() -> dict[str, dict[str, Any]]:
    """Every setting by its full key: type, default, description, scope and limits, in JSON Schema terms."""
    return {
        f"{name}.{option.name}": _described(option)
        for name, section in SECTIONS.items()
        for option in fields(section)
    }


_JSON_TYPES: Mapping[str, dict[str, Any]] = {
    "boolean": {"type": "boolean"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "choice": {"type": "string"},
    "strings": {"type": "array", "items": {"type": "string"}},
    "names": {"type": "object", "additionalProperties": {"type": "string"}},
    "numbers": {"type": "object", "additionalProperties": {"type": "number"}},
}


def _described(option: Field[Any]) -> dict[str, Any]:
    facts = option.metadata
    default = {} if option.default is MISSING else option.default
    described = {
        **_JSON_TYPES[kind_of(option)],
        "default": list(default) if isinstance(default, tuple) else default,
        "description": facts["description"],
        "scope": facts["scope"],
    }
    if facts["choices"]:
        described["enum"] = list(facts["choices"])
    if facts["low"] is not None:
        described |= {"minimum": facts["low"], "maximum": facts["high"]}
    if facts["example"] is not None:
        described["examples"] = [facts["example"]]
    if facts["experimental"]:
        described["experimental"] = True
    return described
