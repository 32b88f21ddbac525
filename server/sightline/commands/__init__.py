"""The implementations of the commands, one module per group."""
