"""Folders that contain no source: caches, installed packages, build output.

A name alone decides only if it is not an ordinary English word; `target`, `build` or `dist` need evidence
beside or inside them, because projects do keep source in folders with such names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase

# Version control's own data: no rule brings these back.
VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".sl", "CVS", "_darcs"})

_INSTALLED = """
    node_modules bower_components jspm_packages .pnpm-store .yarn .venv .virtualenv site-packages .eggs
    .bundle .pub-cache elm-stuff
"""
_CACHES = """
    __pycache__ __pypackages__ .mypy_cache .pytest_cache .ruff_cache .hypothesis .pytype .tox .nox
    .cache .parcel-cache .turbo .angular .sass-cache .eslintcache .ipynb_checkpoints .gradle .terraform
    .terragrunt-cache .dart_tool .elixir_ls .lexical .metals .bloop .bsp .clangd .ccls-cache .direnv
    .vagrant .zig-cache zig-cache .sightline .idea .vs .fleet .nyc_output htmlcov
"""
_OUTPUT = """
    .next .nuxt .output .svelte-kit .astro .docusaurus .vercel .netlify .serverless .aws-sam cdk.out
    .build DerivedData dist-newstyle .stack-work zig-out CMakeFiles bazel-bin bazel-out bazel-testlogs
"""
_NAMES = frozenset(f"{_INSTALLED} {_CACHES} {_OUTPUT}".split())

_NAME_ENDINGS = (".egg-info", ".dist-info", ".xcassets", ".xcodeproj", ".xcworkspace", ".dSYM")

# Written into a folder by the tool that owns it; CACHEDIR.TAG is the standard mark of rebuildable data.
_MARKS = ("pyvenv.cfg", "CACHEDIR.TAG", "CMakeCache.txt", "conda-meta")

# Build output, recognised by a project file beside it.
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "target": ("Cargo.toml", "pom.xml", "build.sbt", "project.clj"),
    "build": ("build.gradle", "build.gradle.kts", "pubspec.yaml", "Package.resolved"),
    "dist": ("package.json", "setup.py", "pyproject.toml"),
    "_build": ("mix.exs", "rebar.config", "dune-project", "conf.py"),
    "deps": ("mix.exs",),
    "bin": ("*.csproj", "*.fsproj", "*.vbproj"),
    "obj": ("*.csproj", "*.fsproj", "*.vbproj"),
    "Pods": ("Podfile",),
    "Carthage": ("Cartfile",),
}

MARK_FILES = frozenset(_MARKS)


def by_name(name: str) -> bool:
    """Whether a folder's name alone shows that it is noise."""
    return name in _NAMES or name.endswith(_NAME_ENDINGS)


def by_neighbours(name: str, beside: Collection[str]) -> bool:
    """Whether the files beside a folder show that it is build output."""
    return any(_present(pattern, beside) for pattern in _BESIDE.get(name, ()))


def by_content(inside: Collection[str]) -> bool:
    """Whether a folder contains the mark of the tool that created it."""
    return any(mark in inside for mark in _MARKS)


def is_evidence(name: str) -> bool:
    """Whether adding or removing a file of this name can change if a folder beside it is build output."""
    return any(fnmatchcase(name, pattern) for patterns in _BESIDE.values() for pattern in patterns)


def _present(pattern: str, names: Collection[str]) -> bool:
    if pattern.startswith("*"):
        return any(fnmatchcase(name, pattern) for name in names)
    return pattern in names
