"""The model file: one safetensors file whose header holds the configuration and a format version.

Reading a model executes nothing. The header is checked first (`headwise.model.schema`); the tensors are
then memory-mapped, and the parser copies its tables from there onto huge pages in milliseconds. In a packed
file (format 2) a tensor is stored as `headwise.model.packing` writes it. It is expanded when the model
has a table of that name and type, and of no more numbers than that.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import stat
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from headwise.base.atomic import replaced
from headwise.base.errors import ModelError
from headwise.base.limits import Within
from headwise.model.packing import MOST_INFLATED, AtMostDimensions, Packing, unpack
from headwise.model.safetensors_writing import DTYPES, pieces_of, size_of
from headwise.model.schema import from_json, parse_json, to_json

FORMAT_VERSION = 2
"""Raised by one whenever an older Headwise could not read what a newer one writes."""
_PLAIN, _PACKED = 1, 2
"""A file is written in the oldest format that can hold it."""

_LONGEST_HEADER = 100_000_000
"""Bytes; safetensors has the same limit."""

Tensors = dict[str, npt.NDArray[Any]]


LARGEST_WEIGHT, LARGEST_NUMBER = 1e6, 1e9
"""What is learned stays far below the first. Sums of larger numbers are no scores, and may be no numbers."""


@dataclass(frozen=True)
class Table:
    """A tensor that a model may have: the type of its numbers, its shape, and how many there are at most."""

    dtype: type[np.generic]
    most: int = MOST_INFLATED
    exact: bool = False
    """Small files have these numbers as they are: others are multiplied by them."""
    shape: tuple[int | None, ...] | None = (None,)
    """None for as many as there are in a dimension; in place of all, for whatever shape."""
    largest: float = LARGEST_NUMBER
    """Of floats, without their sign."""

    @classmethod
    def of(cls, dtype: type[np.generic], *shape: int | None) -> Table:
        """One of this shape."""
        return cls(dtype, shape=shape)

    @classmethod
    def floats(cls, most: int) -> Table:
        """Weights."""
        return cls(np.float32, most, largest=LARGEST_WEIGHT)

    @classmethod
    def scales(cls, most: int) -> Table:
        return cls(np.float32, most, exact=True, largest=LARGEST_WEIGHT)

    def check_numbers(self, name: str, tensor: npt.NDArray[Any]) -> None:
        """ModelError where some are none, or so large that nothing can be made of their sums."""
        if tensor.dtype.kind != "f" or not tensor.size:
            return
        if not (float(tensor.min()) >= -self.largest and float(tensor.max()) <= self.largest):
            raise ModelError(f"{name} has weights that are not finite numbers up to {self.largest:g}")

    def problem(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> str | None:
        """Why a tensor cannot be this table."""
        if dtype != self.dtype:
            return f"has numbers of the type {dtype}"
        if math.prod(shape) > self.most:
            return f"has {math.prod(shape):,} numbers, must have at most {self.most:,}"
        if self.shape is not None and not (
            len(shape) == len(self.shape)
            and all(wanted in (None, found) for wanted, found in zip(self.shape, shape, strict=True))
        ):
            wanted = " × ".join("any" if number is None else f"{number:,}" for number in self.shape)
            return f"is of the shape {' × '.join(f'{number:,}' for number in shape)}, must be {wanted}"
        return None


@dataclass(frozen=True)
class Header:
    """What Headwise adds to the header of a safetensors file."""

    format: Annotated[int, Within(1, FORMAT_VERSION)]
    kind: str
    config: dict[str, Any]
    packed: dict[str, Packing] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """Where a tensor lies in the file."""

    dtype: str
    shape: Annotated[tuple[Annotated[int, Within(0, 1 << 48)], ...], AtMostDimensions()]
    data_offsets: tuple[Annotated[int, Within(0, 1 << 60)], Annotated[int, Within(0, 1 << 60)]]


def write_model(
    path: str | Path,
    kind: str,
    config: Mapping[str, Any],
    tensors: Mapping[str, npt.NDArray[Any]],
    packings: Mapping[str, Packing] | None = None,
    *,
    follow_links: bool = True,
) -> None:
    """Write a model file, whole or not at all: a reader never sees half of it.

    Tensors are written one after the other, from where they are. ``packings`` tell how they were packed; None
    stores them as they are. ``follow_links`` is as in `headwise.base.atomic.replaced`.
    """
    path = Path(path)
    try:
        with replaced(path, follow_links=follow_links) as file:
            for piece in pieces_of(_metadata(kind, config, packings), tensors):
                file.write(piece)
    except OSError as error:
        raise ModelError(
            f"{path}: the model could not be written ({error.strerror or error}). It takes "
            f"{model_size(kind, config, tensors, packings):,} bytes."
        ) from error


def model_bytes(
    kind: str,
    config: Mapping[str, Any],
    tensors: Mapping[str, npt.NDArray[Any]],
    packings: Mapping[str, Packing] | None = None,
) -> bytes:
    """What `write_model` writes."""
    return b"".join(pieces_of(_metadata(kind, config, packings), tensors))


def model_size(
    kind: str,
    config: Mapping[str, Any],
    tensors: Mapping[str, npt.NDArray[Any]],
    packings: Mapping[str, Packing] | None = None,
) -> int:
    """How many bytes it writes."""
    return size_of(_metadata(kind, config, packings), tensors)


def _metadata(kind: str, config: Mapping[str, Any], packings: Mapping[str, Packing] | None) -> dict[str, str]:
    header: dict[str, Any] = {"format": _PLAIN, "kind": kind, "config": config}
    if packings is not None:
        packed = {name: to_json(packing) for name, packing in packings.items()}
        header |= {"format": _PACKED, "packed": packed}
    return {"headwise": json.dumps(header, ensure_ascii=False, sort_keys=True)}


def _header_length(start: bytes) -> int:
    return int(struct.unpack("<Q", start[:8])[0])


def looks_like_model(path: str | Path) -> bool:
    """Whether a file begins as a safetensors file does: a length, then a JSON object."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # what is read from a pipe would be gone
            return False
        with open(path, "rb") as file:
            start = file.read(9)
    except (OSError, ValueError):
        return False
    return len(start) == 9 and start[8:] == b"{"


def model_kind(path: str | Path) -> str:
    """What a model file holds: ``parser``, ``pipeline`` …"""
    return ModelFile.open(path).kind


class ModelFile:
    """A model file whose header was read and checked, and whose tensors are mapped, not yet expanded."""

    def __init__(self, path: Path, header: Header, mapped: Tensors) -> None:
        self.path = path
        self.kind, self.config = header.kind, header.config
        self._packed, self._mapped = header.packed, mapped

    @classmethod
    def open(cls, path: str | Path) -> ModelFile:
        path = Path(path)
        try:
            # A pipe is not waited for until somebody writes to it.
            with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise ModelError(f"{path} is not a file on a disk.")
                if not os.fstat(file.fileno()).st_size:  # which cannot be mapped
                    raise _NotAModelError("it is empty")
                return cls(path, *_read(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
        except IsADirectoryError as error:
            raise ModelError(f"{path} is a directory, not a model file.") from error
        except FileNotFoundError as error:
            raise ModelError(
                f"{path}: no such file. Check the name of the model, or train one (headwise train)."
            ) from error
        except _NotAModelError as error:
            if path.stat().st_size > 8 and not looks_like_model(path):
                raise ModelError(
                    f"{path} is not a Headwise model, or is damaged. Models are what headwise train writes; "
                    "a text or a treebank is given as input, and not as a model."
                ) from error
            raise ModelError(
                f"{path} is not a Headwise model, or is damaged or cut off ({error}). "
                "Copy the file again or train the model anew."
            ) from error
        except OSError as error:
            raise ModelError(f"{path} cannot be read: {error.strerror or error}.") from error
        except (ModelError, ValueError) as error:
            raise ModelError(f"{path}: {error}") from error

    @classmethod
    def of_bytes(cls, body: bytes | memoryview, name: str = "a model in a model") -> ModelFile:
        """One that is in memory, or in another file."""
        try:
            return cls(Path(name), *_read(body))
        except _NotAModelError as error:
            raise ModelError(f"{name} is damaged or cut off ({error}).") from error

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Of the tensors, as they will be when they are expanded."""
        return {
            name: self._packed[name].shape if name in self._packed else tensor.shape
            for name, tensor in self._mapped.items()
        }

    def tensors(self, tables: Mapping[str, Table]) -> Tensors:
        """The tensors (memory-mapped where they are not packed, read-only), which are these or fewer."""
        if others := self._mapped.keys() - tables.keys():
            raise ModelError(f"a {self.kind} has no tensor {min(others)!r}")
        for name, shape in self.shapes.items():
            dtype = np.dtype(self._packed[name].dtype) if name in self._packed else self._mapped[name].dtype
            if problem := tables[name].problem(dtype, shape):
                raise ModelError(f"{name} {problem}")
        inflated = sum(packing.bytes for packing in self._packed.values())
        if inflated > MOST_INFLATED:
            raise ModelError(f"its packed tensors take {inflated:,} bytes, must be at most {MOST_INFLATED:,}")
        expanded = dict(self._mapped)
        for name, packing in self._packed.items():
            try:
                expanded[name] = unpack(self._mapped[name], packing)
            except ValueError as error:
                raise ModelError(f"{name} cannot be unpacked, {error}") from error
        for name, tensor in expanded.items():
            tables[name].check_numbers(name, tensor)
        return expanded

    def write_with(
        self,
        path: str | Path,
        config: Mapping[str, Any],
        packed: Mapping[str, tuple[npt.NDArray[np.uint8], Packing]] | None = None,
    ) -> None:
        """Write the tensors, packed as they are, under another configuration.

        ``packed`` tensors take the place of those of their names.
        """
        new = packed or {}
        tensors = self._mapped | {name: data for name, (data, _) in new.items()}
        packings = self._packed | {name: packing for name, (_, packing) in new.items()}
        write_model(path, self.kind, config, tensors, packings or None)

    def all_tensors(self) -> Tensors:
        """The tensors of a file that is not packed, whichever there are."""
        if self._packed:
            raise ModelError(f"a {self.kind} is never packed")
        return dict(self._mapped)


class _NewerFormatError(ModelError):
    """A file of a Headwise that is newer than this one."""


class _NotAModelError(Exception):
    """A file that safetensors would not take either."""


def _read(body: bytes | memoryview | mmap.mmap) -> tuple[Header, Tensors]:
    size, start = len(body), bytes(body[:8])
    length = _header_length(start) if len(start) == 8 else size
    if length > min(size - 8, _LONGEST_HEADER):
        raise _NotAModelError("the header is longer than the file")
    try:
        layout = parse_json(bytes(body[8 : 8 + length]))
        if not isinstance(layout, dict):
            raise ModelError("the header is no object")
        metadata = layout.pop("__metadata__", {})
        entries = {name: from_json(Entry, entry) for name, entry in layout.items()}
        _check_layout(entries, size - 8 - length)
    except ModelError as error:
        raise _NotAModelError(str(error)) from error
    if not isinstance(metadata, dict) or not isinstance(metadata.get("headwise"), str):
        raise ModelError("it is a safetensors file, but no Headwise model.")
    return _header(metadata["headwise"], entries), _mapped(body, entries, 8 + length)


def _check_layout(entries: Mapping[str, Entry], size: int) -> None:
    """Every tensor is as long as its shape says, and together they fill the file without a gap."""
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1].data_offsets):
        if entry.dtype not in DTYPES:
            raise ModelError(f"{name!r} has numbers of the type {entry.dtype!r}, which no model has")
        item = np.dtype(DTYPES[entry.dtype]).itemsize
        begin, next_begin = entry.data_offsets
        if begin != end or next_begin - begin != math.prod(entry.shape) * item:
            raise ModelError(f"{name!r} does not lie where it should")
        end = next_begin
    if end != size:
        raise ModelError(f"there are {size:,} bytes of tensors, should be {end:,}")


def _header(text: str, entries: Mapping[str, Entry]) -> Header:
    try:
        values = parse_json(text)
        version = values.get("format") if isinstance(values, dict) else None
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise _NewerFormatError(
                f"it has model format {version}; this Headwise reads up to {FORMAT_VERSION}. "
                "Install a newer Headwise."
            )
        header = from_json(Header, values)
        for name in header.packed:
            if name not in entries or entries[name].dtype != "U8":
                raise ModelError(f"packed.{name} has no bytes")
    except _NewerFormatError:
        raise
    except ModelError as error:
        raise ModelError(
            f"it is damaged: its header cannot be used ({error}). Copy the file again or train the model "
            "anew."
        ) from error
    return header


def _mapped(body: bytes | memoryview | mmap.mmap, entries: Mapping[str, Entry], begin: int) -> Tensors:
    """Views of the file or its map, which lives as long as any of them."""
    tensors: Tensors = {}
    for name, entry in entries.items():
        tensor = np.frombuffer(
            body, DTYPES[entry.dtype], math.prod(entry.shape), begin + entry.data_offsets[0]
        ).reshape(entry.shape)
        tensors[name] = tensor if tensor.flags.aligned else tensor.copy()
    return tensors


def weights_digest(tensors: Mapping[str, npt.NDArray[Any]]) -> str:
    """A SHA-256 of all tensors as they are used, however they are packed: equal for models that act alike."""
    import hashlib

    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(tensors[name]).reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
