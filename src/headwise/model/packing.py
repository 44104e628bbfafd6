"""Tensors in few bytes: weights rounded to steps of a table's own size, and everything deflated.

A table of hashed weights holds many numbers near zero and few large ones. Rounded to multiples of a step, the
small ones become 0 and the others one byte, of which Huffman coding leaves a few bits: within a few percent
of the entropy, and inflated again in 4 ms for each million. A deflated tensor carries a checksum, so a
damaged one is noticed.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_STEPS = 127
"""A rounded weight is a signed byte; the step is never so small that the largest weight would not fit."""
_STRATEGIES = (zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_DEFAULT_STRATEGY)
"""Tables that are full are coded best number by number, sparse ones by their runs of zeros."""


class PackingError(ValueError):
    """Packed bytes that cannot be what was packed."""


@dataclass(frozen=True)
class Packing:
    """How a tensor was packed: what it was, and in steps of which size its values are counted."""

    dtype: str
    shape: tuple[int, ...]
    step: float | None = None
    """None: the bytes are those of the tensor, and nothing was lost."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Packing:
        packing = cls(str(values["dtype"]), tuple(map(int, values["shape"])), values["step"])
        if min(packing.shape, default=0) < 0 or (
            packing.step is not None and not 0 < packing.step < math.inf
        ):
            raise PackingError("a shape or a step makes no sense")
        return packing


def pack(tensor: npt.NDArray[Any], coarseness: float | None = None) -> tuple[npt.NDArray[np.uint8], Packing]:
    """The bytes to store. Floats are rounded where a coarseness is given, see `step_of`."""
    step = None
    values = np.ascontiguousarray(tensor)
    if coarseness is not None and tensor.dtype == np.float32:
        step = step_of(tensor, coarseness)
        values = np.rint(tensor / np.float32(step)).astype(np.int8)
    packed = min((_deflated(values.tobytes(), strategy) for strategy in _STRATEGIES), key=len)
    return np.frombuffer(packed, np.uint8), Packing(tensor.dtype.name, tensor.shape, step)


def _deflated(data: bytes, strategy: int) -> bytes:
    deflate = zlib.compressobj(strategy=strategy)
    return deflate.compress(data) + deflate.flush()


def step_of(weights: npt.NDArray[np.float32], coarseness: float) -> float:
    """The step of a table: ``coarseness`` times the root mean square of its weights that are not zero."""
    used = weights[weights != 0].astype(np.float64)
    if used.size == 0:
        return 1.0
    return float(max(coarseness * math.sqrt(np.mean(used**2)), np.abs(used).max() / MOST_STEPS))


def unpack(packed: npt.NDArray[np.uint8], packing: Packing) -> npt.NDArray[Any]:
    """The tensor again."""
    try:
        dtype = np.dtype(packing.dtype)
    except TypeError as error:
        raise PackingError(f"{packing.dtype} is no type of numbers") from error
    stored = dtype if packing.step is None else np.dtype(np.int8)
    size = math.prod(packing.shape) * stored.itemsize
    inflate = zlib.decompressobj()
    try:
        # Never more than what is expected, plus one byte to tell that there would have been more.
        data = inflate.decompress(memoryview(packed), size + 1)  # type: ignore[arg-type]
    except zlib.error as error:
        raise PackingError(f"its bytes are damaged ({error})") from error
    if len(data) != size or not inflate.eof or inflate.unused_data:
        raise PackingError(f"it has not the {size:,} bytes that it should have")
    values = np.frombuffer(data, stored).reshape(packing.shape)
    return values if packing.step is None else np.multiply(values, np.float32(packing.step), dtype=dtype)
