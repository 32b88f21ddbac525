"""The product's names as users and systems see them; docs/releasing.md lists the other places.

The protocol's names are separate: requests, commands and settings keep their prefix under any product name.
"""

PRODUCT = "Sightline"
# The program, which is also the distribution's name on the package index.
COMMAND = "sightline"
# The folder below the user's cache and configuration folders.
FOLDER = "sightline"
