"""The model file: one safetensors file whose header holds the configuration and a format version.

Reading a model executes nothing. The header is checked by the safetensors library; the tensors are then
memory-mapped, and the parser copies its tables from there onto huge pages in milliseconds. In a packed file
(format 2) a tensor is stored as :mod:`headwise.model.packing` writes it, and expanded when it is read.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from headwise.atomic import replaced
from headwise.errors import HeadwiseError
from headwise.model.packing import Packing, unpack

FORMAT_VERSION = 2
"""Raised by one whenever an older Headwise could not read what a newer one writes."""
_PLAIN, _PACKED = 1, 2
"""A file is written in the oldest format that can hold it."""

_CACHE_LINE = 64
_DTYPES = {"F32": np.float32, "F64": np.float64, "I32": np.int32, "I64": np.int64, "U8": np.uint8}

Tensors = dict[str, npt.NDArray[Any]]


class ModelError(HeadwiseError):
    """A model file that cannot be used."""


def write_model(
    path: str | Path,
    kind: str,
    config: Mapping[str, Any],
    tensors: Mapping[str, npt.NDArray[Any]],
    packings: Mapping[str, Packing] | None = None,
) -> None:
    """Write a model file, whole or not at all: a reader never sees half of it.

    ``packings`` tell how the tensors were packed; None stores them as they are.
    """
    path = Path(path)
    body = model_bytes(kind, config, tensors, packings)
    try:
        with replaced(path) as file:
            file.write(body)
    except OSError as error:
        raise ModelError(f"{path}: the model could not be written ({error.strerror}).") from error


def model_bytes(
    kind: str,
    config: Mapping[str, Any],
    tensors: Mapping[str, npt.NDArray[Any]],
    packings: Mapping[str, Packing] | None = None,
) -> bytes:
    """What `write_model` writes."""
    header: dict[str, Any] = {"format": _PLAIN, "kind": kind, "config": config}
    if packings is not None:
        packed = {name: packing.to_json() for name, packing in packings.items()}
        header |= {"format": _PACKED, "packed": packed}
    metadata = {"headwise": json.dumps(header, ensure_ascii=False, sort_keys=True)}
    return _aligned(save({name: np.ascontiguousarray(array) for name, array in tensors.items()}, metadata))


def _aligned(body: bytes) -> bytes:
    """Pad the header with spaces (the format allows it) so that the tensors begin on a cache line.

    The weights of one feature share a cache line, in memory and so in the mapped file.
    """
    begin = 8 + _header_length(body)
    padding = -begin % _CACHE_LINE
    length = struct.pack("<Q", begin - 8 + padding)
    return b"".join((length, body[8:begin], b" " * padding, memoryview(body)[begin:]))


def _header_length(body: bytes) -> int:
    return int(struct.unpack("<Q", body[:8])[0])


def looks_like_model(path: str | Path) -> bool:
    """Whether a file begins as a safetensors file does: a length, then a JSON object."""
    try:
        with open(path, "rb") as file:
            start = file.read(9)
    except OSError:
        return False
    return len(start) == 9 and start[8:] == b"{"


def model_kind(path: str | Path) -> str:
    """What a model file holds: ``parser``, ``pipeline`` …"""
    return str(_read_header(Path(path))["kind"])


def read_model(path: str | Path, kind: str) -> tuple[dict[str, Any], Tensors]:
    """The configuration and the (memory-mapped, read-only) tensors of a model file."""
    path = Path(path)
    header = _read_header(path)
    if header["kind"] != kind:
        raise ModelError(f"{path} holds a {header['kind']}, where a {kind} is needed.")
    tensors = _map_tensors(path)
    for name, entry in header["packed"].items():
        try:
            tensors[name] = unpack(tensors[name], Packing.from_json(entry))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                f"{path} is damaged: {name} cannot be unpacked, {error}. "
                "Copy the file again or train the model anew."
            ) from error
    return header["config"], tensors


def weights_digest(tensors: Mapping[str, npt.NDArray[Any]]) -> str:
    """A SHA-256 of all tensors as they are used, however they are packed: equal for models that act alike."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode() + np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def _read_header(path: Path) -> dict[str, Any]:
    if path.is_dir():
        raise ModelError(f"{path} is a directory, not a model file.")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
    except FileNotFoundError as error:
        raise ModelError(f"{path}: no such file. Train a model with 'headwise train'.") from error
    except (SafetensorError, OSError) as error:
        raise ModelError(
            f"{path} is not a Headwise model, or is damaged or cut off ({error}). "
            "Copy the file again or train the model anew."
        ) from error
    if "headwise" not in metadata:
        raise ModelError(f"{path} is a safetensors file, but no Headwise model.")
    try:
        header = json.loads(metadata["headwise"])
        version, kind, config = int(header["format"]), str(header["kind"]), dict(header["config"])
        packed = dict(header.get("packed", {}))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} is damaged: its header cannot be read ({error}).") from error
    if version > FORMAT_VERSION:
        raise ModelError(
            f"{path} has model format {version}; this Headwise reads up to {FORMAT_VERSION}. "
            "Install a newer Headwise."
        )
    return {"kind": kind, "config": config, "packed": packed}


def _map_tensors(path: Path) -> Tensors:
    with open(path, "rb") as file:
        length = _header_length(file.read(8))
        layout = json.loads(file.read(length))
    tensors: Tensors = {}
    for name, entry in layout.items():
        if name == "__metadata__":
            continue
        begin, _ = entry["data_offsets"]
        dtype, shape = _DTYPES[entry["dtype"]], tuple(entry["shape"])
        if 0 in shape:
            tensors[name] = np.zeros(shape, dtype)
        else:
            tensors[name] = np.memmap(path, dtype, mode="r", offset=8 + length + begin, shape=shape)
    return tensors
