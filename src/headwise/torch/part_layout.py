"""How tables of larger parts lie in memory: what their dimensions are, and what kernels are told of them.

Over all heads, tables are laid out as in `headwise.trees`. Over candidate heads, the modifier comes
first, then the place of its head among its candidates, then the place of the grandparent among those of the
head.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

NAMES = ("siblings", "grandchildren", "grand_siblings")
OVER_ALL_HEADS = {
    "siblings": ("head", "modifier", "sibling"),
    "grandchildren": ("grandparent", "head", "modifier"),
    "grand_siblings": ("grandparent", "head", "modifier", "sibling"),
}
OVER_CANDIDATES = {
    "siblings": ("modifier", "head", "sibling"),
    "grandchildren": ("modifier", "head", "grandparent"),
    "grand_siblings": ("modifier", "head", "grandparent", "sibling"),
}
EMPTY_SIDES = 2  # places behind those of the heads, in grandchildren over candidates


def shape(name: str, nodes: int, choices: int | None, *, empty_sides: bool) -> tuple[int, ...]:
    """Of one sentence. `choices` is None over all heads."""
    if choices is None:
        return (nodes,) * len(OVER_ALL_HEADS[name])
    sizes = {"modifier": nodes, "head": choices, "grandparent": choices, "sibling": nodes}
    if name == "grandchildren" and empty_sides:
        sizes["head"] += EMPTY_SIDES
    return tuple(sizes[dimension] for dimension in OVER_CANDIDATES[name])


class PartTable(ctypes.Structure):
    """As in kernels/parts.cuh."""

    _fields_ = (
        ("scores", ctypes.c_void_p),
        ("direction", ctypes.c_void_p),
        ("second_direction", ctypes.c_void_p),
        ("results", ctypes.c_void_p),
        ("sentence", ctypes.c_longlong),
        ("modifier", ctypes.c_int),
        ("head", ctypes.c_int),
        ("grandparent", ctypes.c_int),
        ("sibling", ctypes.c_int),
    )


class Parts(ctypes.Structure):
    """As in kernels/parts.cuh."""

    _fields_ = (
        ("siblings", PartTable),
        ("grandchildren", PartTable),
        ("grand_siblings", PartTable),
        ("candidates", ctypes.c_void_p),
        ("choices", ctypes.c_int),
        ("empty_sides", ctypes.c_int),
    )


def set_strides(parts: Parts, name: str, sizes: Sequence[int], *, over_candidates: bool) -> None:
    """For a contiguous table whose first dimension is the sentence."""
    dimensions = (OVER_CANDIDATES if over_candidates else OVER_ALL_HEADS)[name]
    table = getattr(parts, name)
    stride = 1
    for dimension, size in zip(reversed(("sentence", *dimensions)), reversed(sizes), strict=True):
        setattr(table, dimension, stride)
        stride *= size
