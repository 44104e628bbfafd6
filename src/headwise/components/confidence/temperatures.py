"""Finding the number that scores are divided by: the search that heads, labels and tags have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

WIDEST = np.geomspace(0.01, 100.0, 13)
_ZOOMS = 3


@dataclass(frozen=True)
class Fit:
    """A temperature, and how improbable it makes what is right."""

    loss: float
    temperature: float
    background: float = 0.0


def with_background(temperature: float, probabilities: Floats, background: Floats) -> Fit:
    """The best share of the background at this temperature, by expectation maximization."""
    share = 0.01
    for _ in range(50):
        coarse = share * background
        share = float(np.mean(coarse / ((1 - share) * probabilities + coarse)))
    mixed = (1 - share) * probabilities + share * background
    return Fit(float(-np.log(mixed).mean()), temperature, share)


def minimize(fits: Callable[[list[float]], list[Fit]]) -> Fit:
    """Look at a wide range of temperatures, then three times closer and closer around the best."""
    grid, ratio = WIDEST, float(WIDEST[1] / WIDEST[0])
    best = min(fits(grid.tolist()), key=lambda fit: fit.loss)
    for _ in range(_ZOOMS):
        ratio = ratio**0.4
        around = best.temperature * ratio ** np.array([-2.0, -1.0, 1.0, 2.0])
        best = min([best, *fits(around.tolist())], key=lambda fit: fit.loss)
    return best
