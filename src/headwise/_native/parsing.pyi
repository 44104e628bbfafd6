"""Parsers, and how sure they are."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import headwise._native.dual
import headwise._native.scoring
import headwise._native.treebank
import headwise._native.trees

LABEL_ROW_PADDING: int = 256

class PrunerShape:
    """A model of arcs alone, and how unlikely an arc must be to be dropped."""

    def __init__(self, model: ParserShape, *, threshold: float, most_heads: int) -> None: ...
    @property
    def model(self) -> ParserShape: ...

class ParserShape:
    """What a parser computes, without its weights."""

    def __init__(
        self,
        *,
        tags: Sequence[str],
        arc_limits: Sequence[int],
        arc_templates: Sequence[str],
        label_templates: Sequence[str] = [],
        label_count: int = 0,
        label_arcs: Sequence[int] = [],
        label_mode: str = "none",
        projective: bool,
        single_root: bool,
        arc_bits: int,
        label_bits: int = 4,
        factorization: str = "arc",
        part_templates: Mapping[str, Sequence[str]] = {},
        pruner: PrunerShape | None = None,
        scorers: Sequence[headwise._native.scoring.ScorerShape] = [],
        words: headwise._native.scoring.WordView | None = None,
        rules: headwise._native.scoring.LabelRules | None = None,
    ) -> None: ...
    @property
    def learned_tables(self) -> list[tuple[str, int]]:
        """
        The tables that are learned together with that of arcs: names and sizes, as they lie one after the other.
        """

    @property
    def learned_label_tables(self) -> list[tuple[str, int]]:
        """The same of labels."""

class Conditions:
    """
    What a caller wants of sentences: allowed arcs, known labels, scores to be added.
    """

    def __init__(
        self,
        *,
        allowed: Sequence[
            Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)]
            | None
        ] = [],
        labels: Sequence[
            Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
            | None
        ] = [],
        arc_scores: Sequence[
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
            | None
        ] = [],
        label_scores: Sequence[
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
            | None
        ] = [],
    ) -> None: ...

class Parser:
    """A shape and its weight tables, by name."""

    def __init__(self, shape: ParserShape, tables: dict[str, Any]) -> None: ...
    def parse(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        threads: int = 1,
        decoder: str = "map",
        iterations: int = 20000,
        seed: int = 1,
        conditions: Conditions | None = None,
        agreement: headwise._native.dual.Limits | None = None,
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    ]: ...
    def label_tree(
        self,
        sentence: headwise._native.treebank.Sentence,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]: ...
    def label_scores(
        self,
        sentence: headwise._native.treebank.Sentence,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
    def arc_scores(
        self, sentence: headwise._native.treebank.Sentence, conditions: Conditions | None = None
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
    def part_scores(
        self, sentence: headwise._native.treebank.Sentence, conditions: Conditions | None = None
    ) -> dict[str, Any]: ...
    def sense_parts(
        self, readings: Sequence[headwise._native.treebank.Sentence], retagged: Sequence[int]
    ) -> tuple[
        headwise._native.trees.Candidates,
        dict[str, Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]],
    ]: ...
    def expansion(
        self, sentence: headwise._native.treebank.Sentence, conditions: Conditions | None = None
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
    def arc_features(
        self, sentence: headwise._native.treebank.Sentence, head: int, modifier: int
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")]: ...
    def judge(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        *,
        temperature: float,
        label_temperature: float,
        background: float,
        adjustment: Sequence[float],
        label_background: float = 0.0,
        threads: int = 1,
        conditions: Conditions | None = None,
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    ]:
        """
        Parses, or the trees given, with the probabilities of their arcs and labels.
        """

    def arc_probabilities(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        *,
        temperature: float,
        background: float,
        adjustment: Sequence[float],
        threads: int = 1,
        conditions: Conditions | None = None,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]:
        """
        The probability of every arc, [h * (n + 1) + m], one sentence after the other.
        """

    def probabilities_at(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        *,
        temperatures: Sequence[float],
        label_temperatures: Sequence[float],
        threads: int = 1,
    ) -> tuple[
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ]:
        """
        Arcs and labels of given trees at several temperatures, and the arcs under the background.
        """

class Pruner:
    """Drops the arcs that a first-order log-linear model finds unlikely."""

    def __init__(
        self,
        shape: PrunerShape,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def prune(
        self, sentence: headwise._native.treebank.Sentence
    ) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")]: ...
    def marginals(
        self, sentence: headwise._native.treebank.Sentence
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
