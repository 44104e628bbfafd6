"""The parser most users touch: train it, load it, parse with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise.decoders import Decoder
from headwise.errors import HeadwiseError
from headwise.model import ModelError, read_model, write_model
from headwise.scoring.factorizations import Factorization
from headwise.streaming import BATCH_SENTENCES, Input, as_sentence, in_batches
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.display.drawing import Alternatives, Drawing
    from headwise.learning.loop import Listener
    from headwise.learning.settings import TrainingSettings
    from headwise.trees import Distribution

Weights = Mapping[str, npt.NDArray[np.float32]]
"""The weight tables of a parser: ``arcs`` (and larger parts), ``labels``; above first order ``pruner``."""


@dataclass(frozen=True, eq=False)
class Parse:
    """The tree found for one sentence."""

    sentence: Sentence
    heads: npt.NDArray[np.int32]
    """``heads[m - 1]`` is the head of word m; 0 is the root."""
    labels: list[str]
    """One label a word; ``_`` from an unlabelled parser."""
    score: float
    """The score of the tree under the model (without its labels, where they are found afterwards)."""
    exact: bool = True
    """Whether no tree of the kind that is searched, made of the arcs considered, scores higher."""
    limited: bool = False
    """Whether a limit decided which arcs were considered: above first order, in sentences of over 300 words
    arcs are pruned word by word and not by their probability in a tree."""

    def __len__(self) -> int:
        return len(self.heads)

    def to_sentence(self) -> Sentence:
        """The sentence with this tree in its HEAD and DEPREL columns, everything else as it was read."""
        return self.sentence.with_tree(self.heads, self.labels)

    def to_conllu(self) -> str:
        return str(self.to_sentence().to_conllu())

    def to_json(self) -> dict[str, Any]:
        """The sentence with this tree as a JSON document, as docs/json.md describes it."""
        from headwise.treebank import sentence_to_json

        return sentence_to_json(self.to_sentence())

    def drawing(
        self, *, confidence: Sequence[float] | None = None, alternatives: Alternatives | None = None
    ) -> Drawing:
        """The tree as something to draw; the arguments are those of `headwise.display.draw`."""
        from headwise.display import draw

        return draw(self.sentence, self.heads, self.labels, confidence=confidence, alternatives=alternatives)

    def to_svg(self) -> str:
        """The tree as an SVG file."""
        from headwise.display import to_svg

        return to_svg(self.drawing())

    def to_displacy(self) -> dict[str, Any]:
        """The tree as a dictionary for spaCy's ``displacy.render(…, style="dep", manual=True)``."""
        from headwise.display import to_displacy

        return to_displacy(self.drawing())

    def _repr_html_(self) -> str:
        """The tree as a notebook shows it."""
        from headwise.display import to_notebook

        return to_notebook(self.drawing())


@dataclass(frozen=True)
class PrunerConfig:
    """The first-order model whose probabilities say which arcs are scored in full."""

    templates: list[str]
    bits: int
    threshold: float
    most_heads: int


@dataclass(frozen=True)
class ParserConfig:
    """Everything about a parser but its weights; stored in the header of the model file."""

    labels: list[str]
    label_arcs: list[int]
    """The labels seen on arcs: (head tag, modifier tag, direction, label), one after the other."""
    label_mode: str
    projective: bool
    single_root: bool
    tags: list[str]
    """The coarse tags of the training data, and for each pair of them …"""
    arc_limits: list[int]
    """… the longest distances worth considering, flattened from (head tag, modifier tag, direction)."""
    arc_bits: int
    label_bits: int
    arc_templates: list[str]
    label_templates: list[str]
    factorization: Factorization = "arc"
    part_templates: dict[str, list[str]] = field(default_factory=dict)
    """Templates of the parts larger than an arc, by kind."""
    pruner: PrunerConfig | None = None
    """What decides which arcs larger parts are made of; None for a first-order parser."""
    decoder: str = Decoder.map.value
    """Which tree is given where the caller does not say."""
    training: dict[str, Any] = field(default_factory=dict)
    """How the model was made: settings, data sizes, scores on the development set."""

    def shape(self) -> native.ParserShape:
        return native.ParserShape(
            tags=self.tags,
            arc_limits=self.arc_limits,
            arc_templates=self.arc_templates,
            label_templates=self.label_templates,
            label_count=len(self.labels),
            label_arcs=self.label_arcs,
            label_mode=self.label_mode,
            projective=self.projective,
            single_root=self.single_root,
            arc_bits=self.arc_bits,
            label_bits=self.label_bits,
        )

    def pruner_shape(self) -> native.PrunerShape:
        assert self.pruner is not None
        return native.PrunerShape(
            tags=self.tags,
            arc_limits=self.arc_limits,
            templates=self.pruner.templates,
            bits=self.pruner.bits,
            projective=self.projective,
            single_root=self.single_root,
            threshold=self.pruner.threshold,
            most_heads=self.pruner.most_heads,
        )

    def higher_order_shape(self) -> native.HigherOrderShape:
        return native.HigherOrderShape(
            self.shape(),
            factorization=self.factorization,
            siblings=self.part_templates.get("sibling", []),
            tri_siblings=self.part_templates.get("tri_sibling", []),
            grandchildren=self.part_templates.get("grandchild", []),
            grand_siblings=self.part_templates.get("grand_sibling", []),
            pruner=self.pruner_shape(),
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ParserConfig:
        pruner = values.get("pruner")
        return cls(**{**values, "pruner": PrunerConfig(**pruner) if pruner else None})


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
            self._native = native.HigherOrderParser(
                config.higher_order_shape(), weights["arcs"], weights["labels"], weights["pruner"]
            )
        self._label_names = np.array([*config.labels, "_"], dtype=object)  # label -1 is "_"

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

    def pipe(
        self,
        sentences: Iterable[Input],
        *,
        threads: int = 1,
        batch_size: int = BATCH_SENTENCES,
        decoder: Decoder | str | None = None,
    ) -> Iterator[Parse]:
        """Parse a stream of sentences, in order. ``threads=0`` uses every core.

        ``decoder`` says which tree is wanted (:class:`headwise.decoders.Decoder`); None: the model's own.

        The result does not depend on ``threads`` or ``batch_size``; both only trade memory for speed.
        """
        work = partial(self.parse_batch, threads=threads, decoder=self._decoder(decoder))
        return in_batches(sentences, work, batch_size=batch_size, ahead=threads != 1)

    def parse_batch(
        self, batch: list[Sentence], *, threads: int = 1, decoder: Decoder | str | None = None
    ) -> list[Parse]:
        chosen = native.Decoder[self._decoder(decoder).name]
        heads, label_ids, scores, limited = self._native.parse(batch, threads or os.cpu_count() or 1, chosen)
        exact = self.config.projective or self.config.pruner is None
        labels = self._label_names[label_ids].tolist()
        parses, begin = [], 0
        for sentence, score, was_limited in zip(batch, scores.tolist(), limited.tolist(), strict=True):
            end = begin + len(sentence)
            parses.append(
                Parse(sentence, heads[begin:end], labels[begin:end], score, exact, bool(was_limited))
            )
            begin = end
        return parses

    def _decoder(self, decoder: Decoder | str | None) -> Decoder:
        chosen = Decoder(self.config.decoder if decoder is None else decoder)
        if chosen is Decoder.minimum_risk and self.config.pruner is not None and not self.config.projective:
            raise HeadwiseError(
                "minimum-risk decoding needs probabilities, which non-projective trees of higher order do "
                "not have. Train with --preset first or --trees projective, or decode with 'map'."
            )
        if chosen is Decoder.max_z and self.config.label_mode != "latent":
            raise HeadwiseError("the decoder max-z is for models with latent labels; decode with 'map'.")
        return chosen

    def arc_scores(self, sentence: Sentence) -> npt.NDArray[np.float64]:
        """``scores[h, m]`` of every arc; −inf where it is not considered."""
        size = len(sentence) + 1
        return self._native.arc_scores(sentence).reshape(size, size)

    def distribution(self, sentence: Input) -> Distribution:
        """All trees of the sentence under the model's scores: k-best, probabilities, samples and more.

        Scores of a model trained with MIRA or the perceptron are not calibrated log-probabilities: the
        ranking of trees is the model's, the probabilities are what its scores make of them.
        """
        from headwise.trees import Parts, ProjectiveTrees, SpanningTrees

        if self.config.pruner is not None and not self.config.projective:
            raise HeadwiseError(
                "no exact distribution over non-projective trees of higher order exists. "
                "Train with --preset first or --trees projective."
            )
        sentence = as_sentence(sentence)
        arcs = self.arc_scores(sentence)
        if isinstance(self._native, native.Parser):
            kind = ProjectiveTrees if self.config.projective else SpanningTrees
            return kind(arcs, single_root=self.config.single_root)
        tables: dict[str, Any] = {
            name: Parts(words.reshape(len(scores), -1), scores)
            for name, (words, scores) in self._native.part_scores(sentence).items()
        }
        return ProjectiveTrees(
            arcs, single_root=self.config.single_root, factorization=self.config.factorization, **tables
        )
