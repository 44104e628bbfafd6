"""What happened, iteration by iteration."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Trace(NamedTuple):
    """One entry an iteration of the first run, before any branching."""

    bounds: NDArray[np.float64]
    """The least upper bound so far."""
    scores: NDArray[np.float64]
    """The score of the best solution so far."""
    solved: NDArray[np.int32]
    """How many subproblems had to be solved anew."""
