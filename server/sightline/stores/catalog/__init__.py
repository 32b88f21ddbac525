"""The index on disk: the source of truth that everything else is derived from."""
