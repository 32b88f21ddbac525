"""The array types of the index, each defined once."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

# Scores, signals and vectors.
Floats: TypeAlias = NDArray[np.float32]
# Slots, file numbers and positions.
Integers: TypeAlias = NDArray[np.int64]
# Which slots are meant.
Mask: TypeAlias = NDArray[np.bool_]
