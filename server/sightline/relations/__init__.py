"""Calls, imports, inheritance and tests: the facts of one file, and how they are resolved across files."""
