"""Sightline: a language server that finds code by meaning, by name and by keyword."""

import os

__version__ = "0.1.0"

# Read when numpy is first imported. Our products are small: more BLAS threads only wait for each other, which
# makes embedding half as slow again and heats the machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
