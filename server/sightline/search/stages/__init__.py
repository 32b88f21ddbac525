"""Optional stages of the ranking; measurements decide which are on by default."""
