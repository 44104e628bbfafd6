"""A recurrent network whose opinion of arcs and labels is added to the scores of features.

``native/scoring/network/`` computes it, `headwise.components.network.training` learns it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeVar

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.base.limits import LAYER_WIDTH, Within, of_core
from headwise.components.scoring.component import Component, Host
from headwise.model.file import Table, Tensors
from headwise.model.packing import bytes_in_steps
from headwise.model.schema import ONLY_IF_CHANGED

T = TypeVar("T")
_PADDING = 16
"""Numbers that each of the pieces of the table may be padded with."""


@dataclass(frozen=True)
class NetworkConfig(Component):
    """How wide the layers of a network are, and how much its opinion counts.

    Which atoms of words have vectors is the tensor ``vocabulary`` of a model. Several networks of one shape
    and one vocabulary, the members, count as one: the mean of their log-probabilities counts. Names of
    the tensors of the second one end in ``.2``, and so on.
    """

    vectors: Annotated[int, of_core("network.vectors")]
    """Numbers that stand for an atom of a word."""
    lstm: Annotated[int, LAYER_WIDTH]
    """Outputs of a layer in each direction."""
    layers: Annotated[int, of_core("network.layers")]
    arcs: Annotated[int, of_core("network.arcs")]
    labels: Annotated[int, of_core("network.labels")]
    """Width of what heads and modifiers become before they are compared."""
    weight: float
    """What its log-probabilities are multiplied by."""
    given: Annotated[int, of_core("network.given")] = 0
    """Numbers of the vectors that come with words from raw text."""
    pieces: Annotated[int, of_core("network.pieces")] = 0
    """Pieces of words, of up to so many characters, have vectors too; 0: they have none."""
    tags: Annotated[int, of_core("network.tags")] = 0
    """Width of what words become before their tags are scored; 0: it knows no tags."""
    tag_count: Annotated[int, of_core("network.tag_count")] = 0
    bits: Annotated[int, Within(8, 32)] = 32
    """32: weights are floats. 8: they are bytes, with a scale for each column of a matrix and each vector."""
    members: Annotated[int, of_core("network.members")] = field(default=1, metadata={ONLY_IF_CHANGED: True})

    def __post_init__(self) -> None:
        if self.bits not in (8, 32):
            raise ValueError(f"bits are {self.bits}, must be 8 or 32")

    def tables(self, rows: int, label_count: int) -> dict[str, Table]:
        """Its tensors, with ``rows`` atoms that have vectors."""
        own, tables = self._member_tables(rows, label_count), {"vocabulary": Table(np.int64)}
        for number in range(1, self.members + 1):
            tables |= of_member(own, number)
        return tables

    def _member_tables(self, rows: int, label_count: int) -> dict[str, Table]:
        """Those of one member, by the names that the first has."""
        matrices = self._matrices(label_count)
        if self.bits == 32:
            floats = sum((inner + 1) * columns + 2 * _PADDING for inner, columns in matrices)
            return {"network": Table.floats(floats), "vectors": Table.floats(rows * self.vectors)}
        return {
            "network": Table(
                np.uint8, sum((inner + _PADDING) * (columns + _PADDING) for inner, columns in matrices)
            ),
            "network_scales": Table.scales(sum(2 * (columns + _PADDING) for _, columns in matrices)),
            "vectors": Table(np.uint8, rows * self.vectors),
            "vector_scales": Table.scales(rows),
        }

    @property
    def table_names(self) -> tuple[str, ...]:
        return tuple(self.tables(0, 0))

    def member(self, number: int, tensors: Mapping[str, T]) -> dict[str, T]:
        """The tensors of one member, by the names that the first has."""
        own = self._member_tables(0, 0)
        return {name: tensors[named] for name, named in zip(own, of_member(own, number), strict=True)}

    def _matrices(self, label_count: int) -> list[tuple[int, int]]:
        """Rows and columns of each of its matrices."""
        states, gates = 2 * self.lstm, 4 * self.lstm
        inputs = [self.vectors] + [states] * (self.layers - 1)
        return [
            *((inner, gates) for width in inputs for inner in (width, self.lstm) for _ in range(2)),
            *((states, width) for width in (self.arcs, self.labels) for _ in range(2)),
            (self.arcs, self.arcs),
            (self.labels, label_count),
            *([(states, self.tags), (self.tags, self.tag_count)] if self.tags else []),
            (self.given, self.vectors),
        ]

    def with_bits(self, bits: int, tensors: Tensors, label_count: int) -> tuple[NetworkConfig, Tensors]:
        """The same network with so many bits a weight, and its tensors: what is rounded stays so."""
        config = replace(self, bits=bits)
        if bits == self.bits:
            return config, tensors
        shape = self.shape(tensors["vocabulary"], label_count)
        made: Tensors = {"vocabulary": tensors["vocabulary"]}
        for number in range(1, self.members + 1):
            own = self.member(number, tensors)
            if bits == 8:
                changed = native.quantize_network(shape, own["network"], own["vectors"])
            else:
                weights, vectors = native.restore_network(shape, own)
                changed = {"network": weights, "vectors": vectors}
            made |= of_member(changed, number)
        return config, made

    def in_steps(self, tensors: Tensors, coarseness: float) -> Tensors:
        """Vectors in bytes as small files have them; layers need a scale for each column."""
        made: Tensors = {}
        if self.bits != 8:
            return made
        for number in range(1, self.members + 1):
            own = self.member(number, tensors)
            vectors, scales = bytes_in_steps(own["vectors"], own["vector_scales"], coarseness)
            made |= of_member({"vectors": vectors, "vector_scales": scales}, number)
        return made

    def tables_of(self, host: Host, rows: Mapping[str, int]) -> dict[str, Table]:
        return self.tables(rows.get("vocabulary", 0), len(host.labels))

    def scorers_of(self, host: Host, tables: Mapping[str, npt.NDArray[Any]]) -> list[native.ScorerShape]:
        """One for each member. They share the vocabulary."""
        shape, weight = self.shape(tables["vocabulary"], len(host.labels)), self.weight / self.members
        return [
            native.NetworkScorerShape(shape, weight=weight, bits=self.bits, member=number)
            for number in range(1, self.members + 1)
        ]

    def describe(self, rows: Mapping[str, int]) -> tuple[str, str]:
        layers = f"{self.layers} layers of {self.lstm} in each direction, of {self.bits} bits"
        if self.tag_count:
            layers += f", for {self.tag_count:,} tags too"
        if self.members == 1:
            return "Network", f"{layers}; its opinion counts {self.weight:g}"
        return "Networks", f"{self.members}, each {layers}; their mean opinion counts {self.weight:g}"

    def shape(self, vocabulary: npt.NDArray[np.int64], label_count: int) -> native.NetworkShape:
        return native.NetworkShape(
            vocabulary,
            vectors=self.vectors,
            lstm=self.lstm,
            layers=self.layers,
            arcs=self.arcs,
            labels=self.labels,
            label_count=label_count,
            given=self.given,
            pieces=self.pieces,
            tags=self.tags,
            tag_count=self.tag_count,
        )


def of_member(tables: Mapping[str, T], number: int) -> dict[str, T]:
    """Tables of a single network as those of the first, second … member are called."""
    return {name if number == 1 else f"{name}.{number}": table for name, table in tables.items()}
