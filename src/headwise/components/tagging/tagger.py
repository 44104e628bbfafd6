"""The tagger most users touch: train it, load it, tag with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headwise._native import tagging as native
from headwise.base.cores import cores
from headwise.base.errors import HeadwiseError
from headwise.base.limits import of_core
from headwise.components.scoring.calibration import UNFITTED_TAGS, TagCalibration
from headwise.components.scoring.word_view import WordViewConfig
from headwise.components.tagging.lexicon import LEXICON_TABLES, load_lexicon
from headwise.model import Stored, Table, Tensors
from headwise.model.schema import Bits, Field, FieldOrNothing, Length
from headwise.model.stored import Shapes
from headwise.treebank import Sentence
from headwise.treebank.probabilities import TAG, with_numbers
from headwise.treebank.streaming import BATCH_SENTENCES, Input, as_sentence, each_sentence, in_batches

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser
    from headwise.components.tagging.settings import TaggerSettings
    from headwise.learning.loop import Listener

COLUMNS = ("upos", "xpos", "feats")


@dataclass(frozen=True)
class TagSequence:
    """One way to tag a sentence."""

    tags: list[tuple[str, str, str]]
    """UPOS, XPOS and FEATS of every word."""
    score: float
    """The score of the sequence under the model."""


class Labels(NamedTuple):
    """The same by the numbers of tags in `TaggerConfig.tags`."""

    numbers: tuple[int, ...]
    score: float


class TagLattice:
    """The tags that each word of a sentence may have, and the scores of all trigrams of them."""

    def __init__(self, tags: list[list[tuple[str, str, str]]], scores: npt.NDArray[np.float64]) -> None:
        self.tags = tags
        """UPOS, XPOS and FEATS of the candidates of each word."""
        self._scores = scores
        self._widths = [len(word) for word in tags]
        firsts = np.cumsum([0, *self._widths])
        width_before, two_before = [1, *self._widths[:-1]], [1, 1, *self._widths[:-2]]
        places = [
            np.tile(np.arange(first, first + width), u * v)
            for first, width, u, v in zip(firsts, self._widths, width_before, two_before, strict=False)
        ]
        self._places = np.concatenate(places) if places else np.zeros(0, np.int64)

    @property
    def size(self) -> int:
        """The number of candidates of all words."""
        return sum(self._widths)

    def best(self, prices: npt.NDArray[np.float64] | None = None) -> tuple[list[int], float]:
        """The number of each word's candidate in the best sequence, and its score.

        ``prices``, one for each candidate of each word in order, are added to the scores; −inf forbids one.
        """
        scores = self._scores if prices is None else self._scores + prices[self._places]
        return native.viterbi(self._widths, scores)


@dataclass(frozen=True)
class TaggerConfig:
    """Everything about a tagger but its weights; stored in the header of the model file."""

    tags: list[Annotated[list[Field], Length(3)]]
    """UPOS, XPOS and FEATS of every tag."""
    columns: list[str]
    """The columns of these that the treebank uses; the others are left alone."""
    templates: list[str]
    bits: Bits
    scripts: list[FieldOrNothing]
    """The edit scripts of lemmas; empty where no lemmas were learned."""
    lemma_templates: list[str]
    lemma_bits: Bits
    words: WordViewConfig | None = None
    """How words are looked at; None: as sentences have them."""
    network_weight: Annotated[float, of_core("tagger.network_weight")] | None = None
    """What the log-probabilities of a pipeline's network are multiplied by; None: there is no network."""
    calibration: TagCalibration = UNFITTED_TAGS
    """What makes probabilities of its scores."""
    training: dict[str, Any] = field(default_factory=dict)
    """How the model was made: settings, data sizes, scores on the development set."""

    @property
    def judged_column(self) -> str:
        """The column whose probabilities are given: UPOS, or the first that the treebank uses."""
        return self.columns[0]

    def values(self, column: str) -> list[str]:
        """All that the column may hold."""
        return sorted({tag[COLUMNS.index(column)] for tag in self.tags})

    def tag_set(self) -> Sentence:
        """The tags as the native core takes them: a sentence with one "word" a tag."""
        upos, xpos, feats = ([tag[k] for tag in self.tags] for k in range(3))
        return Sentence.from_words(["|".join(tag) for tag in self.tags], upos=upos, xpos=xpos, feats=feats)

    def shape(self, tensors: Tensors) -> native.SequenceShape:
        words = self.words.view(tensors) if self.words else None
        return native.SequenceShape(self.tag_set(), self.templates, self.bits, words)

    def lemma_shape(self) -> native.SequenceShape:
        return native.SequenceShape(Sentence.from_words(self.scripts), self.lemma_templates, self.lemma_bits)


class Tagger(Stored):
    """A trained tagger of parts of speech, language-specific tags, morphological features and lemmas.

    The tag of a word is all of UPOS, XPOS and FEATS at once; the best sequence of tags is searched exactly
    over trigrams.

    Examples:
        >>> tagger = Tagger.train("train.conllu", dev="dev.conllu")   # doctest: +SKIP
        >>> tagger(["She", "saw", "it"]).upos                         # doctest: +SKIP
        ['PRON', 'VERB', 'PRON']
    """

    KIND = "tagger"
    CONFIG = TaggerConfig

    def __init__(self, config: TaggerConfig, tensors: Tensors, reader: Parser | None = None) -> None:
        """``reader`` is the parser whose network counts, for a tagger that has one."""
        self.config, self._tensors = config, tensors
        self.reader = reader if config.network_weight is not None else None
        tag_set = config.tag_set()
        self._native = native.Tagger(
            config.shape(tensors),
            load_lexicon(_under("tags.lexicon.", tensors), len(config.tags)),
            tensors["tags.weights"],
            tag_set,
            *(name in config.columns for name in COLUMNS),
        )
        if config.scripts:
            self._native.add_lemmas(
                config.lemma_shape(),
                load_lexicon(_under("lemmas.lexicon.", tensors), len(config.scripts)),
                tensors["lemmas.weights"],
                config.scripts,
            )

        if config.network_weight is not None:
            if reader is None:
                raise ValueError("this tagger reads the network of a pipeline, and is of use in one only")
            self._native.use_network(reader.native, config.network_weight)

    def with_network(self, reader: Parser | None, weight: float | None) -> Tagger:
        """The same tagger, which adds to its scores what a parser's network says of tags, times a weight."""
        return Tagger(replace(self.config, network_weight=weight), self._tensors, reader)

    def __reduce__(self) -> tuple[Any, ...]:
        tensors = {name: np.asarray(table) for name, table in self._tensors.items()}
        return type(self), (self.config, tensors, self.reader)

    def save(self, path: str | Path, *, coarseness: float | None = None) -> None:
        """Write a model file, as `headwise.model.Stored.save` does."""
        if self.reader is not None:
            raise HeadwiseError("this tagger reads the network of its pipeline: save the pipeline.")
        super().save(path, coarseness=coarseness)

    @classmethod
    def own_tables(cls, config: TaggerConfig, shapes: Shapes) -> dict[str, Table]:
        return {
            "tags.weights": Table.floats(1 << config.bits),
            "lemmas.weights": Table.floats(1 << config.lemma_bits),
            **{
                f"{labels}.lexicon.{name}": table
                for labels in ("tags", "lemmas")
                for name, table in LEXICON_TABLES.items()
            },
            **(config.words.tables() if config.words else {}),
        }

    @classmethod
    def made_of(cls, config: TaggerConfig, tensors: Tensors) -> Tagger:
        return cls(config, tensors)

    def parts(self) -> tuple[TaggerConfig, Tensors]:
        return self.config, self._tensors

    @classmethod
    def train(
        cls,
        train: str | Path | Iterable[Sentence],
        dev: str | Path | Iterable[Sentence] | None = None,
        *,
        settings: TaggerSettings | None = None,
        listener: Listener | None = None,
        **options: Any,
    ) -> Tagger:
        """Train a tagger on a treebank.

        ``options`` are fields of `headwise.components.tagging.TaggerSettings` (``learner="log-linear"``,
        ``epochs=5`` …) for callers who have no settings object at hand.
        """
        from headwise.components.tagging.settings import TaggerSettings
        from headwise.components.tagging.train import train_tagger

        if settings is not None and options:
            raise TypeError("give either settings or single options, not both")
        return train_tagger(train, dev, settings or TaggerSettings(**options), listener=listener)

    def __call__(self, sentence: Input) -> Sentence:
        return next(self.pipe([sentence]))

    def pipe(
        self, sentences: Iterable[Input], *, threads: int = 1, batch_size: int = BATCH_SENTENCES
    ) -> Iterator[Sentence]:
        """Tag a stream of sentences, in order. ``threads=0`` uses every core.

        Each comes back with the columns filled in that the tagger knows, everything else as it was read.
        The result does not depend on ``threads`` or ``batch_size``; both only trade memory for speed.
        """
        return in_batches(
            each_sentence(sentences),
            lambda batch: self.tag(batch, threads=cores(threads)),
            batch_size=batch_size,
            ahead=threads != 1,
        )

    def tag(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[Sentence]:
        """`pipe` for sentences that are all there."""
        return self._native.tag(list(sentences), threads)

    def confidence(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[npt.NDArray[np.float64]]:
        """Of tagged sentences: how probable the part of speech of each word is, whoever has chosen it.

        The treebank's own tags, where it has no UPOS. What `calibrated` has fitted makes it a probability.
        """
        fitted = self.config.calibration
        (found,) = self.probabilities_at(sentences, [fitted.temperature], threads=threads)
        alike = 1 / len(self.config.values(self.config.judged_column))
        mixed = (1 - fitted.background) * found + fitted.background * alike
        ends = np.cumsum([0, *map(len, sentences)])
        return [mixed[begin:end] for begin, end in pairwise(ends)]

    def noting_confidence(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[Sentence]:
        """Tagged sentences with TagProb in MISC; as they are where nothing was fitted, and in CoNLL-X."""
        if not self.config.calibration.is_fitted:
            return list(sentences)
        return [
            with_numbers(sentence, {TAG: numbers}) if sentence.format == "conllu" else sentence
            for sentence, numbers in zip(sentences, self.confidence(sentences, threads=threads), strict=True)
        ]

    def calibrated(
        self, sentences: Sequence[Sentence], *, fitted_on: str = "dev", threads: int = 1
    ) -> Tagger:
        """The same tagger, its probabilities fitted on sentences with gold tags that it has not learned from.

        As it was, where there are too few of them.
        """
        from headwise.components.confidence.tag_fitting import fit_tags

        fitted = fit_tags(self, sentences, fitted_on=fitted_on, threads=threads)
        return self if fitted is None else self.with_calibration(fitted)

    def with_calibration(self, calibration: TagCalibration) -> Tagger:
        return Tagger(replace(self.config, calibration=calibration), self._tensors, self.reader)

    def probabilities_at(
        self, sentences: Sequence[Sentence], temperatures: Sequence[float], *, threads: int = 1
    ) -> npt.NDArray[np.float64]:
        """[temperature, word]: how probable what the sentences have is, by the scores alone."""
        column = self.config.judged_column
        found = self._native.probabilities(list(sentences), column, list(temperatures), threads)
        return found.reshape(len(temperatures), -1)

    def top_k(self, sentence: Input, k: int) -> list[TagSequence]:
        """The k best tag sequences, best first; fewer where there are not so many."""
        return [
            TagSequence([self._tag(label) for label in labels], score)
            for labels, score in self._native.top_k(as_sentence(sentence), k)
        ]

    def detours(
        self, sentences: Sequence[Sentence], *, margin: float, most: int, threads: int = 1
    ) -> list[list[Labels]]:
        """Of each sentence the best tags and, for other tags of single words, the best sequences with them.

        Those that score at most ``margin`` less than the best, ``most`` of them, the best first.
        """
        found = self._native.detours(list(sentences), margin, most, threads)
        return [[Labels(tuple(labels), score) for labels, score in ways] for ways in found]

    def with_labels(
        self, sentences: Sequence[Sentence], labels: Sequence[Sequence[int]], *, threads: int = 1
    ) -> list[Sentence]:
        """The sentences with these tags, by their numbers in ``config.tags``, and with lemmas of them."""
        return self._native.with_labels(list(sentences), [list(numbers) for numbers in labels], threads)

    def score_labels(
        self, sentences: Sequence[Sentence], labels: Sequence[Sequence[int]], *, threads: int = 1
    ) -> list[float]:
        """What such tags score; −inf where a word has a tag that the tagger does not consider for it."""
        return self._native.score_labels(list(sentences), [list(numbers) for numbers in labels], threads)

    def marginals(self, sentence: Input) -> list[dict[tuple[str, str, str], float]]:
        """For each word, the probability of each of its possible tags, the most probable first.

        Probabilities are those of the log-linear model with these weights. Only the learner "log-linear"
        is trained to get them right; MIRA's are flatter, the perceptron's sharper than they should be.
        """
        return [
            {self._tag(label): p for label, p in sorted(word, key=lambda item: (-item[1], item[0]))}
            for word in self._native.marginals(as_sentence(sentence))
        ]

    def lattice(self, sentence: Input) -> TagLattice:
        """All tag sequences of a sentence with their scores, to be searched with other scores beside."""
        labels, scores = self._native.lattice(as_sentence(sentence))
        return TagLattice([[self._tag(label) for label in word] for word in labels], scores)

    def _tag(self, label: int) -> tuple[str, str, str]:
        upos, xpos, feats = self.config.tags[label]
        return upos, xpos, feats


def _under(prefix: str, tensors: Tensors) -> Tensors:
    return {name.removeprefix(prefix): array for name, array in tensors.items() if name.startswith(prefix)}
