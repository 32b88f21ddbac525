"""The tools for coding agents: described arguments, answers in plain text of limited size."""
