"""The table of languages and their tree-sitter queries."""

from sightline.languages.table import LANGUAGES, Language, detect, nearest, resolve

__all__ = ["LANGUAGES", "Language", "detect", "nearest", "resolve"]
