"""Turns a query into ranked, explained places in the code."""
