"""The parser most users touch: train it, load it, parse with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise._native.trees import NoTreeError
from headwise.base.cores import cores
from headwise.base.errors import HeadwiseError
from headwise.base.lazy import door
from headwise.components.parser.conditions import Conditions
from headwise.components.parser.config import ParserConfig, Tables, tables_from_file, tables_to_file
from headwise.components.parser.constraints import Constraints
from headwise.components.parser.decoders import Decoder
from headwise.components.parser.flow import Flow
from headwise.components.parser.native_parses import LabelNames, judged_parses
from headwise.components.parser.parse import Parse
from headwise.components.parser.scored_sentence import ScoredSentence
from headwise.components.parser.search import RankingOptions, Search, SearchOptions, check_lengths
from headwise.components.scoring.calibration import Calibration
from headwise.components.scoring.python_scorers import PythonScorer
from headwise.model import Stored, Table, Tensors
from headwise.model.stored import Shapes
from headwise.treebank import Sentence
from headwise.treebank.streaming import BATCH_SENTENCES, Input, as_sentence, in_batches

if TYPE_CHECKING:
    from headwise._native import trees as native_trees
    from headwise.learning.loop import Listener
    from headwise.training.settings import TrainingSettings
    from headwise.trees import CrossingTrees, Distribution


class Parser(Stored):
    """A trained dependency parser.

    Examples:
        >>> parser = Parser.train("train.conllu", dev="dev.conllu")   # doctest: +SKIP
        >>> parser.save("model.hw")                                   # doctest: +SKIP
        >>> for parse in Parser.load("model.hw").pipe(sentences):     # doctest: +SKIP
        ...     print(parse.heads, parse.labels)
    """

    KIND = "parser"
    CONFIG: ClassVar[type] = ParserConfig
    tokenizer = tagger = joint_tags = None
    """What a pipeline has before its parser."""

    def __init__(self, config: ParserConfig, weights: Tables, scorers: Sequence[PythonScorer] = ()) -> None:
        self.config = config
        self.weights = weights
        self.scorers = tuple(scorers)
        self._native = native.Parser(config.shape(weights), dict(weights))
        self._labels = LabelNames(config.labels)

    def __repr__(self) -> str:
        config, labels = self.config, f"{len(self.config.labels)} labels"
        kind = "projective" if config.projective else "non-projective"
        scored = "arcs" if config.factorization == "arc" else f"{config.factorization} parts"
        network = ", with a network" if config.network else ""
        return f"<Parser of {kind} trees, {scored}{network}, {labels}>"

    @property
    def parser(self) -> Parser:
        """Itself, as a pipeline has one."""
        return self

    def with_parser(self, parser: Parser) -> Parser:
        """The other one, as a pipeline takes it in place of its own."""
        return parser

    @classmethod
    def train(
        cls,
        train: str | Path | Iterable[Sentence],
        dev: str | Path | Iterable[Sentence] | None = None,
        *,
        settings: TrainingSettings | None = None,
        listener: Listener | None = None,
        **options: Any,
    ) -> Parser:
        """Train a parser on a treebank.

        ``options`` are a ``preset`` (``fast``, ``accurate`` …; without one, by the size of the treebank:
        `headwise.training.default_preset`) and fields of `headwise.training.TrainingSettings`
        (``trees="auto"``, ``seed=1`` …), for callers who have no settings object at hand.
        """
        trained: Parser = door("headwise.training.doors:trained_parser")(
            train, dev, settings, listener, options
        )
        return trained

    @classmethod
    def own_tables(cls, config: Any, shapes: Shapes) -> dict[str, Table]:
        return tables_to_file(config.tables(shapes))

    @classmethod
    def made_of(cls, config: Any, tensors: Tables) -> Parser:
        return cls(config, tables_from_file(tensors))

    @classmethod
    def in_steps(cls, config: Any, tensors: Tensors, coarseness: float) -> Tensors:
        return {} if config.network is None else config.network.in_steps(tensors, coarseness)

    def parts(self) -> tuple[ParserConfig, dict[str, npt.NDArray[Any]]]:
        """Scorers that are written in Python are not in files."""
        return self.config, tables_to_file(self.weights)

    def with_scorers(self, *scorers: PythonScorer) -> Parser:
        """The same parser with scorers written in Python (`headwise.components.scoring.python_scorers`)."""
        return self._changed(scorers=(*self.scorers, *scorers))

    def with_network_bits(self, bits: int) -> Parser:
        if self.config.network is None or self.config.network.bits == bits:
            return self
        tensors = {name: np.asarray(self.weights[name]) for name in self.config.network.table_names}
        network, made = self.config.network.with_bits(bits, tensors, len(self.config.labels))
        others = {name: table for name, table in self.weights.items() if name not in tensors}
        return Parser(replace(self.config, network=network), {**others, **made}, self.scorers)

    def with_network_weight(self, weight: float) -> Parser:
        """The same parser with another weight of its network."""
        if self.config.network is None:
            raise ValueError("the parser has no network")
        network = replace(self.config.network, weight=weight)
        return Parser(replace(self.config, network=network), self.weights, self.scorers)

    def with_decoder(self, decoder: Decoder) -> Parser:
        """The same parser, which finds another tree where its caller does not say which."""
        return self._changed(replace(self.config, decoder=decoder))

    def _changed(
        self, config: ParserConfig | None = None, scorers: Sequence[PythonScorer] | None = None
    ) -> Parser:
        """A parser of the same weights, which are not copied."""
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__
        other.config = self.config if config is None else config
        other.scorers = self.scorers if scorers is None else tuple(scorers)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """As what it is made of, so that parsers can be pickled and copied."""
        weights = {name: np.asarray(table) for name, table in self.weights.items()}
        return type(self), (self.config, weights, self.scorers)

    def flow(self, search: Search | None = None, **options: Unpack[SearchOptions]) -> Flow:
        """The way of sentences through the parser: all other verbs that parse are short for this one.

        What is wanted is a `headwise.Search`, or keywords that are its fields.
        """
        return Flow(self, Search.of(search, options))

    def __call__(
        self, sentence: Input, search: Search | None = None, **options: Unpack[SearchOptions]
    ) -> Parse:
        """Parse one sentence."""
        (row,) = self.flow(Search.of(search, options, on_error="stop")).rows([sentence])
        return row[0]

    @property
    def native(self) -> native.Parser:
        """The core that does the work, batch by batch."""
        return self._native

    def label_ids(self, labels: Sequence[str]) -> npt.NDArray[np.int32]:
        """The numbers of labels; -1 for one that the parser does not know."""
        return self._labels.numbers(labels)

    @property
    def label_names(self) -> LabelNames:
        return self._labels

    def pipe(
        self, sentences: Iterable[Input], search: Search | None = None, **options: Unpack[SearchOptions]
    ) -> Iterator[Parse]:
        """Parse a stream of sentences, in order.

        What is wanted of them is a `headwise.Search`, or keywords that are its fields: ``decoder``,
        ``constraints``, ``confidence``, ``threads`` … The result does not depend on ``threads`` or
        ``batch_size``; both only trade memory for speed.
        """
        return self.flow(search, **options).parses(sentences)

    def conditions_for(
        self, batch: Sequence[Sentence], constraints: Sequence[Constraints | None] | None = None
    ) -> Conditions:
        return Conditions(batch, self.config, constraints, self.scorers)

    def judged(
        self,
        batch: list[Sentence],
        conditions: Conditions,
        heads: npt.NDArray[np.int32] | None = None,
        labels: npt.NDArray[np.int32] | None = None,
        *,
        threads: int,
        names: list[str] | None = None,
    ) -> list[Parse]:
        """Trees with their probabilities: those with these heads and labels, else the best ones.

        ``names`` are the labels of all words, where the parser does not know some of them.
        """
        scale = self.config.calibration.scale
        columns = self._native.judge(
            batch, heads, labels, **scale, threads=threads, conditions=conditions.native
        )
        names, labelled = names or self._labels.names(columns[1]), self.config.label_mode != "none"
        return judged_parses(batch, columns, names, conditions, exact=self.is_exact, labelled=labelled)

    def judge(
        self, sentences: Iterable[Sentence], *, threads: int = 1, batch_size: int = BATCH_SENTENCES
    ) -> Iterator[Parse]:
        """How probable the parser finds the trees that the sentences have: as parses with confidence."""

        def work(batch: list[Sentence]) -> list[Parse]:
            check_lengths(batch)
            heads = np.concatenate([sentence.heads for sentence in batch]).astype(np.int32)
            names = [label for sentence in batch for label in sentence.labels]
            labels = self.label_ids(names)
            conditions = self.conditions_for(batch)
            return self.judged(batch, conditions, heads, labels, threads=cores(threads), names=names)

        return in_batches(sentences, work, batch_size=batch_size, ahead=threads != 1)

    @property
    def is_exact(self) -> bool:
        """Whether a dynamic program finds the best tree.

        Otherwise there are features of whole trees, with which no tree is known to be the best, or arcs may
        cross above first order, where dual decomposition says of each tree whether it is.
        """
        return self.has_exact_probabilities and not self.config.has_whole_tree_features

    @property
    def has_exact_probabilities(self) -> bool:
        """Whether probabilities are sums over all trees (`ParserConfig.has_exact_probabilities`)."""
        return self.config.has_exact_probabilities

    def arc_probabilities(
        self, sentence: Input, constraints: Constraints | None = None
    ) -> npt.NDArray[np.float64]:
        """``p[h, m]``, the probability of every arc; those of a word's heads sum to one."""
        batch, size = [as_sentence(sentence)], len(sentence) + 1
        conditions = self.conditions_for(batch, [constraints])
        try:
            table = self._native.arc_probabilities(
                batch, **self.config.calibration.arc_scale, conditions=conditions.native
            )
        except NoTreeError as error:
            raise conditions.explain(error) from error
        return table.reshape(size, size)

    def k_best(self, sentence: Input, k: int, constraints: Constraints | None = None) -> list[Parse]:
        """The k most probable trees, best first, with their probabilities; fewer where there are fewer."""
        return next(self.pipe_k_best([sentence], k, constraints=constraints))

    def pipe_k_best(
        self,
        sentences: Iterable[Input],
        k: int,
        search: Search | None = None,
        **options: Unpack[RankingOptions],
    ) -> Iterator[list[Parse]]:
        """`k_best` for a stream of sentences, in order."""
        return self.flow(Search.of(search, options, k=k)).rows(sentences)

    def calibrated(self, sentences: Sequence[Sentence], *, threads: int = 1) -> Parser:
        """The same parser with probabilities fitted to annotated sentences that it has not learned from."""
        from headwise.components.confidence.fitting import LEAST_WORDS, fit_calibration

        calibration = fit_calibration(self, sentences, fitted_on="held-out", threads=threads)
        if calibration is None:
            raise HeadwiseError(
                f"probabilities need at least {LEAST_WORDS} annotated words to be fitted on, and there are "
                f"{sum(map(len, sentences))}. Give a larger treebank."
            )
        return self.with_calibration(calibration)

    def with_calibration(self, calibration: Calibration) -> Parser:
        return self._changed(replace(self.config, calibration=calibration))

    def _scored(self, given: Input, constraints: Constraints | None = None) -> ScoredSentence:
        sentence = as_sentence(given)
        return ScoredSentence(
            sentence, self._native, self.config, self.conditions_for([sentence], [constraints])
        )

    def arc_scores(self, sentence: Input, constraints: Constraints | None = None) -> npt.NDArray[np.float64]:
        """``scores[h, m]`` of every arc; −inf where it is not considered."""
        return self._scored(sentence, constraints).arcs()

    def sense_parts(
        self, readings: Sequence[Sentence], retagged: Sequence[int]
    ) -> tuple[native_trees.Candidates, dict[str, npt.NDArray[np.float64]]]:
        """The parts of a sentence some of whose words have several tags: which there are, and their scores.

        ``readings[0]`` is the sentence, ``readings[k]`` the same with another tag for the word
        ``retagged[k - 1]``, in the order of words. Nodes are words with one of these tags, as in
        `headwise.trees.SensePartTrees`; the words around a node have the tags of the first reading. For
        parsers of larger parts, whose scores are those of features.
        """
        return self._native.sense_parts(readings, retagged)

    def crossing_trees(self, sentence: Input) -> CrossingTrees:
        """The problem that dual decomposition solves for a sentence: all trees, with the model's scores.

        Arcs may cross where the parser lets them. For first order see `distribution`.
        """
        if not self.config.has_larger_parts:
            raise HeadwiseError("a first-order parser needs no dual decomposition; use distribution().")
        return self._scored(sentence).crossing_trees()

    def distribution(self, sentence: Input, constraints: Constraints | None = None) -> Distribution:
        """All trees of the sentence under the model's scores: k-best, probabilities, samples and more.

        These are the bare scores. Those of a model trained with MIRA or the perceptron are no calibrated
        log-probabilities; `arc_probabilities`, `k_best` and ``pipe(…, confidence=True)`` divide
        them by the temperature of ``config.calibration``.
        """
        return self._scored(sentence, constraints).distribution()

    def expansion(self, sentence: Input, constraints: Constraints | None = None) -> Distribution:
        """The estimate where there is no exact distribution: the score expanded around the parse."""
        return self._scored(sentence, constraints).expansion()
