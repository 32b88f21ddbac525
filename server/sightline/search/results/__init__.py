"""Chooses what is shown of a ranking, and how."""
