"""What networks in bytes compute in floats, against NumPy in doubles and at every width of vectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from headwise._native import scoring as native
from vector_widths import outputs_at_every_width

Doubles = npt.NDArray[np.float64]


def log_probabilities(scores: Doubles) -> Doubles:
    best = scores.max()
    total: Doubles = scores - best - np.log(np.exp(scores - best).sum())
    return total


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 51, 465])
@pytest.mark.parametrize("spread", [0.01, 3.0, 60.0])
def test_log_probabilities(count: int, spread: float) -> None:
    scores = np.random.default_rng(count).normal(scale=spread, size=count).astype(np.float32)
    expected = log_probabilities(scores.astype(np.float64))
    found = native.log_probabilities(scores)
    assert np.abs(found - expected).max() < 3e-7 * max(1.0, float(np.abs(scores).max()), np.log(count))


def test_what_is_impossible_stays_so() -> None:
    scores = np.array([1.0, -np.inf, 2.0, -np.inf, -200.0], np.float32)
    found = native.log_probabilities(scores)
    expected = log_probabilities(scores.astype(np.float64))
    assert np.array_equal(np.isinf(found), np.isinf(scores))
    assert np.allclose(found[[0, 2, 4]], expected[[0, 2, 4]], atol=1e-6)
    with pytest.raises(ValueError, match="none"):
        native.log_probabilities(np.array([], np.float32))


@pytest.mark.parametrize("width", [16, 48])
def test_gates(width: int) -> None:
    """Hochreiter and Schmidhuber (1997), with gates from shut to open."""
    gates = np.random.default_rng(width).normal(scale=4.0, size=(30, 4, width)).astype(np.float32)
    gates[0] = 1e30
    gates[1] = -1e30
    found = native.gate_outputs(gates.ravel(), width).reshape(30, width)
    cell = np.zeros(width)
    for row, sums in enumerate(gates.astype(np.float64)):
        inner, forget, out = 0.5 * (1 + np.tanh(sums[:3] / 2))
        cell = forget * cell + inner * np.tanh(sums[3])
        assert np.abs(found[row] - out * np.tanh(cell)).max() < 1e-5


FINGERPRINT = """
import numpy as np
from headwise._native import scoring as native
rng = np.random.default_rng(1)
for count in (1, 5, 16, 37, 465):
    print(native.log_probabilities(rng.normal(scale=5, size=count).astype(np.float32)).tobytes().hex())
print(native.gate_outputs(rng.normal(scale=3, size=8 * 4 * 48).astype(np.float32), 48).tobytes().hex())
"""


def test_same_bytes_at_every_width() -> None:
    (text,) = outputs_at_every_width(FINGERPRINT)
    assert len(set(text.splitlines())) == 6
