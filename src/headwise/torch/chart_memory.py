"""How much memory a kernel needs for the charts of one sentence, in numbers of the dtype of the scores.

`components` is how many numbers stand for one (kernels/numbers.cuh): 1, or 2 and 4 with derivatives.
"""

from __future__ import annotations


def _row(words: int) -> int:
    return (words + 2) & ~1


def _table(words: int) -> int:
    return (words + 1) * _row(words)


def projective_sums(words: int, components: int, *, marginals: bool) -> int:
    return components * (4 if marginals else 2) * _table(words) + _row(words)


def projective_argmax(words: int) -> int:
    return 2 * _table(words) + _row(words)


def projective_sample(words: int, warps: int) -> int:
    return 2 * _table(words) + warps * _row(words)


def best_walks(steps: int, k: int) -> int:
    """For the k best walks through a chart, of so many choices each at most."""
    return k * (steps + 4)


def projective_top_k(words: int, k: int) -> int:
    return projective_argmax(words) + best_walks(2 * words + 1, k)


def spanning_sums(words: int, components: int, *, marginals: bool) -> int:
    tables = (2 * components + 1) * ((2 if marginals else 1) * _table(words) + 2 * _row(words))
    return tables + 4 * words + 1


def spanning_argmax(words: int) -> int:
    return 2 * _table(words) + 18 * (words + 1)


def spanning_top_k(words: int, k: int) -> int:
    masks = words // 32 + 1
    return spanning_argmax(words) + _table(words) + (masks + 1) * (words + 1) + 4 * k


def spanning_sample(words: int, warps: int) -> int:
    return 3 * _table(words) + (1 + 2 * warps) * (words + 1)


def label_top_k(words: int, k: int) -> int:
    return best_walks(words + 1, k)


def sibling_trees(words: int, components: int, warps: int, choices: int | None, *, marginals: bool) -> int:
    """For any verb; `choices` is None over all heads, `warps` how many walk through trees."""
    places = 0 if choices is None else (words + 1) * (words + 2) // 2
    tables = components * (6 if marginals else 3) * _table(words)
    return tables + words + 2 + places + warps * 2 * (words + 1)


def grand_sibling_trees(words: int, components: int, warps: int, choices: int, *, marginals: bool) -> int:
    """Likewise; over all heads there are n + 1 choices."""
    halves = (words * choices + 1) * ((words + 1) | 1)
    pairs = choices * words * choices
    regions = (words + 1) * (words + 1) // 2 + 1
    tables = (halves + pairs + regions) * (2 if marginals else 1) + words * choices + 1
    lists = 4 * words * choices + 4 * (words + 2)
    return components * tables + words + 2 + lists + warps * 2 * (words + 1)
