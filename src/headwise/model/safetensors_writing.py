"""Writing safetensors files tensor by tensor: a header in JSON, and then the tensors as they are.

The library `safetensors` makes a file in memory, which takes the memory of all tensors once or twice more;
where there is not so much, it may end the process, or hang it. The format is simple enough to be written by
hand. The bytes are those that the library writes, which the tests compare, but for the padding of the header.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

CACHE_LINE = 64
DTYPES = {"F32": np.float32, "F64": np.float64, "I32": np.int32, "I64": np.int64, "U8": np.uint8}
"""The types of numbers that models have, by their names in the format."""
_ORDER = ("I64", "F64", "F32", "I32", "U8")
"""In which the library lays tensors out: those that must be aligned best come first."""
_NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}


def header_of(metadata: Mapping[str, str], tensors: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Its length, and the header padded with spaces, which the format allows.

    So tensors begin on a cache line: the weights of one feature share one, in memory and in the mapped file.
    """
    layout: dict[str, Any] = {"__metadata__": dict(metadata)}
    begin = 0
    for name in _in_order(tensors):
        tensor = tensors[name]
        end = begin + tensor.nbytes
        layout[name] = {
            "dtype": _NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [begin, end],
        }
        begin = end
    text = json.dumps(layout, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % CACHE_LINE)
    return struct.pack("<Q", len(text)) + text


def pieces_of(
    metadata: Mapping[str, str], tensors: Mapping[str, npt.NDArray[Any]]
) -> Iterator[bytes | memoryview]:
    """What a file consists of, one after the other: the header, and views of the tensors."""
    yield header_of(metadata, tensors)
    for name in _in_order(tensors):
        if tensors[name].size:
            yield np.ascontiguousarray(tensors[name]).reshape(-1).view(np.uint8).data


def size_of(metadata: Mapping[str, str], tensors: Mapping[str, npt.NDArray[Any]]) -> int:
    """Bytes of the file."""
    return len(header_of(metadata, tensors)) + sum(tensor.nbytes for tensor in tensors.values())


def _in_order(tensors: Mapping[str, npt.NDArray[Any]]) -> list[str]:
    return sorted(tensors, key=lambda name: (_ORDER.index(_NAMES[tensors[name].dtype]), name))
