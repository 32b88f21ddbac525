"""The supported languages and how the language of a file is detected; one row per language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Literal, NamedTuple

Strategy = Literal["code", "sections", "lines", "cells"]


class Language(NamedTuple):
    """One language: how its files are named and how they are split into chunks."""

    id: str
    name: str
    grammar: str | None = None
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    strategy: Strategy = "code"
    query: str = ""


def _row(
    id: str,
    name: str,
    extensions: str = "",
    *,
    grammar: str | None = "",
    filenames: str = "",
    shebangs: str = "",
    aliases: str = "",
    strategy: Strategy = "code",
    query: str = "",
) -> Language:
    """A row, with lists as space-separated words; grammar and query default to the name of the language."""
    grammar = id if grammar == "" else grammar
    return Language(
        id=id,
        name=name,
        grammar=grammar,
        extensions=tuple(f".{extension}" for extension in extensions.split()),
        filenames=tuple(filenames.split()),
        shebangs=tuple(shebangs.split()),
        aliases=tuple(aliases.split()),
        strategy="lines" if grammar is None and strategy == "code" else strategy,
        query=query or grammar or "",
    )


_ROWS = (
    _row(
        "python", "Python", "py pyi pyw", shebangs="python pypy", aliases="py python3", filenames="SConstruct"
    ),
    _row(
        "javascript",
        "JavaScript",
        "js mjs cjs jsx",
        shebangs="node nodejs deno bun",
        aliases="js jsx node javascriptreact",
    ),
    _row("typescript", "TypeScript", "ts mts cts", aliases="ts"),
    _row("tsx", "TSX", "tsx", aliases="typescriptreact", query="typescript"),
    _row("go", "Go", "go", aliases="golang"),
    _row("gomod", "Go module", filenames="go.mod"),
    _row("rust", "Rust", "rs", aliases="rs"),
    _row("java", "Java", "java"),
    _row("c", "C", "c h"),
    _row(
        "cpp",
        "C++",
        "cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp inc ixx cppm cu cuh",
        aliases="c++ cxx cc cuda",
    ),
    _row("csharp", "C#", "cs csx", aliases="c# cs"),
    _row(
        "ruby",
        "Ruby",
        "rb rake gemspec ru podspec",
        filenames="Rakefile Gemfile Vagrantfile Podfile Fastfile Guardfile config.ru",
        shebangs="ruby jruby",
        aliases="rb",
    ),
    _row("php", "PHP", "php phtml php5 php7", shebangs="php"),
    _row("swift", "Swift", "swift", shebangs="swift"),
    _row("kotlin", "Kotlin", "kt kts", aliases="kt"),
    _row("scala", "Scala", "scala sc sbt", shebangs="scala"),
    _row("elixir", "Elixir", "ex exs", shebangs="elixir", aliases="ex"),
    _row("haskell", "Haskell", "hs lhs", shebangs="runhaskell stack", aliases="hs"),
    _row("lua", "Lua", "lua rockspec", shebangs="lua luajit"),
    _row("luau", "Luau", "luau", query="lua"),
    _row("zig", "Zig", "zig zon"),
    _row(
        "bash",
        "Shell",
        "sh bash zsh ksh bats ebuild bash_it",
        filenames=".bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv .zprofile PKGBUILD APKBUILD",
        shebangs="sh bash zsh ksh dash ash bats",
        aliases="sh shell zsh shellscript",
    ),
    _row("r", "R", "r", filenames=".Rprofile", shebangs="Rscript"),
    _row("solidity", "Solidity", "sol", aliases="sol"),
    _row("dart", "Dart", "dart", shebangs="dart"),
    _row("julia", "Julia", "jl", shebangs="julia", aliases="jl"),
    _row("ocaml", "OCaml", "ml", shebangs="ocaml", aliases="ml"),
    _row("ocaml_interface", "OCaml interface", "mli", aliases="mli"),
    _row("sql", "SQL", "sql ddl dml psql pgsql mysql", aliases="plsql psql mysql postgresql"),
    _row("html", "HTML", "html htm xhtml", aliases="htm"),
    _row("css", "CSS", "css"),
    _row("scss", "SCSS", "scss", aliases="sass"),
    _row("less", "Less", "less", grammar=None),
    _row("yaml", "YAML", "yaml yml", filenames=".clang-format .clang-tidy", aliases="yml"),
    _row(
        "json",
        "JSON",
        "json jsonc json5 geojson webmanifest",
        filenames=".babelrc .eslintrc .prettierrc",
        aliases="jsonc",
    ),
    _row("jupyter", "Jupyter notebook", "ipynb", grammar=None, aliases="notebook", strategy="cells"),
    _row("toml", "TOML", "toml", filenames="Pipfile"),
    _row(
        "xml",
        "XML",
        "xml xsd xsl xslt svg csproj fsproj vbproj props targets plist storyboard xib resx wsdl pom",
    ),
    _row(
        "markdown",
        "Markdown",
        "md markdown mdown mkd mdx",
        grammar=None,
        aliases="md mdx",
        strategy="sections",
    ),
    _row("rst", "reStructuredText", "rst", grammar=None, aliases="restructuredtext", strategy="sections"),
    _row("hcl", "HCL", "tf tfvars hcl nomad", aliases="terraform tf"),
    _row(
        "dockerfile",
        "Dockerfile",
        "dockerfile containerfile",
        filenames="Dockerfile Containerfile",
        aliases="docker",
    ),
    _row("fortran", "Fortran", "f f77 f90 f95 f03 f08 for ftn"),
    _row("pascal", "Pascal", "pas pp dpr lpr", aliases="delphi"),
    _row("make", "Make", "mk mak make", filenames="Makefile makefile GNUmakefile", aliases="makefile"),
    _row("cmake", "CMake", "cmake", filenames="CMakeLists.txt"),
    _row("proto", "Protocol Buffers", "proto", aliases="protobuf proto3"),
    _row("graphql", "GraphQL", "graphql gql graphqls", aliases="gql"),
    _row("vue", "Vue", "vue"),
    _row("svelte", "Svelte", "svelte"),
    _row("astro", "Astro", "astro"),
    _row("perl", "Perl", "pl pm t", shebangs="perl", aliases="pl"),
    _row("clojure", "Clojure", "clj cljs cljc edn", shebangs="bb", aliases="clj"),
    _row("erlang", "Erlang", "erl hrl", shebangs="escript", aliases="erl"),
    _row("fsharp", "F#", "fs fsx", grammar=None, aliases="f# fs"),
    _row(
        "groovy",
        "Groovy",
        "groovy gradle gvy",
        grammar=None,
        filenames="Jenkinsfile",
        shebangs="groovy",
        aliases="gradle",
    ),
    _row("objc", "Objective-C", "m mm", aliases="objective-c objectivec"),
    _row("powershell", "PowerShell", "ps1 psm1 psd1", shebangs="pwsh", aliases="ps1 pwsh"),
    _row("nix", "Nix", "nix", grammar=None),
    _row("starlark", "Starlark", "bzl bazel star", filenames="BUILD WORKSPACE", aliases="bazel bzl"),
    _row("gleam", "Gleam", "gleam"),
    _row("elm", "Elm", "elm"),
    _row("nim", "Nim", "nim nims", grammar=None, aliases="nimrod"),
    _row(
        "vim", "Vim script", "vim", grammar=None, filenames=".vimrc vimrc .gvimrc", aliases="viml vimscript"
    ),
    _row("fish", "Fish", "fish", shebangs="fish"),
    _row("gdscript", "GDScript", "gd"),
    _row("thrift", "Thrift", "thrift"),
    _row("d", "D", "d di", grammar=None),
    _row("ada", "Ada", "adb ads", grammar=None),
    _row("verilog", "Verilog", "v sv svh vh", grammar=None, aliases="systemverilog"),
    _row("vhdl", "VHDL", "vhd vhdl", grammar=None),
    _row("glsl", "GLSL", "glsl vert frag comp geom tesc tese", query="c"),
    _row("hlsl", "HLSL", "hlsl fx", query="c"),
    _row("wgsl", "WGSL", "wgsl", grammar=None),
    _row("latex", "LaTeX", "tex sty cls", grammar=None, aliases="tex"),
    _row("ini", "INI", "ini cfg desktop", filenames=".editorconfig .gitconfig setup.cfg"),
    _row("properties", "Properties", "properties", grammar=None),
    _row("commonlisp", "Common Lisp", "lisp lsp cl asd", grammar=None, aliases="lisp"),
    _row("elisp", "Emacs Lisp", "el", grammar=None, aliases="emacs-lisp"),
    _row("scheme", "Scheme", "scm ss sld", grammar=None, shebangs="guile"),
    _row("racket", "Racket", "rkt", grammar=None, shebangs="racket"),
    _row("tcl", "Tcl", "tcl", grammar=None, shebangs="tclsh wish"),
    _row("matlab", "MATLAB", "mlx matlab", grammar=None),
    _row("prisma", "Prisma", "prisma", grammar=None),
    _row(
        "text",
        "Plain text",
        "txt text log adoc asciidoc org csv tsv",
        grammar=None,
        aliases="plaintext plain txt",
    ),
)

LANGUAGES: Mapping[str, Language] = {row.id: row for row in _ROWS}
TEXT = LANGUAGES["text"]

_BY_EXTENSION = {extension.lower(): row for row in reversed(_ROWS) for extension in row.extensions}
_BY_FILENAME = {name: row for row in reversed(_ROWS) for name in row.filenames}
_BY_SHEBANG = {program: row for row in reversed(_ROWS) for program in row.shebangs}
_BY_ALIAS: dict[str, Language] = {
    word.lower(): row
    for row in reversed(_ROWS)
    for word in (*row.aliases, row.name, *(extension[1:] for extension in row.extensions), row.id)
} | {row.id: row for row in _ROWS}

_SHEBANG = re.compile(rb"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+|\w+=\S+\s+)*)?(?:\S*/)?([A-Za-z][A-Za-z+_-]*)")
# `Dockerfile.dev`, `Makefile.am`, `.bashrc.local`: the first part decides if the extension is unknown.
_PREFIXED = re.compile(r"\.?[A-Za-z]+(?=[.-]|$)")
# What occurs only in C++, at the start of a line of a header that may also be C.
_CPP_HEADER = re.compile(
    rb"^\s*(?:class|namespace|template\s*<|using\s|public:|private:|#include <[a-z_]+>)", re.MULTILINE
)
_OBJC_HEADER = re.compile(rb"^\s*(?:@interface|@protocol|#import)", re.MULTILINE)
_MATLAB = re.compile(rb"^\s*(?:function\b|classdef\b|%)", re.MULTILINE)
_XML_START = re.compile(rb"^(?:\xef\xbb\xbf)?\s*<\?xml")


def detect(path: str, first_bytes: bytes) -> Language:
    """The language of a file by its name, then its extension, then its first line; else plain text."""
    name = path.rsplit("/", 1)[-1]
    found = _BY_FILENAME.get(name) or _by_ending(name, first_bytes)
    return found or _by_prefix(name) or _by_first_line(first_bytes) or TEXT


def resolve(alias: str) -> Language | None:
    """The language that the user means by a word: its id, its name, an extension or a common alias."""
    return _BY_ALIAS.get(alias.strip().lower().removeprefix("."))


def nearest(alias: str) -> list[str]:
    """The ids of languages whose name is similar to an unknown word, best first."""
    close = get_close_matches(alias.strip().lower(), list(_BY_ALIAS), n=6, cutoff=0.6)
    return list(dict.fromkeys(_BY_ALIAS[word].id for word in close))[:3]


def _by_ending(name: str, first_bytes: bytes) -> Language | None:
    ending = "." + name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if ending == ".h":
        return _header(first_bytes)
    if ending == ".inc" and first_bytes.lstrip().startswith(b"<?php"):
        return LANGUAGES["php"]
    if ending == ".m" and _MATLAB.search(first_bytes) and not _OBJC_HEADER.search(first_bytes):
        return LANGUAGES["matlab"]
    return _BY_EXTENSION.get(ending)


def _header(first_bytes: bytes) -> Language:
    if _OBJC_HEADER.search(first_bytes):
        return LANGUAGES["objc"]
    return LANGUAGES["cpp" if _CPP_HEADER.search(first_bytes) else "c"]


def _by_prefix(name: str) -> Language | None:
    matched = _PREFIXED.match(name)
    return _BY_FILENAME.get(matched.group()) if matched else None


def _by_first_line(first_bytes: bytes) -> Language | None:
    matched = _SHEBANG.match(first_bytes)
    if matched:
        return _BY_SHEBANG.get(matched.group(1).decode("ascii"))
    return LANGUAGES["xml"] if _XML_START.match(first_bytes) else None
