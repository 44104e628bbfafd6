"""A reranker: the k best trees of a parser, chosen from by features of whole trees (Collins 2000).

The baseline of Zhang et al. 2014 ("Steps to excellence", section 5) for what climbing does inside of a parser
with features of whole trees. A reranker can only choose what the parser offers. `headwise.training.reranking`
learns it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.base.errors import HeadwiseError
from headwise.base.lazy import door
from headwise.components.parser.config import ParserConfig
from headwise.components.parser.flow import Flow
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.parser.search import Search, SearchOptions
from headwise.components.reranker.settings import K
from headwise.components.whole_tree.config import WholeTreeConfig
from headwise.model import Stored, Table
from headwise.model.file import Tensors
from headwise.model.schema import Bits
from headwise.model.stored import Shapes
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.reranker.settings import RerankerSettings
    from headwise.training.settings import TrainingSettings

Numbers = npt.NDArray[np.float64]


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
    k: Annotated[int, K]
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
    tokenizer = tagger = None
    PARTS: ClassVar[Mapping[str, type[Stored]]] = {"parser": Parser}

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
    def own_tables(cls, config: RerankerConfig, shapes: Shapes) -> dict[str, Table]:
        return {WEIGHTS: Table.of(np.float32, 1 << config.bits)}

    @classmethod
    def made_of(cls, config: RerankerConfig, tensors: Tensors) -> Reranker:
        parser = cls.made_parts(config, tensors)["parser"]
        return cls(parser, config.features, tensors[WEIGHTS], config.score_weight, k=config.k)

    def parts(self) -> tuple[RerankerConfig, Tensors]:
        config = RerankerConfig(self.parser.config, self.features, self.score_weight, self.k, self._bits)
        return config, self.tensors_of_parts() | {WEIGHTS: self.weights}

    @classmethod
    def train(
        cls,
        sentences: Sequence[Sentence],
        base: TrainingSettings,
        settings: RerankerSettings | None = None,
    ) -> Reranker:
        """Train the parser and the reranker; `folds` + 1 times the time of the parser, and more."""
        trained: Reranker = door("headwise.training.reranking:train_reranker")(sentences, base, settings)
        return trained

    def candidates(self, sentence: Sentence) -> Candidates:
        return self._candidates(self.parser.k_best(sentence, self.k))

    def _candidates(self, trees: list[Parse]) -> Candidates:
        heads = np.concatenate([tree.heads for tree in trees]).astype(np.int32)
        features, begins = native.features_of_trees(self._shape, trees[0].sentence, heads, self._bits)
        scores = np.array([tree.score for tree in trees])
        return Candidates(trees, scores - scores[0], features, begins)

    def best(self, trees: list[Parse]) -> Parse:
        """The one that is chosen among the k best trees."""
        candidates = self._candidates(trees)
        scores = totals(candidates, self.weights, self.score_weight)
        best = int(np.argmax(scores))
        return replace(candidates.trees[best], score=float(scores[best]), exact=False, gap=np.inf, rank=None)

    def flow(self, search: Search | None = None, **options: Unpack[SearchOptions]) -> Flow:
        """The way of sentences through the parser, and on to what chooses among their trees."""
        return _Reranking(self, Search.of(search, options))

    def __call__(
        self, sentence: Sentence, search: Search | None = None, **options: Unpack[SearchOptions]
    ) -> Parse:
        return next(self.pipe([sentence], search, **options))

    def pipe(
        self, sentences: Iterable[Sentence], search: Search | None = None, **options: Unpack[SearchOptions]
    ) -> Iterator[Parse]:
        """Parse a stream of sentences, in order, as `headwise.Search` says, or keywords for its fields."""
        return self.flow(search, **options).parses(sentences)


class _Reranking(Flow):
    """One of the k best trees of each sentence."""

    def __init__(self, reranker: Reranker, search: Search) -> None:
        super().__init__(reranker.parser, replace(search, k=reranker.k))
        self._reranker, self._is_judged = reranker, search.confidence

    def chosen(self, row: list[Parse]) -> list[Parse]:
        if row[0].rank is None:  # too long a sentence to have several
            return row
        best = self._reranker.best(row)
        if not self._is_judged:
            best = replace(best, confidence=None, label_confidence=None, entropy=None, log_prob=None)
        return [best]


def totals(candidates: Candidates, weights: npt.NDArray[np.float32], score_weight: float) -> Numbers:
    """The score of each tree of a list."""
    summed = np.add.reduceat(weights[candidates.features].astype(np.float64), candidates.begins[:-1])
    return np.asarray(score_weight * candidates.scores + summed)
