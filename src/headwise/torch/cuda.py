"""The operators on a GPU: one block of threads a sentence, its charts in shared memory.

Nothing waits for the GPU: lengths stay there. A batch of mixed lengths is launched once for every class of
lengths, with as much shared memory as the longest sentence of the class may need, so that many short
sentences are on a processor together whatever the longest; a block whose sentence is of another class ends
at once, and launches overlap where the GPU can (compute capability 9). Charts that are too large for shared
memory lie in global memory, for as many sentences as run at a time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from headwise.torch import chart_memory, nvrtc

_CLASSES = (24, 48, 96)  # the longest sentences of the classes of lengths; the last class has all longer ones
_NUMBERS = {torch.float32: "float", torch.float64: "double"}
# Threads that hide latencies, on a processor and in a block, as measured; by whether trees are projective.
_THREADS_PER_PROCESSOR = {True: 768, False: 1536}
_LARGEST_BLOCK = {True: 512, False: 1024}


class Arguments(ctypes.Structure):
    """Of every kernel, laid out as in kernels/entry.cuh."""

    _fields_ = (
        ("scores", ctypes.c_void_p),
        ("direction", ctypes.c_void_p),
        ("second_direction", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("sentences", ctypes.c_int),
        ("width", ctypes.c_int),
        ("single_root", ctypes.c_longlong),  # a bool, padded to the end of Batch
        ("shortest", ctypes.c_int),
        ("longest", ctypes.c_int),
        ("workspace", ctypes.c_void_p),
        ("workspace_size", ctypes.c_longlong),
        ("totals", ctypes.c_void_p),
        ("marginals", ctypes.c_void_p),
        ("heads", ctypes.c_void_p),
        ("is_tree", ctypes.c_void_p),
        ("samples", ctypes.c_longlong),
        ("seed", ctypes.c_ulonglong),
    )


class Launch(NamedTuple):
    """A launch for the sentences of one class of lengths."""

    kernel: nvrtc.Kernel
    prepared: nvrtc.Prepared
    shortest: int
    longest: int
    blocks: int
    workspace: int  # numbers a block, where charts are in global memory


def argmax(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    batch, width, _ = scores.shape
    heads = torch.empty((batch, width - 1), dtype=torch.int64, device=scores.device)
    best = torch.empty(batch, dtype=scores.dtype, device=scores.device)
    _run("ARGMAX", 1, scores, lengths, projective, single_root, totals=best, heads=heads)
    return heads, best


def log_partition(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    total = torch.empty(scores.shape[0], dtype=scores.dtype, device=scores.device)
    _run("SUMS", 1, scores, lengths, projective, single_root, totals=total)
    return total


def sums(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    total = torch.empty(scores.shape[0], dtype=scores.dtype, device=scores.device)
    marginals = torch.empty_like(scores)
    _run("SUMS", 1, scores, lengths, projective, single_root, totals=total, marginals=marginals)
    return total, marginals


def derivative(
    scores: Tensor, lengths: Tensor, direction: Tensor, projective: bool, single_root: bool
) -> Tensor:
    result = torch.empty_like(scores)
    _run("SUMS", 2, scores, lengths, projective, single_root, direction=direction, marginals=result)
    return result


def second_derivative(
    scores: Tensor, lengths: Tensor, first: Tensor, second: Tensor, projective: bool, single_root: bool
) -> Tensor:
    result = torch.empty_like(scores)
    _run(
        "SUMS",
        4,
        scores,
        lengths,
        projective,
        single_root,
        direction=first,
        second_direction=second,
        marginals=result,
    )
    return result


def sample(scores: Tensor, lengths: Tensor, k: int, seed: int, single_root: bool) -> Tensor:
    """Of projective trees."""
    batch, width, _ = scores.shape
    heads = torch.empty((batch, k, width - 1), dtype=torch.int64, device=scores.device)
    _run("SAMPLE", 1, scores, lengths, True, single_root, heads=heads, samples=k, seed=seed)
    return heads


def is_tree(heads: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    result = torch.empty(heads.shape[0], dtype=torch.bool, device=heads.device)
    _run("CHECK", 1, None, lengths, projective, single_root, heads=heads, is_tree=result)
    return result


def _run(
    verb: str,
    parts: int,
    scores: Tensor | None,
    lengths: Tensor,
    projective: bool,
    single_root: bool,
    *,
    direction: Tensor | None = None,
    second_direction: Tensor | None = None,
    totals: Tensor | None = None,
    marginals: Tensor | None = None,
    heads: Tensor | None = None,
    is_tree: Tensor | None = None,
    samples: int = 0,
    seed: int = 0,
) -> None:
    """Launches the kernels of a verb. Tensors are contiguous and on one device."""
    sentences = lengths.shape[0]
    if scores is not None:
        width, dtype = scores.shape[1], scores.dtype
    elif heads is not None:
        width, dtype = heads.shape[1] + 1, torch.float32
    device = lengths.device.index
    if sentences == 0:
        return
    arguments = Arguments(
        _pointer(scores),
        _pointer(direction),
        _pointer(second_direction),
        lengths.data_ptr(),
        sentences,
        width,
        single_root,
        0,
        0,
        None,
        0,
        _pointer(totals),
        _pointer(marginals),
        _pointer(heads),
        _pointer(is_tree),
        samples,
        seed % 2**64,
    )
    previous = torch._C._cuda_getDevice()
    if previous != device:
        torch.cuda.set_device(device)
    try:
        stream = torch._C._cuda_getCurrentRawStream(device)
        plan = _plan(device, verb, parts, dtype, projective, marginals is not None, sentences, width - 1)
        workspaces: list[Tensor] = []
        for launch in plan:
            arguments.shortest, arguments.longest = launch.shortest, launch.longest
            if launch.workspace:
                # Of each launch its own, since they overlap. Then PyTorch hands this memory out again, but
                # only to what comes later in the stream.
                memory = torch.empty(launch.blocks * launch.workspace, dtype=dtype, device=lengths.device)
                workspaces.append(memory)
                arguments.workspace, arguments.workspace_size = memory.data_ptr(), launch.workspace
            launch.kernel.launch(launch.prepared, stream, arguments)
    finally:
        if previous != device:
            torch.cuda.set_device(previous)


def _pointer(tensor: Tensor | None) -> int | None:
    return None if tensor is None else tensor.data_ptr()


@lru_cache(maxsize=1024)
def _plan(
    device: int,
    verb: str,
    parts: int,
    dtype: torch.dtype,
    projective: bool,
    marginals: bool,
    sentences: int,
    words: int,
) -> tuple[Launch, ...]:
    """The launches of a verb over a batch, those that take longest first."""

    def numbers(longest: int, threads: int) -> int:
        return _numbers(verb, parts, projective, marginals, longest, threads)

    processors = torch.cuda.get_device_properties(device).multi_processor_count
    bounds = [bound for bound in _CLASSES if bound < words] if verb != "CHECK" else []
    launches: list[Launch] = []
    shortest = 0
    for longest in [*bounds, words]:
        options = {
            "NUMBER": _NUMBERS[dtype],
            "PARTS": str(parts),
            "PROJECTIVE": str(int(projective)),
            verb: "1",
        }
        limit = nvrtc.shared_memory(device)
        threads = _threads(verb, projective, longest, sentences, processors, limit, numbers, dtype.itemsize)
        shared = numbers(longest, threads) * dtype.itemsize
        fits = shared <= limit
        kernel = nvrtc.kernel(device, IN_SHARED=str(int(fits)), **options)
        threads = min(threads, kernel.threads // 32 * 32)
        blocks = sentences if fits else min(sentences, 2 * processors)
        workspace = 0 if fits else numbers(longest, threads)
        # Longest sentences are launched first, and the others need not wait for them.
        prepared = kernel.prepare(blocks, threads, shared if fits else 0, overlaps=longest < words)
        launches.append(Launch(kernel, prepared, shortest, longest, blocks, workspace))
        shortest = longest + 1
    return tuple(reversed(launches))


def _numbers(verb: str, parts: int, projective: bool, marginals: bool, words: int, threads: int) -> int:
    if verb == "CHECK":
        return 0
    if verb == "SAMPLE":
        return chart_memory.projective_sample(words, threads // 32)
    if verb == "ARGMAX":
        return (chart_memory.projective_argmax if projective else chart_memory.spanning_argmax)(words)
    count = chart_memory.projective_sums if projective else chart_memory.spanning_sums
    return count(words, parts, marginals=marginals)


def _threads(
    verb: str,
    projective: bool,
    words: int,
    sentences: int,
    processors: int,
    shared_limit: int,
    numbers: Callable[[int, int], int],
    itemsize: int,
) -> int:
    """Threads a block: as many as fill the GPU, no more than there is work for at a time."""
    if verb == "CHECK" or (verb == "ARGMAX" and not projective):
        return 32  # one warp goes along a path
    resident = max(1, shared_limit // max(1, numbers(words, 32) * itemsize))
    of_processor = _THREADS_PER_PROCESSOR[projective]
    wanted = max(of_processor // min(resident, 32), processors * of_processor // sentences)
    useful = min(_LARGEST_BLOCK[projective], words * words // 4)
    threads = 32
    while 2 * threads <= min(wanted, useful):
        threads *= 2
    return threads
