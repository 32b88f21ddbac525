"""Sightline: a language server that finds code by meaning, by name and by keyword."""

__version__ = "0.1.0"
