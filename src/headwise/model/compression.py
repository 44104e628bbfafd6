"""Making a model file small: weights rounded as coarsely as a size asks for, see `headwise.model.packing`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headwise.base.errors import HeadwiseError
from headwise.model import ModelFile, Tensors, model_size, write_model
from headwise.model.packing import MOST_INFLATED, Packing, pack
from headwise.model.schema import to_json
from headwise.model.stored import Stored, checked, kind_of, unusable

USUAL = 0.25
"""The coarseness that costs no accuracy to speak of, and makes files several times smaller."""
FINEST, COARSEST = 1 / 64, 8.0
"""Steps, as shares of a table's typical weight, between which a size is looked for."""
_HALVINGS = 10


def write_small(model: Stored, path: str | Path, coarseness: float) -> None:
    """What `Stored.save` does with a coarseness; HeadwiseError where there is too much to pack."""
    config, tensors = model.parts()
    own = _Model(model.KIND, type(model), config, to_json(config), dict(tensors))
    own.check_size(path)
    write_model(path, own.name, own.plain, *own.packed(coarseness))


class TooLargeToPackError(HeadwiseError):
    """Whoever opens a small file should not have to find the memory for a large one."""


@dataclass(frozen=True)
class Compressed:
    """What compressing did to a model."""

    coarseness: float | None
    """The step of a table, as a share of its typical weight; None where nothing was rounded."""
    size: int
    """Bytes of the new file."""
    weights: int
    zeros: int
    """How many of the weights are zero now."""


def compress_model(
    source: str | Path,
    target: str | Path,
    *,
    size: int | None = None,
    coarseness: float | None = None,
    network_bits: int | None = None,
) -> Compressed:
    """Write a model again in fewer bytes.

    With ``coarseness``, weights are rounded to multiples of this share of the typical (root mean square)
    weight of their table; with ``size``, as finely as a file of so many bytes allows; with neither, they are
    stored exactly. A network has ``network_bits`` then, or as many as it has.
    """
    if size is not None and coarseness is not None:
        raise ValueError("give a size or a coarseness, not both")
    model = _read(source, network_bits)
    model.check_size(source)

    def bytes_at(coarseness: float) -> int:
        return model_size(model.name, model.plain, *model.packed(coarseness))

    if size is not None:
        coarsest = bytes_at(COARSEST)
        if coarsest > size:
            raise HeadwiseError(
                f"{source} cannot be made as small as {size:,} bytes: rounded to nearly nothing it still has "
                f"{coarsest:,}. Train it with smaller tables."
            )
        coarseness = _finest(bytes_at, size)
    packed, packings = model.packed(coarseness)
    write_model(target, model.name, model.plain, packed, packings)
    tables = [(t, packings[name].step) for name, t in model.tensors.items() if t.dtype == np.float32]
    return Compressed(
        coarseness,
        Path(target).stat().st_size,
        weights=sum(table.size for table, _ in tables),
        zeros=sum(int(np.count_nonzero(np.abs(table) <= (step or 0.0) / 2)) for table, step in tables),
    )


def _finest(bytes_at: Callable[[float], int], size: int) -> float:
    """The smallest coarseness that fits, to a tenth of a percent of the range of scales."""
    if bytes_at(FINEST) <= size:
        return FINEST
    too_fine, fits = FINEST, COARSEST
    for _ in range(_HALVINGS):
        middle = (too_fine * fits) ** 0.5
        if bytes_at(middle) <= size:
            fits = middle
        else:
            too_fine = middle
    return fits


@dataclass(frozen=True)
class _Model:
    """What a file holds."""

    name: str
    """Of its kind."""
    kind: type[Stored]
    config: Any
    plain: dict[str, Any]
    """The configuration as plain values."""
    tensors: Tensors

    def check_size(self, path: str | Path) -> None:
        if (total := sum(tensor.nbytes for tensor in self.tensors.values())) > MOST_INFLATED:
            raise TooLargeToPackError(
                f"{path} has tensors of {total:,} bytes, and {MOST_INFLATED:,} at most can be packed. "
                "Train it with smaller tables."
            )

    def packed(self, coarseness: float | None) -> tuple[Tensors, dict[str, Packing]]:
        tensors = self.tensors
        if coarseness is not None:
            tensors = tensors | self.kind.in_steps(self.config, tensors, coarseness)
        tables = self.kind.tables(self.config, {name: tensor.shape for name, tensor in tensors.items()})
        packed, packings = {}, {}
        for name, tensor in tensors.items():
            packed[name], packings[name] = pack(tensor, None if tables[name].exact else coarseness)
        return packed, packings


def _read(source: str | Path, network_bits: int | None) -> _Model:
    file = ModelFile.open(source)
    kind = kind_of(file)
    with unusable(file.kind, source):
        config, tensors = checked(file)
        plain = file.config
        if network_bits is not None:
            model = kind.made_of(config, tensors)
            if (rounded := model.with_network_bits(network_bits)) is not model:
                config, made = rounded.parts()
                plain, tensors = to_json(config), dict(made)
    return _Model(file.kind, kind, config, plain, tensors)
