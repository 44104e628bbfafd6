"""Launches of kernels over the sentences of a batch: one block of threads a sentence, its charts in shared
memory.

Nothing waits for the GPU: lengths stay there. A batch of mixed lengths is launched once for every class of
lengths, with as much shared memory as the longest sentence of the class may need, so that many short
sentences are on a processor together whatever the longest; a block whose sentence is of another class ends
at once, and launches overlap where the GPU can (compute capability 9). Charts that are too large for shared
memory lie in global memory, for as many sentences as run at a time.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from headwise.torch import nvrtc

CLASSES = (24, 48, 96)  # the longest sentences of the classes of lengths; the last class has all longer ones
_NUMBERS = {torch.float32: "float", torch.float64: "double"}


class Batch(ctypes.Structure):
    """As in kernels/scores.cuh."""

    _fields_ = (
        ("scores", ctypes.c_void_p),
        ("direction", ctypes.c_void_p),
        ("second_direction", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("sentences", ctypes.c_int),
        ("width", ctypes.c_int),
        ("single_root", ctypes.c_longlong),  # a bool, padded to the end
    )


class Sentences(ctypes.Structure):
    """Those that a launch is for: Launch in kernels/sentences.cuh."""

    _fields_ = (
        ("shortest", ctypes.c_int),
        ("longest", ctypes.c_int),
        ("workspace", ctypes.c_void_p),
        ("workspace_size", ctypes.c_longlong),
    )


class Kernels(Protocol):
    """The kernels of a verb of a structure. They are compared by value."""

    @property
    def entry(self) -> str:
        """The file of kernels/ that they are compiled from."""

    @property
    def classes(self) -> tuple[int, ...]: ...

    def __hash__(self) -> int: ...

    def definitions(self) -> dict[str, str]: ...

    def registers(self, dtype: torch.dtype) -> int | None:
        """The most that a thread may have, where more blocks on a processor are worth it."""

    def numbers(self, words: int, threads: int) -> int:
        """How many a block needs for its charts."""

    def threads(self, words: int, sentences: int, processors: int, resident: int) -> int:
        """How many a block should have, if as many blocks as `resident` are on a processor at a time."""


class Launch(NamedTuple):
    """A launch for the sentences of one class of lengths."""

    kernel: nvrtc.Kernel
    prepared: nvrtc.Prepared
    shortest: int
    longest: int
    blocks: int
    workspace: int  # numbers a block, where charts are in global memory


def launch(kernels: Kernels, arguments: Any, lengths: Tensor, words: int, dtype: torch.dtype) -> None:
    """`arguments` are those of the kernels; their `launch` is filled in here."""
    sentences = lengths.shape[0]
    if sentences == 0:
        return
    device = lengths.device.index
    previous = torch._C._cuda_getDevice()
    if previous != device:
        torch.cuda.set_device(device)
    try:
        stream = torch._C._cuda_getCurrentRawStream(device)
        of_launch = arguments.launch
        workspaces: list[Tensor] = []
        for each in _plan(device, kernels, dtype, sentences, words):
            of_launch.shortest, of_launch.longest = each.shortest, each.longest
            if each.workspace:
                # Of each launch its own, since they overlap. Then PyTorch hands this memory out again, but
                # only to what comes later in the stream.
                memory = torch.empty(each.blocks * each.workspace, dtype=dtype, device=lengths.device)
                workspaces.append(memory)
                of_launch.workspace, of_launch.workspace_size = memory.data_ptr(), each.workspace
            each.kernel.launch(each.prepared, stream, arguments)
    finally:
        if previous != device:
            torch.cuda.set_device(previous)


def pointer(tensor: Tensor | None) -> int | None:
    return None if tensor is None else tensor.data_ptr()


def power_of_two(wanted: int, useful: int) -> int:
    """Threads: a power of two that neither is below, and at least a warp."""
    threads = 32
    while 2 * threads <= min(wanted, useful):
        threads *= 2
    return threads


@lru_cache(maxsize=1024)
def _plan(
    device: int, kernels: Kernels, dtype: torch.dtype, sentences: int, words: int
) -> tuple[Launch, ...]:
    """The launches of a verb over a batch, those that take longest first."""
    processors = torch.cuda.get_device_properties(device).multi_processor_count
    limit = nvrtc.shared_memory(device)
    launches: list[Launch] = []
    shortest = 0
    for longest in [*(bound for bound in kernels.classes if bound < words), words]:
        resident = max(1, limit // max(1, kernels.numbers(longest, 32) * dtype.itemsize))
        threads = kernels.threads(longest, sentences, processors, min(resident, 32))
        shared = kernels.numbers(longest, threads) * dtype.itemsize
        fits = shared <= limit
        kernel = nvrtc.kernel(
            device,
            kernels.entry,
            kernels.registers(dtype),
            NUMBER=_NUMBERS[dtype],
            IN_SHARED=str(int(fits)),
            **kernels.definitions(),
        )
        threads = min(threads, kernel.threads // 32 * 32)
        blocks = sentences if fits else min(sentences, 2 * processors)
        workspace = 0 if fits else kernels.numbers(longest, threads)
        # Longest sentences are launched first, and the others need not wait for them.
        prepared = kernel.prepare(blocks, threads, shared if fits else 0, overlaps=longest < words)
        launches.append(Launch(kernel, prepared, shortest, longest, blocks, workspace))
        shortest = longest + 1
    return tuple(reversed(launches))
