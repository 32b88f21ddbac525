"""How names are resolved across files, one module per family of languages."""

from __future__ import annotations

from functools import cache

from sightline.relations.rules.base import Rules
from sightline.relations.rules.c import FAMILY, CRules
from sightline.relations.rules.go import GoRules
from sightline.relations.rules.javascript import JavaScriptRules
from sightline.relations.rules.packages import PackageRules
from sightline.relations.rules.python import PythonRules
from sightline.relations.rules.rust import RULES as RUST
from sightline.relations.rules.whole_project import ElixirRules, FileModuleRules, ProjectRules

_C, _SCRIPT, _JVM = CRules(), JavaScriptRules(), PackageRules("java", "kotlin", "scala")
_RULES: dict[str, Rules] = {
    "python": PythonRules(),
    "go": GoRules(),
    "rust": RUST,
    "csharp": PackageRules("csharp", namespaces=True),
    "php": PackageRules("php"),
    "elixir": ElixirRules(),
    "ruby": ProjectRules("ruby", functions=False),
    "dart": ProjectRules("dart", functions=False),
    "gdscript": ProjectRules("gdscript", functions=False),
    "solidity": ProjectRules("solidity", functions=False),
    "swift": ProjectRules("swift", functions=True),
    **{each: FileModuleRules() for each in ("lua", "luau", "ocaml", "erlang", "zig", "gleam", "elm")},
    **dict.fromkeys(FAMILY, _C),
    **dict.fromkeys(("java", "kotlin", "scala"), _JVM),
    **dict.fromkeys(("javascript", "typescript", "tsx", "vue", "svelte", "astro", "html"), _SCRIPT),
}


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language; the default rules if it has none of its own."""
    return _RULES.get(language) or Rules()
