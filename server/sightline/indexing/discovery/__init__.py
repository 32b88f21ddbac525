"""Which files of a folder are indexed, and why others are not."""
