"""Builds the packaged embedding model: collect, extract, tokenize, train, export."""
