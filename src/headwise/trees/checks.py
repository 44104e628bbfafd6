"""Arguments, checked: every message names the argument and says what it should be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise._native import trees as native

Floats = NDArray[np.float64]

# Beyond this, doubles are so far apart that sums of scores mean nothing.
LARGEST_SCORE = 1e9


class ScoreError(ValueError):
    """Scores that are no numbers, or too large to be summed."""


def float_array(name: str, values: ArrayLike) -> Floats:
    """Numbers as contiguous float64, not copied if they are that already."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from error
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be an array of numbers, not of {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def score_table(name: str, table: ArrayLike, shape: tuple[int | None, ...] | None = None) -> Floats:
    """A table of scores as contiguous float64: finite or −inf, of the given shape (None: any length)."""
    array = float_array(name, table)
    if shape is not None and (
        array.ndim != len(shape)
        or any(want not in (None, got) for want, got in zip(shape, array.shape, strict=True))
    ):
        wanted = ", ".join("*" if length is None else str(length) for length in shape)
        raise ValueError(f"{name} must have shape ({wanted}), not {array.shape}")
    if not native.are_scores(array, LARGEST_SCORE):
        raise ScoreError(f"{name} {_what_is_wrong(array)}")
    return array


def _what_is_wrong(scores: Floats) -> str:
    if np.isnan(scores).any():
        return "must not contain NaN; a forbidden part scores -inf"
    if (scores > LARGEST_SCORE).any():
        return f"must not contain +inf or scores above {LARGEST_SCORE:g}"
    return f"must not contain finite scores below {-LARGEST_SCORE:g}; use -inf"


def arc_scores(arcs: ArrayLike) -> tuple[Floats, bool]:
    """Arc scores as a new (n+1, n+1, L) array, and whether they came with labels.

    Entries that name no arc (a word as its own head, anything into the root) are ignored: they become −inf.
    """
    array = float_array("arcs", arcs).copy()
    if array.ndim not in (2, 3) or array.shape[0] != array.shape[1] or 0 in array.shape:
        raise ValueError(f"arcs must have shape (n+1, n+1) or (n+1, n+1, L), not {array.shape}")
    if array.shape[0] < 2:
        raise ValueError("arcs must have shape (n+1, n+1) with n >= 1: an empty sentence has no tree")
    has_labels = array.ndim == 3
    labelled = array if has_labels else array[:, :, None]
    labelled[:, 0] = -np.inf
    labelled.reshape(-1, labelled.shape[2])[:: len(array) + 1] = -np.inf  # the diagonal
    score_table("arcs", labelled)
    return labelled, has_labels


def apply_mask(arcs: Floats, mask: ArrayLike | None) -> None:
    """Forbids the arcs (or labelled arcs) where the mask is false."""
    if mask is None:
        return
    allowed = np.asarray(mask)
    if allowed.dtype != np.bool_:
        raise ValueError(f"mask must be an array of booleans (true: allowed), not {allowed.dtype}")
    if allowed.shape not in (arcs.shape[:2], arcs.shape):
        raise ValueError(f"mask must have shape {arcs.shape[:2]}, not {allowed.shape}")
    arcs[~allowed] = -np.inf


def apply_partial_tree(
    arcs: Floats, heads: ArrayLike | None, labels: ArrayLike | None, label_count: int | None
) -> None:
    """Forbids all arcs that disagree with the heads and labels that are given (−1: any)."""
    words = len(arcs) - 1
    if heads is not None:
        known = word_integers("partial_heads", heads, words, -1, words)
        check_acyclic("partial_heads", known)
        for word in np.flatnonzero(known >= 0) + 1:
            others = np.arange(words + 1) != known[word - 1]
            arcs[others, word] = -np.inf
    if labels is not None:
        wanted = checked_labels(labels, words, label_count)
        for word in np.flatnonzero(wanted >= 0) + 1:
            others = np.arange(arcs.shape[2]) != wanted[word - 1]
            arcs[:, word, others] = -np.inf


def checked_labels(labels: ArrayLike, words: int, label_count: int | None) -> NDArray[np.int32]:
    """The labels of a partial tree, −1 where any will do."""
    if label_count is None:
        raise ValueError("partial_labels is of use only where arcs have labels")
    return word_integers("partial_labels", labels, words, -1, label_count - 1)


def word_integers(name: str, values: ArrayLike, words: int, low: int, high: int) -> NDArray[np.int32]:
    """One integer a word, within bounds."""
    array = np.asarray(values)
    if array.shape != (words,) or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be {words} integers, one a word, not {array.dtype} of shape {array.shape}"
        )
    if array.min() < low or array.max() > high:
        raise ValueError(f"{name} must lie between {low} and {high}, not {array.min()} to {array.max()}")
    return array.astype(np.int32)


def check_acyclic(name: str, heads: Sequence[int] | NDArray[np.int32]) -> None:
    """No word may be its own ancestor; −1 is an unknown head."""
    for word in range(1, len(heads) + 1):
        node, steps = word, 0
        while node > 0:
            node = int(heads[node - 1])
            steps += 1
            if steps > len(heads):
                raise ValueError(f"{name} contains a cycle through word {word}")


def positive(name: str, value: int) -> int:
    """A positive integer; there are never more trees, or threads, than the native core can count."""
    return min(_integer(name, value, 1, "a positive integer"), 2**31 - 1)


def seed_of(seed: int) -> int:
    return _integer("seed", seed, 0, "a non-negative integer")


def _integer(name: str, value: int, low: int, what: str) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < low:
        raise ValueError(f"{name} must be {what}, not {value!r}")
    return int(value)


def one_for_each(name: str, values: Sequence[object], problems: int) -> None:
    if len(values) != problems:
        raise ValueError(f"{name} must be {problems}, one for each distribution, not {len(values)}")
