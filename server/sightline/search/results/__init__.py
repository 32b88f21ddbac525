"""Selects the places of a ranking to show, and formats them."""
