"""Scores places: candidates, signals, weights."""
