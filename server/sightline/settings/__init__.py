"""The settings: one typed tree, read from files and from the editor."""
