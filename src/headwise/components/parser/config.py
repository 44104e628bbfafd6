"""What a parser is, without its weights: what the header of its model file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy.typing as npt

from headwise._native import parsing as native
from headwise._native import scoring as native_scoring
from headwise.components.parser.components import TABLES_IN_FILES, Components
from headwise.components.parser.decoders import Decoder
from headwise.components.scoring import universal_rules
from headwise.components.scoring.calibration import UNFITTED, Calibration
from headwise.components.scoring.component import LABEL_PADDING
from headwise.components.scoring.templates import TemplateTable
from headwise.model.file import Table
from headwise.model.schema import Bits, Field
from headwise.model.stored import Shapes
from headwise.treebank import Sentence
from headwise.trees.factorizations import Factorization

T = TypeVar("T")
Tables = Mapping[str, npt.NDArray[Any]]
"""The weight tables of a parser: ``arcs`` (and larger parts), ``labels``; above first order ``pruner``, and
where it has them ``roles``, ``whole_tree``, ``network``, ``vectors`` (of several networks also ``network.2``
…), ``vocabulary``, ``tensor_heads``, ``tensor_modifiers``, ``tensor_arcs``, ``tensor_labels``,
``tensor_vocabulary``, ``clusters.1`` … and ``word_vectors``."""


@dataclass(frozen=True)
class ParserConfig(Components):
    """Everything about a parser but its weights; stored in the header of the model file."""

    labels: list[Field]
    label_arcs: list[int]
    """The labels seen on arcs: (head tag, modifier tag, direction, label), one after the other."""
    label_mode: Literal["none", "separate", "joint", "latent"]
    projective: bool
    single_root: bool
    tags: list[str]
    """The coarse tags of the training data, and for each pair of them …"""
    arc_limits: list[int]
    """… the longest distances worth considering, flattened from (head tag, modifier tag, direction)."""
    arc_bits: Bits
    label_bits: Bits
    arc_templates: list[str]
    label_templates: list[str]
    factorization: Factorization = "arc"
    part_templates: dict[str, list[str]] = field(default_factory=dict)
    """Templates of the parts larger than an arc, by kind."""
    rules: list[str] = field(default_factory=list)
    """Rules that labels of a tree obey together (`headwise.components.scoring.universal_rules`)."""
    decoder: Decoder = Decoder.map
    """Which tree is given where the caller does not say."""
    calibration: Calibration = UNFITTED
    """What makes probabilities of its scores."""
    training: dict[str, Any] = field(default_factory=dict)
    """How the model was made: settings, data sizes, scores on the development set."""

    def __post_init__(self) -> None:
        if unknown := set(self.rules) - set(universal_rules.RULES):
            raise ValueError(f"no rule of labels is called {min(unknown)!r:.40}")

    @property
    def has_larger_parts(self) -> bool:
        return self.pruner is not None

    @property
    def has_labels_in_chart(self) -> bool:
        """Whether labels are told apart inside the chart, so that parts do not tell all of a score."""
        return self.label_mode == "joint" and TemplateTable(tuple(self.label_templates)).names_modifiers

    @property
    def has_whole_tree_features(self) -> bool:
        return bool(self.whole_tree.families)

    @property
    def has_exact_probabilities(self) -> bool:
        """Whether probabilities are sums over all trees, of the parts that dynamic programs score.

        Otherwise (non-projective trees above first order) trees are found by dual decomposition, which says
        of each whether it is the best, and probabilities are estimates: those of the score expanded to first
        order around the tree that was found.
        """
        return self.projective or not self.has_larger_parts

    def missing_from(self, sentence: Sentence) -> str | None:
        """What a sentence lacks that the parser was trained with; None where that is nothing."""
        if self.tags == ["_"] or not len(sentence) or any(tag != "_" for tag in sentence.upos):
            return None
        return (
            "the parser was trained with tags of parts of speech, and the sentence has none: its tree is a "
            "guess. Tag it first (docs/tagging.md), or load a pipeline."
        )

    def shape(self, tables: Tables) -> native.ParserShape:
        """``tables`` has what words and scorers are looked up in: clusters, vectors, vocabularies."""
        words = self.word_view(tables)
        pruner = self.pruner_shape(words) if self.pruner else None
        return native.ParserShape(
            **self._arc_model,
            words=words,
            arc_templates=self.arc_templates,
            arc_bits=self.arc_bits,
            label_templates=self.label_templates,
            label_count=len(self.labels),
            label_arcs=self.label_arcs,
            label_mode=self.label_mode,
            label_bits=self.label_bits,
            factorization=self.factorization,
            part_templates=self.part_templates,
            pruner=pruner,
            scorers=[scorer for one in self.components for scorer in one.scorers_of(self, tables)],
            rules=universal_rules.compiled(self.rules, self.labels) if self.rules else None,
        )

    def word_view(self, tables: Tables) -> native_scoring.WordView | None:
        return self.words.view(tables) if self.words else None

    def pruner_shape(self, words: native_scoring.WordView | None) -> native.PrunerShape:
        assert self.pruner is not None
        model = native.ParserShape(
            **self._arc_model, arc_templates=self.pruner.templates, arc_bits=self.pruner.bits, words=words
        )
        return native.PrunerShape(model, threshold=self.pruner.threshold, most_heads=self.pruner.most_heads)

    def arc_shape(self, words: native_scoring.WordView | None = None) -> native.ParserShape:
        """The features of arcs alone, without labels and other scorers."""
        return native.ParserShape(
            **self._arc_model, arc_templates=self.arc_templates, arc_bits=self.arc_bits, words=words
        )

    @property
    def _arc_model(self) -> dict[str, Any]:
        """What a parser and its pruner have in common."""
        return {
            "tags": self.tags,
            "arc_limits": self.arc_limits,
            "projective": self.projective,
            "single_root": self.single_root,
        }

    def tables(self, shapes: Shapes) -> dict[str, Table]:
        """The tensors of a parser, by their names here; those of ``shapes`` are in the file."""
        rows = rows_of(shapes)
        tables = {
            "arcs": Table.floats(1 << self.arc_bits),
            "labels": Table.floats((1 << self.label_bits) + LABEL_PADDING),
        }
        for component in self.components:
            tables |= component.tables_of(self, rows)
        return tables


def rows_of(shapes: Shapes) -> dict[str, int]:
    """How many numbers tables of one dimension have, by name."""
    return {name: shape[0] for name, shape in shapes.items() if len(shape) == 1}


def tables_from_file(tensors: Tables) -> dict[str, npt.NDArray[Any]]:
    names = {value: key for key, value in TABLES_IN_FILES.items()}
    return {names.get(name, name): table for name, table in tensors.items()}


def tables_to_file(tables: Mapping[str, T]) -> dict[str, T]:
    return {TABLES_IN_FILES.get(name, name): table for name, table in tables.items()}
