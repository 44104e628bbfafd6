"""The parser most users touch: train it, load it, parse with it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise.confidence.calibration import Calibration
from headwise.confidence.ranking import RANKED_SENTENCES, ranked_trees
from headwise.errors import HeadwiseError, SentenceTooLongError
from headwise.model import ModelError, read_model, write_model
from headwise.parser.config import ParserConfig
from headwise.parser.decoders import DEFAULT_SEED, Decoder
from headwise.parser.parse import Parse
from headwise.parser.streaming import BATCH_SENTENCES, Input, as_sentence, in_batches
from headwise.treebank import Sentence
from headwise.trees.solver import check_installed

if TYPE_CHECKING:
    from headwise.learning.loop import Listener
    from headwise.learning.settings import TrainingSettings
    from headwise.trees import CrossingTrees, Distribution

LONGEST_JUDGED = 2000
"""Words of a sentence that may have probabilities."""

Weights = Mapping[str, npt.NDArray[Any]]
"""The weight tables of a parser: ``arcs`` (and larger parts), ``labels``; above first order ``pruner``, and
where it has them ``roles``, ``global`` (of whole trees), ``network``, ``vectors`` and ``vocabulary``."""


class Parser:
    """A trained dependency parser.

    >>> parser = Parser.train("train.conllu", dev="dev.conllu")   # doctest: +SKIP
    >>> parser.save("model.hw")                                   # doctest: +SKIP
    >>> for parse in Parser.load("model.hw").pipe(sentences):     # doctest: +SKIP
    ...     print(parse.heads, parse.labels)
    """

    KIND = "parser"

    def __init__(self, config: ParserConfig, weights: Weights) -> None:
        self.config = config
        self.weights = weights
        self._native: native.Parser | native.HigherOrderParser
        if config.pruner is None:
            self._native = native.Parser(config.shape(), weights["arcs"], weights["labels"])
        else:
            nothing = np.zeros(0, np.float32)
            self._native = native.HigherOrderParser(
                config.higher_order_shape(weights["vocabulary"] if config.network else None),
                weights["arcs"],
                weights["labels"],
                weights["pruner"],
                *(weights.get(name, nothing) for name in ("global", "roles", "network", "vectors")),
            )
        self._label_names = np.array([*config.labels, "_"], dtype=object)  # label -1 is "_"
        self._label_numbers = {name: number for number, name in enumerate(config.labels)}

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

        ``options`` are a ``preset`` (``first``, ``second``, ``third``, ``full``) and fields of
        :class:`headwise.learning.TrainingSettings` (``trees="auto"``, ``seed=1`` …), for callers who have no
        settings object at hand.
        """
        from headwise.learning import TrainingSettings, train_parser

        if settings is not None and options:
            raise TypeError("give either settings or single options, not both")
        return train_parser(train, dev, settings or TrainingSettings.preset(**options), listener=listener)

    @classmethod
    def load(cls, path: str | Path) -> Parser:
        """Read a model file; tens of milliseconds."""
        config, tensors = read_model(path, cls.KIND)
        try:
            return cls(ParserConfig.from_dict(config), tensors)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path} is not a usable model: {error}. Train it anew.") from error

    def save(self, path: str | Path) -> None:
        write_model(path, self.KIND, asdict(self.config), self.weights)

    def __call__(self, sentence: Input) -> Parse:
        return next(self.pipe([sentence]))

    @property
    def native(self) -> native.Parser | native.HigherOrderParser:
        """The core that does the work, batch by batch."""
        return self._native

    def label_ids(self, labels: Sequence[str]) -> npt.NDArray[np.int32]:
        """The numbers of labels; -1 for one that the parser does not know."""
        return np.array([self._label_numbers.get(label, -1) for label in labels], dtype=np.int32)

    def pipe(
        self,
        sentences: Iterable[Input],
        *,
        threads: int = 1,
        batch_size: int = BATCH_SENTENCES,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        confidence: bool = False,
    ) -> Iterator[Parse]:
        """Parse a stream of sentences, in order. ``threads=0`` uses every core.

        ``decoder`` says which tree is wanted (:class:`headwise.parser.Decoder`); None: the model's own.
        ``seed`` is for the decoders that start from random trees; each sentence is searched with it anew.
        With ``confidence`` the parses carry probabilities. The result does not depend on ``threads`` or
        ``batch_size``; both only trade memory for speed.
        """
        work = partial(
            self.parse_batch,
            threads=threads,
            decoder=self._decoder(decoder),
            seed=seed,
            confidence=confidence,
        )
        return in_batches(sentences, work, batch_size=batch_size, ahead=threads != 1)

    def parse_batch(
        self,
        batch: list[Sentence],
        *,
        threads: int = 1,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        confidence: bool = False,
    ) -> list[Parse]:
        threads = threads or os.cpu_count() or 1
        chosen = self._decoder(decoder)
        if confidence:
            _check_lengths(batch)
        if confidence and chosen is Decoder.map and self.is_exact:
            return self._judged(
                batch, self._native.judge(batch, **self.config.calibration.scale, threads=threads)
            )
        parses = self._parsed(batch, chosen, threads, seed)
        if not confidence:
            return parses
        heads = np.concatenate([parse.heads for parse in parses])
        labels = np.concatenate([self.label_ids(parse.labels) for parse in parses])
        judged = self._native.judge(batch, heads, labels, **self.config.calibration.scale, threads=threads)
        return [
            replace(judgement, exact=parse.exact, gap=parse.gap)
            for judgement, parse in zip(self._judged(batch, judged), parses, strict=True)
        ]

    def _parsed(self, batch: list[Sentence], decoder: Decoder, threads: int, seed: int) -> list[Parse]:
        by_program = decoder is Decoder.exact_ilp
        if by_program:
            check_installed()  # before any work is done
        native_decoder = native.Decoder["map" if by_program else decoder.name]
        chance = {"seed": seed} if decoder.is_random else {}
        heads, label_ids, scores, gaps, exact, limited = self._native.parse(
            batch, threads, native_decoder, **chance
        )
        labels = self._label_names[label_ids].tolist()
        columns = scores.tolist(), exact.astype(bool).tolist(), limited.astype(bool).tolist(), gaps.tolist()
        parses = [
            Parse(sentence, heads[words], labels[words], *numbers)
            for sentence, words, *numbers in zip(batch, _word_slices(batch), *columns, strict=True)
        ]
        # A sentence that was parsed in stretches (its gap is not known) is too long for a program as well.
        return [
            self._proved(parse) if by_program and not parse.exact and math.isfinite(parse.gap) else parse
            for parse in parses
        ]

    def judge(
        self, sentences: Iterable[Sentence], *, threads: int = 1, batch_size: int = BATCH_SENTENCES
    ) -> Iterator[Parse]:
        """How probable the parser finds the trees that the sentences have: as parses with confidence."""

        def work(batch: list[Sentence]) -> list[Parse]:
            _check_lengths(batch)
            heads = np.concatenate([sentence.heads for sentence in batch]).astype(np.int32)
            labels = np.concatenate([self.label_ids(sentence.labels) for sentence in batch])
            judged = self._native.judge(
                batch,
                heads,
                labels,
                **self.config.calibration.scale,
                threads=threads or os.cpu_count() or 1,
            )
            own_labels = [label for sentence in batch for label in sentence.labels]
            return self._judged(batch, judged, own_labels)

        return in_batches(sentences, work, batch_size=batch_size, ahead=threads != 1)

    def _judged(
        self, batch: list[Sentence], judged: tuple[npt.NDArray[Any], ...], labels: list[str] | None = None
    ) -> list[Parse]:
        heads, label_ids, scores, arcs, label_probabilities, entropies, log_probs, limited = judged
        labels = self._label_names[label_ids].tolist() if labels is None else labels
        labelled = self.config.label_mode != "none"
        return [
            Parse(
                sentence,
                heads[words],
                labels[words],
                float(scores[i]),
                self.is_exact,
                bool(limited[i]),
                confidence=arcs[words],
                label_confidence=label_probabilities[words] if labelled else None,
                entropy=entropies[words],
                log_prob=float(log_probs[i]),
            )
            for i, (sentence, words) in enumerate(zip(batch, _word_slices(batch), strict=True))
        ]

    @property
    def is_exact(self) -> bool:
        """Whether a dynamic program finds the best tree.

        Otherwise there are features of whole trees, with which no tree is known to be the best, or arcs may
        cross above first order, where dual decomposition says of each tree whether it is.
        """
        return self.has_exact_probabilities and not self.config.global_features.families

    @property
    def has_exact_probabilities(self) -> bool:
        """Whether probabilities are sums over all trees, of the parts that dynamic programs score.

        Otherwise (non-projective trees above first order) trees are found by dual decomposition, which says
        of each whether it is the best, and probabilities are estimates: those of the score expanded to first
        order around the tree that was found.
        """
        return self.config.projective or self.config.pruner is None

    def arc_probabilities(self, sentence: Input) -> npt.NDArray[np.float64]:
        """``p[h, m]``, the probability of every arc; those of a word's heads sum to one."""
        size = len(sentence) + 1
        table = self._native.arc_probabilities([as_sentence(sentence)], **self.config.calibration.arc_scale)
        return table.reshape(size, size)

    def k_best(self, sentence: Input, k: int) -> list[Parse]:
        """The k most probable trees, best first, with their probabilities; fewer where there are fewer."""
        return next(self.pipe_k_best([sentence], k))

    def pipe_k_best(
        self,
        sentences: Iterable[Input],
        k: int,
        *,
        threads: int = 1,
        batch_size: int = RANKED_SENTENCES,
    ) -> Iterator[list[Parse]]:
        """:meth:`k_best` for a stream of sentences, in order. ``threads=0`` uses every core."""
        work = partial(self._k_best_batch, k=k, threads=threads or os.cpu_count() or 1)
        return in_batches(sentences, work, batch_size=batch_size, ahead=threads != 1)

    def _k_best_batch(self, batch: list[Sentence], k: int, threads: int) -> list[list[Parse]]:
        _check_lengths(batch)
        found = ranked_trees(self, batch, k, threads=threads)
        sentences = [sentence for sentence, trees in zip(batch, found, strict=True) for _ in trees]
        heads = np.concatenate([heads for trees in found for heads in trees])
        judged = self._native.judge(sentences, heads, **self.config.calibration.scale, threads=threads)
        parses = iter(self._judged(sentences, judged))
        return [
            [replace(parse, rank=rank) for rank, parse in enumerate(islice(parses, len(trees)), 1)]
            for trees in found
        ]

    def calibrated(self, sentences: Sequence[Sentence], *, threads: int = 1) -> Parser:
        """The same parser with probabilities fitted to annotated sentences that it has not learned from."""
        from headwise.confidence.fitting import LEAST_WORDS, fit_calibration

        calibration = fit_calibration(self, sentences, fitted_on="held-out", threads=threads)
        if calibration is None:
            raise HeadwiseError(f"probabilities need at least {LEAST_WORDS} annotated words to be fitted on.")
        return self.with_calibration(calibration)

    def with_calibration(self, calibration: Calibration) -> Parser:
        return Parser(replace(self.config, calibration=calibration), self.weights)

    def _proved(self, parse: Parse) -> Parse:
        """The best tree of the sentence, by an integer program, where a search has left that open."""
        assert isinstance(self._native, native.HigherOrderParser)
        solution = self.crossing_trees(parse.sentence).argmax_by_program(start=parse.heads)
        heads = solution.tree.heads
        labels = self._label_names[self._native.label_tree(parse.sentence, heads)].tolist()
        return replace(
            parse,
            heads=heads,
            labels=labels,
            score=solution.score,
            exact=solution.exact,
            gap=solution.bound - solution.score,
        )

    def _decoder(self, decoder: Decoder | str | None) -> Decoder:
        chosen = Decoder(self.config.decoder if decoder is None else decoder)
        if chosen is Decoder.minimum_risk and self.config.pruner is not None and not self.config.projective:
            raise HeadwiseError(
                "minimum-risk decoding needs probabilities, which non-projective trees of higher order do "
                "not have. Train with --preset first or --trees projective, or decode with 'map'."
            )
        if self.config.global_features.families and chosen in (Decoder.minimum_risk, Decoder.exact_ilp):
            raise HeadwiseError(
                f"the decoder {chosen.value!r} knows nothing of features of whole trees, which this model "
                "has. Decode with 'map', or train without: --preset third."
            )
        if chosen is Decoder.max_z and self.config.label_mode != "latent":
            raise HeadwiseError("the decoder max-z is for models with latent labels; decode with 'map'.")
        if chosen.is_random and (self.config.pruner is None or self.config.projective):
            raise HeadwiseError(
                f"the decoder {chosen.value!r} is for trees of higher order whose arcs may cross; of others "
                "the best is found for certain. Decode with 'map', or train with --preset third --trees "
                "nonprojective."
            )
        return chosen

    def arc_scores(self, sentence: Sentence) -> npt.NDArray[np.float64]:
        """``scores[h, m]`` of every arc; −inf where it is not considered."""
        size = len(sentence) + 1
        return self._native.arc_scores(sentence).reshape(size, size)

    def crossing_trees(self, sentence: Input) -> CrossingTrees:
        """The problem that dual decomposition solves for a sentence: all trees, with the model's scores.

        Arcs may cross where the parser lets them. For first order see :meth:`distribution`.
        """
        from headwise.trees import CrossingTrees

        if not isinstance(self._native, native.HigherOrderParser):
            raise HeadwiseError("a first-order parser needs no dual decomposition; use distribution().")
        sentence = as_sentence(sentence)
        return CrossingTrees(
            self.arc_scores(sentence),
            single_root=self.config.single_root,
            projective=self.config.projective,
            factorization=self.config.factorization,
            **self._part_tables(sentence),
        )

    def _part_tables(self, sentence: Sentence) -> dict[str, Any]:
        from headwise.trees import Parts

        assert isinstance(self._native, native.HigherOrderParser)
        return {
            name: Parts(words.reshape(len(scores), -1), scores)
            for name, (words, scores) in self._native.part_scores(sentence).items()
        }

    def distribution(self, sentence: Input) -> Distribution:
        """All trees of the sentence under the model's scores: k-best, probabilities, samples and more.

        These are the bare scores. Those of a model trained with MIRA or the perceptron are no calibrated
        log-probabilities; :meth:`arc_probabilities`, :meth:`k_best` and ``pipe(…, confidence=True)`` divide
        them by the temperature of ``config.calibration``.
        """
        from headwise.trees import ProjectiveTrees, SpanningTrees

        if not self.has_exact_probabilities:
            raise HeadwiseError(
                "no exact distribution over non-projective trees of higher order exists. "
                "Train with --preset first or --trees projective."
            )
        sentence = as_sentence(sentence)
        arcs = self.arc_scores(sentence)
        if isinstance(self._native, native.Parser):
            kind = ProjectiveTrees if self.config.projective else SpanningTrees
            return kind(arcs, single_root=self.config.single_root)
        return ProjectiveTrees(
            arcs,
            single_root=self.config.single_root,
            factorization=self.config.factorization,
            **self._part_tables(sentence),
        )


def _check_lengths(batch: Sequence[Sentence]) -> None:
    """Probabilities are sums over all trees of a sentence, in tables of n² numbers."""
    for sentence in batch:
        if len(sentence) > LONGEST_JUDGED:
            raise SentenceTooLongError(
                f"{sentence.source}: a sentence of {len(sentence)} words is too long for probabilities "
                f"({LONGEST_JUDGED} at most). Split it, or parse without them."
            )


def _word_slices(batch: Sequence[Sentence]) -> Iterator[slice]:
    """Where the words of each sentence lie when all are laid end to end."""
    begin = 0
    for sentence in batch:
        yield slice(begin, begin + len(sentence))
        begin += len(sentence)
