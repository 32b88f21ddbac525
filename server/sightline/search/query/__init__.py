"""Parses a query: filters, free text, kind, names."""
