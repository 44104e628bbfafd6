"""How much memory a kernel needs for the charts of one sentence, in numbers of the dtype of the scores.

`parts` is how many numbers stand for one (kernels/numbers.cuh): 1, or 2 and 4 with derivatives.
"""

from __future__ import annotations


def _row(words: int) -> int:
    return (words + 2) & ~1


def _table(words: int) -> int:
    return (words + 1) * _row(words)


def projective_sums(words: int, parts: int, *, marginals: bool) -> int:
    return parts * (4 if marginals else 2) * _table(words) + _row(words)


def projective_argmax(words: int) -> int:
    return 2 * _table(words) + _row(words)


def projective_sample(words: int, warps: int) -> int:
    return 2 * _table(words) + warps * _row(words)


def spanning_sums(words: int, parts: int, *, marginals: bool) -> int:
    tables = (2 * parts + 1) * ((2 if marginals else 1) * _table(words) + 2 * _row(words))
    return tables + 4 * words + 1


def spanning_argmax(words: int) -> int:
    return 2 * _table(words) + 18 * (words + 1)
