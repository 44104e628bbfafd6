"""The first layers of a network and its vectors, as raw text taught them (docs/pretraining.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from headwise.base.limits import LAYER_WIDTH
from headwise.components.network.config import NetworkConfig
from headwise.components.network.settings import LAYERS, PIECES, VECTORS
from headwise.model import Stored, Table, Tensors
from headwise.model.stored import Shapes

TABLES = ("vocabulary", "vectors", "layers")


@dataclass(frozen=True)
class Sizes:
    """Of a network, as far as raw text has a say in them; see `NetworkConfig`."""

    vectors: Annotated[int, VECTORS]
    lstm: Annotated[int, LAYER_WIDTH]
    layers: Annotated[int, LAYERS]
    pieces: Annotated[int, PIECES]

    def network(self) -> NetworkConfig:
        """One that knows nothing of trees."""
        return NetworkConfig(
            vectors=self.vectors,
            lstm=self.lstm,
            layers=self.layers,
            arcs=1,
            labels=1,
            weight=1.0,
            pieces=self.pieces,
        )

    @property
    def layer_weights(self) -> int:
        inputs = [self.vectors, *[2 * self.lstm] * (self.layers - 1)]
        blocks = [4 * self.lstm * rows for width in inputs for rows in (width, self.lstm, 1)]
        return sum(2 * (size + -size % 16) for size in blocks)


@dataclass(frozen=True)
class PretrainedConfig:
    """What a file of `headwise pretrain` says of itself."""

    sizes: Sizes
    training: dict[str, Any] = field(default_factory=dict)
    """How it was made: words of text, settings."""


class Pretrained(Stored):
    """Vectors of words, of their spelling, and layers over them."""

    KIND = "pretrained encoder"
    CONFIG = PretrainedConfig

    def __init__(self, config: PretrainedConfig, tensors: Tensors) -> None:
        self.config = config
        arrays = {name: np.asarray(tensors[name]).ravel() for name in TABLES}
        self.vocabulary: npt.NDArray[np.int64] = arrays["vocabulary"]
        self.vectors: npt.NDArray[np.float32] = arrays["vectors"]
        self.layers: npt.NDArray[np.float32] = arrays["layers"]
        if len(np.unique(self.vocabulary)) != len(self.vocabulary) or not len(self.vocabulary):
            raise ValueError("its vocabulary is empty, or has an atom twice")
        if self.vectors.size != len(self.vocabulary) * config.sizes.vectors:
            raise ValueError("its vocabulary and its vectors do not fit")
        if self.layers.size != config.sizes.layer_weights:
            raise ValueError("its layers are of another size than it says")
        if not (np.isfinite(self.vectors).all() and np.isfinite(self.layers).all()):
            raise ValueError("some weights are not finite numbers")

    @classmethod
    def own_tables(cls, config: PretrainedConfig, shapes: Shapes) -> dict[str, Table]:
        return {
            "vocabulary": Table(np.int64),
            "vectors": Table(np.float32),
            "layers": Table.floats(config.sizes.layer_weights),
        }

    @classmethod
    def made_of(cls, config: PretrainedConfig, tensors: Tensors) -> Pretrained:
        return cls(config, tensors)

    def parts(self) -> tuple[PretrainedConfig, Tensors]:
        return self.config, {name: getattr(self, name) for name in TABLES}

    def __str__(self) -> str:
        sizes, words = self.config.sizes, self.config.training.get("words", 0)
        return (
            f"{sizes.layers} layers of {sizes.lstm} and {len(self.vocabulary):,} vectors of {sizes.vectors} "
            f"that {words:,} words of text taught"
        )
