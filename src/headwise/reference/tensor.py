"""The low-rank tensor of ``native/scoring/tensor`` in NumPy: what it computes and learns, as a test oracle.

Lei et al. (2014). ``phi`` is the matrix of features of the root and all words, one row each; ``U``, ``V`` and
``W`` have a row a feature and a column for each of the r dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
SLOTS = 16
"""Of an arc: its direction (two), and its direction and binned distance (fourteen)."""


def word_features(rows: Sequence[Sequence[int]], count: int) -> Array:
    """``phi`` of which the features of each word are named; those that come twice count twice."""
    phi = np.zeros((len(rows), count))
    for word, own in enumerate(rows):
        np.add.at(phi[word], list(own), 1.0)
    return phi


def arc_features(head: int, modifier: int) -> Array:
    """φ_hm: the direction of an arc, and its direction and distance (1, 2, 3, 4, 5–6, 7–10, more)."""
    distance = abs(head - modifier)
    binned = int(np.searchsorted([1, 2, 3, 4, 6, 10], distance))
    right = int(head < modifier)
    phi = np.zeros(SLOTS)
    phi[right] = phi[2 + 2 * binned + right] = 1.0
    return phi


def arc_scores(phi: Array, U: Array, V: Array, W: Array, weight: float) -> Array:
    """``[h, m]``: (1 − γ) Σᵢ [Uφ_h]ᵢ [Vφ_m]ᵢ [Wφ_hm]ᵢ, equation 2; zero where there is no arc."""
    words = len(phi)
    scores = np.zeros((words, words))
    for h in range(words):
        for m in range(1, words):
            if h != m:
                scores[h, m] = weight * np.sum((phi[h] @ U) * (phi[m] @ V) * (arc_features(h, m) @ W))
    return scores


def label_scores(phi: Array, U: Array, V: Array, labels: Array, weight: float, heads: Sequence[int]) -> Array:
    """``[word, label]`` over a tree: (1 − γ) Σᵢ [Uφ_h]ᵢ [Vφ_m]ᵢ [W_l]ᵢ, the label being a part of φ_hm."""
    return np.array([weight * labels @ ((phi[h] @ U) * (phi[m] @ V)) for m, h in enumerate(heads, start=1)])


def gradients(
    phi: Array,
    U: Array,
    V: Array,
    W: Array,
    weight: float,
    amounts: Array,
) -> tuple[Array, Array, Array]:
    """The derivatives of Σ amounts[h, m] · score(h, m) by U, V and W: the paper's du … times 1 − γ."""
    du, dv, dw = np.zeros_like(U), np.zeros_like(V), np.zeros_like(W)
    for h, m in zip(*np.nonzero(amounts), strict=True):
        phi_hm, amount = arc_features(h, m), weight * amounts[h, m]
        of_head, of_modifier, of_arc = phi[h] @ U, phi[m] @ V, phi_hm @ W
        du += amount * np.outer(phi[h], of_modifier * of_arc)
        dv += amount * np.outer(phi[m], of_head * of_arc)
        dw += amount * np.outer(phi_hm, of_head * of_modifier)
    return du, dv, dw


def step_size(loss: float, features: Array, factor: Array, share: float, most: float) -> float:
    """min{C, loss / (γ²‖dθ‖² + (1 − γ)²‖du‖²)}: ``features`` is dθ, ``factor`` is (1 − γ)du, ``share`` γ."""
    return float(min(most, max(0.0, loss) / (share**2 * np.sum(features**2) + np.sum(factor**2))))


def low_rank(tensor: Array, rank: int) -> tuple[Array, Array, Array]:
    """U, V and W of a tensor ``[i, j, k]``: the start of section 4.

    The left singular vectors of its unfolding, and for each of them the leading singular vectors of the right
    one, folded again; the three share the singular values evenly.
    """
    heads, modifiers, slots = tensor.shape
    P, S, Q = np.linalg.svd(tensor.reshape(heads, modifiers * slots), full_matrices=False)
    factors = []
    for i in range(rank):
        p, s, q = np.linalg.svd((S[i] * Q[i]).reshape(modifiers, slots), full_matrices=False)
        factors.append([np.cbrt(s[0]) * vector for vector in (P[:, i], p[:, 0], q[0])])
    U, V, W = (np.stack(columns, axis=1) for columns in zip(*factors, strict=True))
    return U, V, W
