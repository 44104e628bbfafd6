"""The parser most users touch: train it, load it, parse with it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise._native.trees import NoTreeError
from headwise.base.errors import HeadwiseError
from headwise.base.lazy import door
from headwise.base.seed import DEFAULT_SEED
from headwise.components.parser.config import ParserConfig, Tables, tables_from_file, tables_to_file
from headwise.components.parser.constraints import Constraints, Given, Task, tasks_of
from headwise.components.parser.decoders import Decoder, Search
from headwise.components.parser.native_parses import (
    Columns,
    LabelNames,
    check_lengths,
    judged_parses,
    parses_of,
)
from headwise.components.parser.parse import Parse
from headwise.components.parser.scored_sentence import ScoredSentence
from headwise.components.parser.wishes import Wishes
from headwise.components.scoring.calibration import Calibration
from headwise.components.scoring.python_scorers import PythonScorer
from headwise.model import Stored, Table, Tensors
from headwise.model.stored import Shapes
from headwise.treebank import Sentence
from headwise.treebank.streaming import BATCH_SENTENCES, Input, as_sentence, checked_sentences, in_batches

if TYPE_CHECKING:
    from headwise._native import trees as native_trees
    from headwise.dual import Limits
    from headwise.learning.loop import Listener
    from headwise.training.settings import TrainingSettings
    from headwise.trees import CrossingTrees, Distribution

RANKED_SENTENCES = 64
"""Sentences whose trees are ranked together; the score tables of all of them are in memory."""


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

    def __init__(self, config: ParserConfig, weights: Tables, scorers: Sequence[PythonScorer] = ()) -> None:
        self.config = config
        self.weights = weights
        self.scorers = tuple(scorers)
        self._native = native.Parser(config.shape(weights), dict(weights))
        self._labels = LabelNames(config.labels)

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
    def tables(cls, config: Any, shapes: Shapes) -> dict[str, Table]:
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

    def __call__(
        self,
        sentence: Input,
        *,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        limits: Limits | None = None,
        confidence: bool = False,
        constraints: Constraints | None = None,
    ) -> Parse:
        """Parse one sentence; the options are those of `pipe`."""
        wanted = None if constraints is None else [constraints]
        options: dict[str, Any] = {
            "decoder": decoder,
            "seed": seed,
            "limits": limits,
            "confidence": confidence,
        }
        return next(self.pipe([sentence], constraints=wanted, **options))

    @property
    def native(self) -> native.Parser:
        """The core that does the work, batch by batch."""
        return self._native

    def label_ids(self, labels: Sequence[str]) -> npt.NDArray[np.int32]:
        """The numbers of labels; -1 for one that the parser does not know."""
        return self._labels.numbers(labels)

    def pipe(
        self,
        sentences: Iterable[Input],
        *,
        threads: int = 1,
        batch_size: int = BATCH_SENTENCES,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        limits: Limits | None = None,
        confidence: bool = False,
        constraints: Given | None = None,
    ) -> Iterator[Parse]:
        """Parse a stream of sentences, in order. ``threads=0`` uses every core.

        ``decoder`` says which tree is wanted (`headwise.components.parser.Decoder`); None: the model's own.
        ``seed`` is for the decoders that start from random trees; each sentence is searched with it anew.
        ``limits`` are those of dual decomposition, for the decoder ``dual``: `headwise.dual.KOO_2010` is the
        algorithm as it was published.
        With ``confidence`` the parses carry probabilities. ``constraints`` are a function that gives those
        of a sentence (``Constraints.of_annotation`` keeps what is annotated), or one entry for each; trees
        are the best ones that satisfy them, and probabilities are those among such trees. The result does
        not depend on ``threads`` or ``batch_size``; both only trade memory for speed.
        """
        search = Search(self._decoder(decoder), seed, limits)
        if limits is not None and search.decoder is not Decoder.dual:
            raise HeadwiseError("limits are for the decoder 'dual'.")
        threads = threads or os.cpu_count() or 1

        def work(tasks: list[Task]) -> list[Parse]:
            batch, wanted = [sentence for sentence, _ in tasks], [wish for _, wish in tasks]
            return self._parse_batch(batch, wanted, search, threads, confidence)

        tasks = tasks_of(checked_sentences(sentences, self.config.missing_from), constraints)
        return in_batches(tasks, work, batch_size=batch_size, ahead=threads != 1)

    def _parse_batch(
        self,
        batch: list[Sentence],
        constraints: Sequence[Constraints | None],
        search: Search,
        threads: int,
        confidence: bool,
    ) -> list[Parse]:
        if confidence:
            check_lengths(batch)
        wishes = self._wishes(batch, constraints)
        try:
            if confidence and search.decoder is Decoder.map and self.is_exact:
                return self._judged(batch, self._judgements(batch, wishes, threads=threads), wishes)
            parses = self._parsed(batch, wishes, search, threads)
            if not confidence:
                return parses
            heads = np.concatenate([parse.heads for parse in parses])
            labels = np.concatenate([self.label_ids(parse.labels) for parse in parses])
            judged = self._judgements(batch, wishes, heads, labels, threads=threads)
        except NoTreeError as error:
            raise wishes.explain(error) from error
        return [
            replace(judgement, exact=parse.exact, gap=parse.gap)
            for judgement, parse in zip(self._judged(batch, judged, wishes), parses, strict=True)
        ]

    def _wishes(
        self, batch: Sequence[Sentence], constraints: Sequence[Constraints | None] | None = None
    ) -> Wishes:
        return Wishes(batch, self.config, constraints, self.scorers)

    def _judgements(
        self,
        batch: list[Sentence],
        wishes: Wishes,
        heads: npt.NDArray[np.int32] | None = None,
        labels: npt.NDArray[np.int32] | None = None,
        *,
        threads: int,
    ) -> Columns:
        scale = self.config.calibration.scale
        return self._native.judge(batch, heads, labels, **scale, threads=threads, wishes=wishes.native)

    def _parsed(self, batch: list[Sentence], wishes: Wishes, search: Search, threads: int) -> list[Parse]:
        by_program = search.decoder is Decoder.exact_ilp
        if by_program:
            from headwise.trees.solver import check_installed

            check_installed()  # before any work is done
        columns = self._native.parse(
            batch,
            threads,
            "map" if by_program else search.decoder.value,
            seed=search.seed,
            wishes=wishes.native,
            agreement=None if search.limits is None else search.limits.to_native(),
        )
        parses = parses_of(batch, columns, self._labels, wishes)
        # A sentence that was parsed in stretches (its gap is not known) is too long for a program as well.
        return [
            self._proved(parse, wishes.only(i))
            if by_program and not parse.exact and math.isfinite(parse.gap)
            else parse
            for i, parse in enumerate(parses)
        ]

    def judge(
        self, sentences: Iterable[Sentence], *, threads: int = 1, batch_size: int = BATCH_SENTENCES
    ) -> Iterator[Parse]:
        """How probable the parser finds the trees that the sentences have: as parses with confidence."""

        def work(batch: list[Sentence]) -> list[Parse]:
            check_lengths(batch)
            heads = np.concatenate([sentence.heads for sentence in batch]).astype(np.int32)
            labels = np.concatenate([self.label_ids(sentence.labels) for sentence in batch])
            judged = self._judgements(
                batch, self._wishes(batch), heads, labels, threads=threads or os.cpu_count() or 1
            )
            own_labels = [label for sentence in batch for label in sentence.labels]
            return self._judged(batch, judged, labels=own_labels)

        return in_batches(sentences, work, batch_size=batch_size, ahead=threads != 1)

    def _judged(
        self,
        batch: list[Sentence],
        judged: Columns,
        wishes: Wishes | None = None,
        labels: list[str] | None = None,
    ) -> list[Parse]:
        names = self._labels.names(judged[1]) if labels is None else labels
        labelled = self.config.label_mode != "none"
        return judged_parses(batch, judged, names, wishes, exact=self.is_exact, labelled=labelled)

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
        wishes = self._wishes(batch, [constraints])
        try:
            table = self._native.arc_probabilities(
                batch, **self.config.calibration.arc_scale, wishes=wishes.native
            )
        except NoTreeError as error:
            raise wishes.explain(error) from error
        return table.reshape(size, size)

    def k_best(self, sentence: Input, k: int, constraints: Constraints | None = None) -> list[Parse]:
        """The k most probable trees, best first, with their probabilities; fewer where there are fewer."""
        return next(self.pipe_k_best([sentence], k, constraints=[constraints]))

    def pipe_k_best(
        self,
        sentences: Iterable[Input],
        k: int,
        *,
        threads: int = 1,
        batch_size: int = RANKED_SENTENCES,
        constraints: Given | None = None,
    ) -> Iterator[list[Parse]]:
        """`k_best` for a stream of sentences, in order. ``threads=0`` uses every core."""
        threads = threads or os.cpu_count() or 1

        def work(tasks: list[Task]) -> list[list[Parse]]:
            return self._k_best_batch(tasks, k, threads)

        tasks = tasks_of(checked_sentences(sentences, self.config.missing_from), constraints)
        return in_batches(tasks, work, batch_size=batch_size, ahead=threads != 1)

    def _k_best_batch(self, tasks: list[Task], k: int, threads: int) -> list[list[Parse]]:
        from headwise.components.confidence.ranking import ranked_trees

        check_lengths([sentence for sentence, _ in tasks])
        try:
            found = ranked_trees(self, tasks, k, threads=threads)
        except NoTreeError as error:
            batch, constraints = zip(*tasks, strict=True)
            raise self._wishes(batch, constraints).explain(error) from error
        repeated = [task for task, trees in zip(tasks, found, strict=True) for _ in trees]
        sentences = [sentence for sentence, _ in repeated]
        wishes = self._wishes(sentences, [constraints for _, constraints in repeated])
        heads = np.concatenate([heads for trees in found for heads in trees])
        parses = iter(
            self._judged(sentences, self._judgements(sentences, wishes, heads, threads=threads), wishes)
        )
        return [
            [replace(parse, rank=rank) for rank, parse in enumerate(islice(parses, len(trees)), 1)]
            for trees in found
        ]

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

    def _proved(self, parse: Parse, wishes: Wishes) -> Parse:
        """The best tree of the sentence, by an integer program, where a search has left that open."""
        scored = ScoredSentence(parse.sentence, self._native, self.config, wishes)
        solution = scored.crossing_trees().argmax_by_program(start=parse.heads)
        heads = solution.tree.heads
        labels = self._labels.names(self._native.label_tree(parse.sentence, heads))
        return replace(
            parse,
            heads=heads,
            labels=wishes.keep_labels(0, labels),
            score=solution.score,
            exact=solution.exact,
            gap=solution.bound - solution.score,
        )

    def _decoder(self, decoder: Decoder | str | None) -> Decoder:
        chosen = Decoder(self.config.decoder if decoder is None else decoder)
        if why_not := chosen.why_not(self.config):
            raise HeadwiseError(why_not)
        return chosen

    def _scored(self, given: Input, constraints: Constraints | None = None) -> ScoredSentence:
        sentence = as_sentence(given)
        return ScoredSentence(sentence, self._native, self.config, self._wishes([sentence], [constraints]))

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
