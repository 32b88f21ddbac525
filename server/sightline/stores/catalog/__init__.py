"""The index on disk: the truth that everything else is derived from."""
