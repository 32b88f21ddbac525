"""Who calls, imports, inherits and tests whom: facts of one file, and how they are resolved across files."""
