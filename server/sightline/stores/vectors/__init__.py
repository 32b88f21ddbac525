"""Vectors: exact in memory, or in Chroma."""
