"""Learns the weights of the ranking from tasks with known answers."""
