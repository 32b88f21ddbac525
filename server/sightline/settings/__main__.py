"""Prints docs/settings.md: `python -m sightline.settings`."""

from sightline.settings.reference import markdown
from sightline.settings.tree import schema

print(markdown(schema()), end="")
