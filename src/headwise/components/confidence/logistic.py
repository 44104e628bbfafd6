"""Logistic regression by Newton's method: a handful of numbers from many words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_STEPS = 50
_CLOSE = 1e-10


def fit_logistic(
    variables: Floats, truth: npt.NDArray[np.bool_], *, prior: Floats, strength: float
) -> Floats:
    """The weights w that make P(true) = σ(variables · w) most likely.

    ``prior`` is where the weights stay if the data say nothing: ½ ``strength`` times the squared distance
    from it is added to the negative log-likelihood. Newton's method with halved steps where one overshoots.
    """
    weights = prior.astype(np.float64).copy()
    signs = np.where(truth, 1.0, -1.0)

    def objective(w: Floats) -> float:
        return float(
            np.logaddexp(0, -signs * (variables @ w)).sum() + strength / 2 * ((w - prior) ** 2).sum()
        )

    value = objective(weights)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(variables @ weights)))
        gradient = variables.T @ (p - truth) + strength * (weights - prior)
        curvature = (variables * (p * (1 - p))[:, None]).T @ variables + strength * np.eye(len(weights))
        step, length = np.linalg.solve(curvature, gradient), 1.0
        while (new := objective(weights - length * step)) > value and length > _CLOSE:
            length /= 2
        weights -= length * step
        if value - new < _CLOSE * abs(value):
            break
        value = new
    return weights
