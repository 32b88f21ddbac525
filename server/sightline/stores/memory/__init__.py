"""The index in memory: what a search reads, kept equal to the catalog."""
