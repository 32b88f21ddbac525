"""Optional stages of the ranking, each off or on by measurement."""
