"""The git history of a folder: the subjects of past commits and the files they changed."""
