"""The k best trees with labels on a GPU, from the k best trees."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import torch
from torch import Tensor

from headwise.torch import chart_memory, launches


class Arguments(ctypes.Structure):
    """Laid out as in kernels/label_entry.cuh."""

    _fields_ = (
        ("batch", launches.Batch),
        ("launch", launches.Sentences),
        ("trees", ctypes.c_void_p),
        ("tree_scores", ctypes.c_void_p),
        ("heads", ctypes.c_void_p),
        ("chosen", ctypes.c_void_p),
        ("scores", ctypes.c_void_p),
        ("labels", ctypes.c_int),
        ("k", ctypes.c_int),
    )


class LabelKernels(NamedTuple):
    """launches.Kernels: one warp a sentence."""

    best: int

    @property
    def entry(self) -> str:
        return "label_entry.cuh"

    @property
    def classes(self) -> tuple[int, ...]:
        return launches.CLASSES

    def definitions(self) -> dict[str, str]:
        return {}

    def registers(self, dtype: torch.dtype) -> int | None:
        return None

    def numbers(self, words: int, threads: int) -> int:
        return chart_memory.label_top_k(words, self.best)

    def threads(self, words: int, sentences: int, processors: int, resident: int) -> int:
        return 32


def label_top_k(
    arcs: Tensor, lengths: Tensor, trees: Tensor, tree_scores: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Heads, labels and scores."""
    batch, width, _, labels = arcs.shape
    heads, chosen, scores = torch.empty_like(trees), torch.empty_like(trees), torch.empty_like(tree_scores)
    arguments = Arguments(
        batch=(arcs.data_ptr(), None, None, lengths.data_ptr(), batch, width, False),
        trees=trees.data_ptr(),
        tree_scores=tree_scores.data_ptr(),
        heads=heads.data_ptr(),
        chosen=chosen.data_ptr(),
        scores=scores.data_ptr(),
        labels=labels,
        k=trees.shape[1],
    )
    launches.launch(LabelKernels(trees.shape[1]), arguments, lengths, width - 1, arcs.dtype)
    return heads, chosen, scores
