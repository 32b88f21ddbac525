"""The weight of a repeated token: as in BM25, the tenth occurrence adds little information."""

import numpy as np
from numpy.typing import NDArray


def saturated(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return 1 + floor(log2(count)), which a text can express by repeating words."""
    return (1 + np.floor(np.log2(counts))).astype(np.float32)
