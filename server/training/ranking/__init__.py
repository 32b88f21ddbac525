"""Learns the weights of the ranking from tasks whose answers are known."""
