"""The operators of first order on a GPU."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import torch
from torch import Tensor

from headwise.torch import chart_memory, launches
from headwise.torch.launches import pointer

# Threads that hide latencies, on a processor and in a block, as measured; by whether trees are projective.
_THREADS_PER_PROCESSOR = {True: 768, False: 1536}
_LARGEST_BLOCK = {True: 512, False: 1024}


class Arguments(ctypes.Structure):
    """Of every kernel, laid out as in kernels/entry.cuh."""

    _fields_ = (
        ("batch", launches.Batch),
        ("launch", launches.Sentences),
        ("totals", ctypes.c_void_p),
        ("marginals", ctypes.c_void_p),
        ("heads", ctypes.c_void_p),
        ("is_tree", ctypes.c_void_p),
        ("samples", ctypes.c_longlong),
        ("seed", ctypes.c_ulonglong),
    )


class ArcKernels(NamedTuple):
    """launches.Kernels of a verb: SUMS, ARGMAX, TOP_K, SAMPLE or CHECK. `best` is the k of TOP_K."""

    verb: str
    components: int
    projective: bool
    marginals: bool
    best: int = 0

    @property
    def entry(self) -> str:
        return "entry.cuh"

    @property
    def classes(self) -> tuple[int, ...]:
        return launches.CLASSES if self.verb != "CHECK" else ()

    def definitions(self) -> dict[str, str]:
        return {
            "COMPONENTS": str(self.components),
            "PROJECTIVE": str(int(self.projective)),
            self.verb: "1",
        }

    def registers(self, dtype: torch.dtype) -> None:
        return None

    def numbers(self, words: int, threads: int) -> int:
        if self.verb == "CHECK":
            return 0
        if self.verb == "SAMPLE":
            sample = chart_memory.projective_sample if self.projective else chart_memory.spanning_sample
            return sample(words, threads // 32)
        if self.verb == "TOP_K":
            top_k = chart_memory.projective_top_k if self.projective else chart_memory.spanning_top_k
            return top_k(words, self.best)
        if self.verb == "ARGMAX":
            argmax = chart_memory.projective_argmax if self.projective else chart_memory.spanning_argmax
            return argmax(words)
        sums = chart_memory.projective_sums if self.projective else chart_memory.spanning_sums
        return sums(words, self.components, marginals=self.marginals)

    def threads(self, words: int, sentences: int, processors: int, resident: int) -> int:
        """As many as fill the GPU, no more than there is work for at a time."""
        if self.verb == "CHECK" or (self.verb in ("ARGMAX", "TOP_K") and not self.projective):
            return 32  # one warp goes along a path
        of_processor = _THREADS_PER_PROCESSOR[self.projective]
        wanted = max(of_processor // resident, processors * of_processor // sentences)
        return launches.power_of_two(wanted, min(_LARGEST_BLOCK[self.projective], words * words // 4))


def argmax(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    batch, width, _ = scores.shape
    heads = torch.empty((batch, width - 1), dtype=torch.int64, device=scores.device)
    best = torch.empty(batch, dtype=scores.dtype, device=scores.device)
    kernels = ArcKernels("ARGMAX", 1, projective, False)
    _launch(kernels, scores, lengths, single_root, totals=best, heads=heads)
    return heads, best


def log_partition(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    total = torch.empty(scores.shape[0], dtype=scores.dtype, device=scores.device)
    _launch(ArcKernels("SUMS", 1, projective, False), scores, lengths, single_root, totals=total)
    return total


def sums(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    total = torch.empty(scores.shape[0], dtype=scores.dtype, device=scores.device)
    marginals = torch.empty_like(scores)
    kernels = ArcKernels("SUMS", 1, projective, True)
    _launch(kernels, scores, lengths, single_root, totals=total, marginals=marginals)
    return total, marginals


def derivative(
    scores: Tensor, lengths: Tensor, direction: Tensor, projective: bool, single_root: bool
) -> Tensor:
    result = torch.empty_like(scores)
    kernels = ArcKernels("SUMS", 2, projective, True)
    _launch(kernels, scores, lengths, single_root, directions=(direction, None), marginals=result)
    return result


def second_derivative(
    scores: Tensor, lengths: Tensor, first: Tensor, second: Tensor, projective: bool, single_root: bool
) -> Tensor:
    result = torch.empty_like(scores)
    kernels = ArcKernels("SUMS", 4, projective, True)
    _launch(kernels, scores, lengths, single_root, directions=(first, second), marginals=result)
    return result


def top_k(
    scores: Tensor, lengths: Tensor, k: int, projective: bool, single_root: bool
) -> tuple[Tensor, Tensor]:
    batch, width, _ = scores.shape
    heads = torch.empty((batch, k, width - 1), dtype=torch.int64, device=scores.device)
    best = torch.empty((batch, k), dtype=scores.dtype, device=scores.device)
    kernels = ArcKernels("TOP_K", 1, projective, False, k)
    _launch(kernels, scores, lengths, single_root, totals=best, heads=heads, samples=k)
    return heads, best


def sample(scores: Tensor, lengths: Tensor, k: int, seed: int, projective: bool, single_root: bool) -> Tensor:
    batch, width, _ = scores.shape
    heads = torch.empty((batch, k, width - 1), dtype=torch.int64, device=scores.device)
    kernels = ArcKernels("SAMPLE", 1, projective, False)
    _launch(kernels, scores, lengths, single_root, heads=heads, samples=k, seed=seed)
    return heads


def is_tree(heads: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    result = torch.empty(heads.shape[0], dtype=torch.bool, device=heads.device)
    kernels = ArcKernels("CHECK", 1, projective, False)
    _launch(kernels, None, lengths, single_root, heads=heads, is_tree=result)
    return result


def _launch(
    kernels: ArcKernels,
    scores: Tensor | None,
    lengths: Tensor,
    single_root: bool,
    *,
    directions: tuple[Tensor | None, Tensor | None] = (None, None),
    totals: Tensor | None = None,
    marginals: Tensor | None = None,
    heads: Tensor | None = None,
    is_tree: Tensor | None = None,
    samples: int = 0,
    seed: int = 0,
) -> None:
    """Tensors are contiguous and on one device."""
    if scores is not None:
        width, dtype = scores.shape[1], scores.dtype
    elif heads is not None:
        width, dtype = heads.shape[1] + 1, torch.float32
    arguments = Arguments(
        (
            pointer(scores),
            pointer(directions[0]),
            pointer(directions[1]),
            lengths.data_ptr(),
            lengths.shape[0],
            width,
            single_root,
        ),
        (),
        pointer(totals),
        pointer(marginals),
        pointer(heads),
        pointer(is_tree),
        samples,
        seed % 2**64,
    )
    launches.launch(kernels, arguments, lengths, width - 1, dtype)
