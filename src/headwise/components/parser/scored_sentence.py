"""All trees of a sentence as a parser scores them: tables of scores, and problems of `headwise.trees`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise.base.errors import HeadwiseError, ModelError
from headwise.components.parser.conditions import Conditions
from headwise.components.parser.config import ParserConfig
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.trees import CrossingTrees, Distribution


@dataclass(frozen=True)
class ScoredSentence:
    """A sentence, and who scores its parts on which conditions. Nothing is scored before it is asked for."""

    sentence: Sentence
    native: native.Parser
    config: ParserConfig
    conditions: Conditions

    def arcs(self) -> npt.NDArray[np.float64]:
        """``scores[h, m]`` of every arc; −inf where it is not considered."""
        return self._square(self.native.arc_scores(self.sentence, conditions=self.conditions.native))

    def larger_parts(self) -> dict[str, Any]:
        """The scores of parts larger than an arc, by kind; of arcs alone there are none."""
        from headwise.trees import Parts

        scored = self.native.part_scores(self.sentence, conditions=self.conditions.native)
        return {
            name: Parts(words.reshape(len(scores), -1), scores) for name, (words, scores) in scored.items()
        }

    def crossing_trees(self) -> CrossingTrees:
        """The problem that dual decomposition solves."""
        from headwise.trees import CrossingTrees

        with self._scores_of_model():
            return CrossingTrees(
                self.arcs(),
                single_root=self.config.single_root,
                projective=self.config.projective,
                factorization=self.config.factorization,
                **self.larger_parts(),
            )

    def distribution(self) -> Distribution:
        """Over all trees, where there is one that can be computed."""
        if not self.config.has_exact_probabilities:
            raise HeadwiseError(
                "no exact distribution over non-projective trees of higher order exists. "
                "Train with --factorization arc or --trees projective."
            )
        if self.config.has_labels_in_chart:
            raise HeadwiseError(
                "labels are told apart inside the chart of this parser, so parts have no scores that would "
                "give a distribution, or the k best trees. Train with --labels separate, or with label "
                "templates that name neither l nor r (--templates)."
            )
        with self._scores_of_model():
            return self._distribution()

    def _distribution(self) -> Distribution:
        from headwise.trees import ProjectiveTrees, SpanningTrees

        single_root = self.config.single_root
        if not self.config.projective:
            return SpanningTrees(self.arcs(), single_root=single_root)
        if not self.config.has_larger_parts:
            return ProjectiveTrees(self.arcs(), single_root=single_root)
        return ProjectiveTrees(
            self.arcs(),
            single_root=single_root,
            factorization=self.config.factorization,
            **self.larger_parts(),
        )

    def expansion(self) -> Distribution:
        """The estimate where there is no exact distribution: the score expanded around the parse."""
        from headwise.trees import SpanningTrees

        scores = self.native.expansion(self.sentence, conditions=self.conditions.native)
        with self._scores_of_model():
            return SpanningTrees(self._square(scores), single_root=self.config.single_root)

    @contextmanager
    def _scores_of_model(self) -> Iterator[None]:
        """What its weights make of a sentence is the fault of the model, and not of who asks."""
        from headwise.trees.checks import ScoreError

        try:
            yield
        except ScoreError as error:
            raise ModelError(f"{self.sentence.source}: the model cannot be used: {error}.") from error

    def _square(self, table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        size = len(self.sentence) + 1
        return table.reshape(size, size)
