"""The network of ``native/scoring/network`` in NumPy, word by word: what it computes, as a test oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from headwise.components.network.config import NetworkConfig

Array = npt.NDArray[np.float64]
LEAK = 0.1
LINE = 16
"""Each block of weights begins on a cache line of so many floats."""


def head_log_probabilities(
    config: NetworkConfig,
    weights: Array,
    vectors: Array,
    rows: Sequence[Sequence[int]],
    given: Array | None = None,
) -> Array:
    """``[h, m]``: the log-probability that h is the head of m; ``rows`` are those of each word's vectors.

    ``given`` has a row for the root and each word, of what raw text says of it; its layer comes last.
    """
    encoded, blocks = _encode(config, weights, vectors, rows, given)
    heads = _leaky(_affine(blocks, 2 * config.lstm, config.arcs)(encoded))
    modifiers = _leaky(_affine(blocks, 2 * config.lstm, config.arcs)(encoded))
    scores: Array = heads @ _affine(blocks, config.arcs, config.arcs)(modifiers).T
    np.fill_diagonal(scores, -np.inf)
    return _normalized(scores, axis=0)


def label_log_probabilities(
    config: NetworkConfig,
    weights: Array,
    vectors: Array,
    rows: Sequence[Sequence[int]],
    heads: Sequence[int],
    label_count: int,
) -> Array:
    """``[m - 1, l]``: the log-probability of each label of each word, given all heads."""
    encoded, blocks = _encode(config, weights, vectors, rows)
    for width in (2 * config.lstm, 2 * config.lstm, config.arcs):  # those of arcs
        _affine(blocks, width, config.arcs)
    as_head = _affine(blocks, 2 * config.lstm, config.labels)(encoded)
    as_modifier = _affine(blocks, 2 * config.lstm, config.labels)(encoded)
    joined = _leaky(as_head[list(heads)] + as_modifier[1:])
    return _normalized(_affine(blocks, config.labels, label_count)(joined), axis=1)


def tag_log_probabilities(
    config: NetworkConfig, weights: Array, vectors: Array, rows: Sequence[Sequence[int]], label_count: int
) -> Array:
    """``[m - 1, t]``: the log-probability of each tag of each word."""
    encoded, blocks = _encode(config, weights, vectors, rows)
    for width in (2 * config.lstm, 2 * config.lstm, config.arcs):
        _affine(blocks, width, config.arcs)
    for width, outputs in ((2 * config.lstm, config.labels),) * 2 + ((config.labels, label_count),):
        _affine(blocks, width, outputs)
    state = _leaky(_affine(blocks, 2 * config.lstm, config.tags)(encoded[1:]))
    return _normalized(_affine(blocks, config.tags, config.tag_count)(state), axis=1)


class _Blocks:
    """Matrices that lie one after the other in one array."""

    def __init__(self, weights: Array) -> None:
        self._weights, self._begin = weights, 0

    def take(self, rows: int, columns: int) -> Array:
        size = rows * columns
        block = self._weights[self._begin : self._begin + size].reshape(rows, columns)
        self._begin += -(-size // LINE) * LINE
        return block


def _affine(blocks: _Blocks, rows: int, columns: int) -> Callable[[Array], Array]:
    matrix, bias = blocks.take(rows, columns), blocks.take(1, columns)
    return lambda x: x @ matrix + bias


def _encode(
    config: NetworkConfig,
    weights: Array,
    vectors: Array,
    rows: Sequence[Sequence[int]],
    given: Array | None = None,
) -> tuple[Array, _Blocks]:
    blocks = _Blocks(weights)
    table = vectors.reshape(-1, config.vectors)
    x = np.stack([table[list(own)].sum(axis=0) for own in rows])
    if given is not None:
        size = config.given * config.vectors
        padding = -size % LINE
        x = x + given @ weights[len(weights) - size - padding :][:size].reshape(config.given, config.vectors)
    for _ in range(config.layers):
        shapes = ((x.shape[1], 4 * config.lstm), (config.lstm, 4 * config.lstm), (1, 4 * config.lstm))
        forwards, backwards = ([blocks.take(*shape) for shape in shapes] for _ in range(2))
        x = np.hstack([_read(x, *forwards), _read(x[::-1], *backwards)[::-1]])
    return x, blocks


def _read(x: Array, of_input: Array, recurrent: Array, bias: Array) -> Array:
    """The outputs of an LSTM that reads the rows of x in their order."""
    width = len(recurrent)
    h, cell, outputs = np.zeros(width), np.zeros(width), []
    for row in x:
        sums = row @ of_input + h @ recurrent + bias[0]
        into, forget, out = (1 / (1 + np.exp(-sums[k * width : (k + 1) * width])) for k in range(3))
        cell = forget * cell + into * np.tanh(sums[3 * width :])
        h = out * np.tanh(cell)
        outputs.append(h)
    return np.stack(outputs)


def _leaky(x: Array) -> Array:
    return np.where(x > 0, x, LEAK * x)


def _normalized(scores: Array, axis: int) -> Array:
    result: Array = scores - np.logaddexp.reduce(scores, axis=axis, keepdims=True)
    return result
