"""Where the index lives: the catalog is the truth, keywords and vectors are derived from it."""
