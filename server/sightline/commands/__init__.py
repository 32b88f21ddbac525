"""What each command does; one module a group."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

from sightline.commands.doctor import doctor
from sightline.commands.indexing import clear, index, status
from sightline.commands.searching import related, search, symbols

Command: TypeAlias = Callable[[argparse.Namespace], int]

__all__ = ["Command", "clear", "doctor", "index", "related", "search", "status", "symbols"]
