"""How much a repeated token counts: like BM25, the tenth occurrence says little that the first did not."""

import numpy as np
from numpy.typing import NDArray


def saturated(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return one plus the whole part of the binary logarithm, which texts can express by repeating words."""
    return (1 + np.floor(np.log2(counts))).astype(np.float32)
