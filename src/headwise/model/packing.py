"""Tensors in few bytes: weights rounded to steps of a table's own size, and everything deflated.

A table of hashed weights holds many numbers near zero and few large ones. Rounded to multiples of a step, the
small ones become 0 and the others one byte, of which Huffman coding leaves a few bits: within a few percent
of the entropy, and inflated again in 4 ms for each million. A deflated tensor carries a checksum, so a
damaged one is noticed.
"""

from __future__ import annotations

import math
import mmap
import zlib
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt

from headwise.base.limits import Within

_HUGE_PAGE = 1 << 21
MOST_STEPS = 127
"""A rounded weight is a signed byte; the step is never so small that the largest weight would not fit."""
BYTE_ZERO = 128
"""The byte of a network that stands for 0; others stand for so many scales above or below."""
CLEARLY_COARSER = 1.5
"""Steps so many times as long: below, numbers that are in steps are not rounded again."""
_STRATEGIES = (zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_DEFAULT_STRATEGY)
"""Tables that are full are coded best number by number, sparse ones by their runs of zeros."""

MOST_INFLATED = 1 << 29
"""Bytes that all packed tensors of a file may take; what is larger is stored as it is. A few kilobytes can be
deflated from gigabytes, and nobody should have to find the memory for them to see what they are."""
MOST_TEXT, TEXT_RATIO = 1 << 28, 32
"""Bytes that a table of text may take, at all and for each of its own. Lists of words are deflated to a fifth
or so, counts to an eighth."""


class PackingError(ValueError):
    """Packed bytes that cannot be what was packed."""


@dataclass(frozen=True)
class AtMostDimensions:
    """Of a tensor; none here has more than two."""

    most: int = 8

    def problem(self, value: tuple[int, ...]) -> str | None:
        return None if len(value) <= self.most else f"has {len(value)} dimensions"


@dataclass(frozen=True)
class Packing:
    """How a tensor was packed: what it was, and in steps of which size its values are counted."""

    dtype: Literal["float32", "float64", "int32", "int64", "uint8"]
    shape: Annotated[tuple[Annotated[int, Within(0, MOST_INFLATED)], ...], AtMostDimensions()]
    step: Annotated[float, Within(1e-37, 1e37)] | None = None
    """None: the bytes are those of the tensor, and nothing was lost."""

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        """What they take in memory."""
        return self.size * np.dtype(self.dtype).itemsize


def pack(tensor: npt.NDArray[Any], coarseness: float | None = None) -> tuple[npt.NDArray[np.uint8], Packing]:
    """The bytes to store. Floats are rounded where a coarseness is given, see `step_of`."""
    step = None
    values = np.ascontiguousarray(tensor)
    if coarseness is not None and tensor.dtype == np.float32:
        step = step_of(tensor, coarseness)
        values = np.rint(tensor / np.float32(step)).astype(np.int8)
    packed = min((_deflated(values.tobytes(), strategy) for strategy in _STRATEGIES), key=len)
    return np.frombuffer(packed, np.uint8), Packing(tensor.dtype.name, tensor.shape, step)  # type: ignore[arg-type]


def _deflated(data: bytes, strategy: int) -> bytes:
    deflate = zlib.compressobj(strategy=strategy)
    return deflate.compress(data) + deflate.flush()


def step_of(weights: npt.NDArray[np.float32], coarseness: float) -> float:
    """The step of a table: ``coarseness`` times the root mean square of its weights that are not zero."""
    used = weights[weights != 0].astype(np.float64)
    if used.size == 0:
        return 1.0
    return float(max(coarseness * math.sqrt(np.mean(used**2)), np.abs(used).max() / MOST_STEPS))


def bytes_in_steps(
    stored: npt.NDArray[np.uint8], scales: npt.NDArray[np.float32], coarseness: float
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Numbers in bytes, of which each row has a scale, with one scale for all: the step of their table.

    So bytes are small numbers, which are coded in few bits, in place of numbers up to 127 in every row.
    """
    numbers = (stored.reshape(len(scales), -1).astype(np.float32) - BYTE_ZERO) * scales[:, None]
    # Rounding makes zeros of many numbers, so the others are larger; the mean of all squares hardly changes.
    mean_square = np.square(numbers, dtype=np.float64).sum() / max(1, numbers.size)
    wanted = coarseness * math.sqrt(mean_square)
    if np.all(scales == scales[:1]) and np.all(wanted < CLEARLY_COARSER * scales):  # they are in steps
        return stored, scales
    step = np.float32(step_of(numbers, coarseness))
    return (np.rint(numbers / step) + BYTE_ZERO).astype(np.uint8).ravel(), np.full_like(scales, step)


def unpack(packed: npt.NDArray[np.uint8], packing: Packing) -> npt.NDArray[Any]:
    """The tensor again."""
    dtype = np.dtype(packing.dtype)
    stored = dtype if packing.step is None else np.dtype(np.int8)
    size = packing.size * stored.itemsize
    data = _inflated(packed, size)
    if len(data) != size:
        raise PackingError(f"it has not the {size:,} bytes that it should have")
    values = np.frombuffer(data, stored).reshape(packing.shape)
    if packing.step is None:
        return values
    table = large_array(packing.shape, dtype)
    np.multiply(values, np.float32(packing.step), out=table, dtype=dtype)
    return table


def large_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """An array to be filled: on huge pages where the system has them, of which fewer are asked for."""
    size = math.prod(shape) * dtype.itemsize
    if size < _HUGE_PAGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.empty(shape, dtype)
    block = mmap.mmap(-1, size + _HUGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    block.madvise(mmap.MADV_HUGEPAGE)
    begin = -np.frombuffer(block, np.uint8).ctypes.data % _HUGE_PAGE
    return np.frombuffer(block, dtype, math.prod(shape), begin).reshape(shape)


def pack_text(text: str) -> npt.NDArray[np.uint8]:
    """Text as a tensor, deflated, because whatever else happens to the numbers of a file, this is text."""
    return np.frombuffer(zlib.compress(text.encode(), 9), np.uint8)


def unpack_text(table: npt.NDArray[np.uint8]) -> bytes:
    """The text again, in UTF-8."""
    most = min(MOST_TEXT, TEXT_RATIO * (table.nbytes + 1024))
    data = _inflated(table, most)
    if len(data) > most:
        raise PackingError(f"its {table.nbytes:,} bytes hold more than {most:,}")
    return data


def _inflated(packed: npt.NDArray[np.uint8], most: int) -> bytes:
    """What was deflated, and where that is more than ``most`` bytes, as many and one."""
    inflate = zlib.decompressobj()
    try:
        data = inflate.decompress(memoryview(np.ascontiguousarray(packed)), most + 1)  # type: ignore[arg-type]
    except zlib.error as error:
        raise PackingError(f"its bytes are damaged ({error})") from error
    if len(data) <= most and (not inflate.eof or inflate.unused_data):
        raise PackingError("its bytes are cut off, or followed by others")
    return data
