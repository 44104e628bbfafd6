"""A reranker: the k best trees of a parser, chosen from by features of whole trees (Collins 2000).

The baseline of Zhang et al. 2014 ("Steps to excellence", section 5) for what climbing does inside of a parser
with the preset ``full``. A reranker can only choose what the parser offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.base.errors import HeadwiseError
from headwise.components.parser.config import ParserConfig
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.scoring.templates import informative_columns
from headwise.components.scoring.whole_tree import ALL, WholeTreeConfig, kin_templates, whole_tree_config
from headwise.model import Stored, Table
from headwise.model.file import Tensors
from headwise.model.schema import Bits, Within
from headwise.model.stored import Shapes, of_part
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RerankerSettings:
    """How a reranker is trained."""

    k: int = 50
    """Trees that it chooses from."""
    folds: int = 10
    """The lists of the training data come from so many parsers, each of which has not seen the sentence."""
    epochs: int = 10
    aggressiveness: float = 0.01
    """MIRA's C: the longest step that a sentence may cause."""
    families: tuple[str, ...] = ALL
    bits: int = 21
    seed: int = 1


@dataclass(frozen=True, eq=False)
class Candidates:
    """The k best trees of a sentence, with their scores and features."""

    trees: list[Parse]
    scores: Numbers
    """Of the parser, relative to the best tree's."""
    features: npt.NDArray[np.uint32]
    begins: npt.NDArray[np.int64]
    """Where the features of each tree begin."""

    def errors(self, gold: npt.NDArray[np.int32]) -> Numbers:
        return np.array([np.count_nonzero(tree.heads != gold) for tree in self.trees], dtype=np.float64)

    def of(self, tree: int) -> npt.NDArray[np.uint32]:
        return self.features[self.begins[tree] : self.begins[tree + 1]]


@dataclass(frozen=True)
class RerankerConfig:
    """Stored in the header of its file."""

    parser: ParserConfig
    features: WholeTreeConfig
    score_weight: float
    """How much the parser's score counts."""
    k: Annotated[int, Within(2, 100_000)]
    bits: Bits


WEIGHTS = "weights"


class Reranker(Stored):
    """A parser and what chooses among its k best trees.

    Examples:
        >>> reranker = Reranker.train(sentences, TrainingSettings.preset("second"))   # doctest: +SKIP
        >>> reranker.save("reranker.hw")                                               # doctest: +SKIP
        >>> for parse in Reranker.load("reranker.hw").pipe(sentences):                 # doctest: +SKIP
        ...     print(parse.heads)
    """

    KIND = "reranker"
    CONFIG = RerankerConfig

    def __init__(
        self,
        parser: Parser,
        features: WholeTreeConfig,
        weights: npt.NDArray[np.float32],
        score_weight: float,
        *,
        k: int,
    ) -> None:
        if not features.families:
            raise HeadwiseError("a reranker needs features of whole trees.")
        self.parser, self.features, self.k = parser, features, k
        self.weights, self.score_weight = weights, score_weight
        self._shape = features.features()
        self._bits = len(weights).bit_length() - 1

    @classmethod
    def tables(cls, config: RerankerConfig, shapes: Shapes) -> dict[str, Table]:
        of_parser = Parser.tables(config.parser, of_part("parser", shapes))
        tables = {f"parser.{name}": table for name, table in of_parser.items()}
        return tables | {WEIGHTS: Table.floats(1 << config.bits)}

    @classmethod
    def made_of(cls, config: RerankerConfig, tensors: Tensors) -> Reranker:
        parser = Parser.made_of(config.parser, of_part("parser", tensors))
        return cls(parser, config.features, tensors[WEIGHTS], config.score_weight, k=config.k)

    def parts(self) -> tuple[RerankerConfig, Tensors]:
        config, tensors = self.parser.parts()
        named: Tensors = {f"parser.{name}": tensor for name, tensor in tensors.items()}
        own = RerankerConfig(config, self.features, self.score_weight, self.k, self._bits)
        return own, named | {WEIGHTS: self.weights}

    @classmethod
    def train(
        cls,
        sentences: Sequence[Sentence],
        base: TrainingSettings,
        settings: RerankerSettings | None = None,
    ) -> Reranker:
        """Train the parser and the reranker; `folds` + 1 times the time of the parser, and more."""
        settings = settings or RerankerSettings()
        base = replace(base, calibrate=False)
        unlabelled = replace(base, labels="none")
        if len(sentences) < settings.folds:
            raise HeadwiseError(f"a reranker of {settings.folds} folds needs as many sentences.")
        columns = informative_columns(sentences)
        features = whole_tree_config(
            settings.families, sentences, columns, kin_templates(settings.families, columns)
        )
        weights = np.zeros(1 << settings.bits, np.float32)
        fold = np.arange(len(sentences)) % settings.folds
        lists: list[Candidates | None] = [None] * len(sentences)
        for f in range(settings.folds):
            others = [sentence for sentence, g in zip(sentences, fold, strict=True) if g != f]
            jackknifed = cls(train_parser(others, None, unlabelled), features, weights, 1.0, k=settings.k)
            for i in np.flatnonzero(fold == f).tolist():
                lists[i] = jackknifed.candidates(sentences[i])
        learned, score_weight = learn(
            [candidates for candidates in lists if candidates is not None],
            [np.asarray(sentence.heads) for sentence in sentences],
            settings,
        )
        return cls(train_parser(sentences, None, base), features, learned, score_weight, k=settings.k)

    def candidates(self, sentence: Sentence) -> Candidates:
        return self._candidates(self.parser.k_best(sentence, self.k))

    def _candidates(self, trees: list[Parse]) -> Candidates:
        heads = np.concatenate([tree.heads for tree in trees]).astype(np.int32)
        features, begins = native.features_of_trees(self._shape, trees[0].sentence, heads, self._bits)
        scores = np.array([tree.score for tree in trees])
        return Candidates(trees, scores - scores[0], features, begins)

    def __call__(self, sentence: Sentence) -> Parse:
        return next(self.pipe([sentence]))

    def _best(self, trees: list[Parse]) -> Parse:
        candidates = self._candidates(trees)
        scores = totals(candidates, self.weights, self.score_weight)
        best = int(np.argmax(scores))
        return replace(candidates.trees[best], score=float(scores[best]), exact=False, gap=np.inf, rank=None)

    def pipe(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Iterator[Parse]:
        """Parse a stream of sentences, in order. ``threads=0`` uses every core."""
        return map(self._best, self.parser.pipe_k_best(sentences, self.k, threads=threads))


def totals(candidates: Candidates, weights: npt.NDArray[np.float32], score_weight: float) -> Numbers:
    """The score of each tree of a list."""
    summed = np.add.reduceat(weights[candidates.features].astype(np.float64), candidates.begins[:-1])
    return np.asarray(score_weight * candidates.scores + summed)


def learn(
    lists: Sequence[Candidates], gold: Sequence[npt.NDArray[np.int32]], settings: RerankerSettings
) -> tuple[npt.NDArray[np.float32], float]:
    """MIRA with costs, averaged: the best tree of each list is to beat the others by their mistakes.

    The parser's score is one more feature, whose weight starts from one.
    """
    weights = np.zeros(1 << settings.bits, np.float32)
    delayed = np.zeros(len(weights))  # Σ (t − 1)·δ_t, as native/learning/averaged_weights.hpp has it
    score_weight, delayed_score, steps = 1.0, 0.0, 0
    for epoch in range(settings.epochs):
        for i in np.random.default_rng([settings.seed, epoch]).permutation(len(lists)):
            candidates = lists[i]
            errors = candidates.errors(gold[i])
            target = int(np.argmin(errors))
            scores = totals(candidates, weights, score_weight)
            rival = int(np.argmax(scores + errors))
            violation = scores[rival] + errors[rival] - scores[target] - errors[target]
            if violation > 0:
                touched, where = np.unique(
                    np.concatenate([candidates.of(target), candidates.of(rival)]), return_inverse=True
                )
                signs = np.repeat([1.0, -1.0], [len(candidates.of(target)), len(candidates.of(rival))])
                difference = np.bincount(where, signs, len(touched))
                of_scores = candidates.scores[target] - candidates.scores[rival]
                norm = difference @ difference + of_scores**2
                step = min(settings.aggressiveness, violation / norm) if norm > 0 else 0.0
                weights[touched] += (step * difference).astype(np.float32)
                delayed[touched] += steps * step * difference
                score_weight += step * of_scores
                delayed_score += steps * step * of_scores
            steps += 1
    return (weights - delayed / steps).astype(np.float32), score_weight - delayed_score / steps
