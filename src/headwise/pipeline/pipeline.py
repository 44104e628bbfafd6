"""From running text to trees: a tokenizer, a tagger and a parser in one model file."""

from __future__ import annotations

import io
import math
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from headwise.base.lazy import door
from headwise.base.seed import DEFAULT_SEED
from headwise.components.parser.config import ParserConfig
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.tagging.joint.config import JointTagsConfig
from headwise.components.tagging.tagger import Tagger, TaggerConfig
from headwise.components.text.tokenizer import Tokenizer, TokenizerConfig
from headwise.model import ModelFile, Stored, Table, Tensors
from headwise.model.bundled import DEFAULT, model_path
from headwise.model.stored import KINDS, Shapes, kind_of, of_part
from headwise.pipeline.document import Document
from headwise.treebank import Sentence
from headwise.treebank.streaming import BATCH_SENTENCES, Input, each_sentence, in_batches

if TYPE_CHECKING:
    from headwise.components.parser.decoders import Decoder
    from headwise.components.tagging.joint.choice import Choice
    from headwise.components.text.tokenizer import TextInput
    from headwise.learning.choices import JointCandidates, JointLearner, JointTags
    from headwise.learning.loop import Listener
    from headwise.training.settings import TrainingSettings

JACKKNIFE = 5
"""The parser is trained on tags of taggers that have not seen the sentence; by default so many of them."""
REWRITTEN = 0.15
"""The share of sentences that tagger and parser learn in lower case, in capitals or without a full stop."""


@dataclass(frozen=True)
class PipelineConfig:
    """Those of its parts."""

    tokenizer: TokenizerConfig
    tagger: TaggerConfig
    parser: ParserConfig
    joint_tags: JointTagsConfig | None = None
    """How tags are chosen together with trees; None: by the tagger alone."""


JOINT_WEIGHTS = "joint_tags.weights"
"""The table of weights of tags in trees."""
_PARTS: dict[str, type[Stored]] = {"tokenizer": Tokenizer, "tagger": Tagger, "parser": Parser}


class Pipeline(Stored):
    """A tokenizer, a tagger and a parser.

    Examples:
        >>> nlp = Pipeline.train("train.conllu", dev="dev.conllu")          # doctest: +SKIP
        >>> [parse.heads for parse in nlp("She reads. He listens.")]        # doctest: +SKIP
    """

    KIND = "pipeline"
    CONFIG = PipelineConfig

    def __init__(
        self,
        tokenizer: Tokenizer,
        tagger: Tagger,
        parser: Parser,
        joint_tags: JointTagsConfig | None = None,
        joint_weights: npt.NDArray[np.float32] | None = None,
    ) -> None:
        weight = tagger.config.network_weight
        if weight is not None and tagger.reader is not parser:
            tagger = tagger.hearing(parser, weight)  # one network, which reads a sentence once for both
        self.tokenizer, self.tagger, self.parser = tokenizer, tagger, parser
        self.joint_tags, self.joint_weights = joint_tags, joint_weights

    def with_joint_tags(
        self, config: JointTagsConfig | None, weights: npt.NDArray[np.float32] | None = None
    ) -> Pipeline:
        """The same models, with tags chosen so; None: by the tagger alone."""
        return Pipeline(self.tokenizer, self.tagger, self.parser, config, weights)

    def calibrated(self, sentences: Sequence[Sentence], *, threads: int = 1) -> Pipeline:
        """The same models, probabilities of tags, heads and labels fitted on sentences new to them."""
        tagger = self.tagger.calibrated(sentences, threads=threads)
        parser = self.parser.calibrated(list(self.tag(sentences, threads=threads)), threads=threads)
        return Pipeline(self.tokenizer, tagger, parser, self.joint_tags, self.joint_weights)

    def with_network_bits(self, bits: int) -> Pipeline:
        parser = self.parser.with_network_bits(bits)
        if parser is self.parser:
            return self
        return Pipeline(self.tokenizer, self.tagger, parser, self.joint_tags, self.joint_weights)

    @classmethod
    def train(
        cls,
        train: str | Path | Iterable[Sentence],
        dev: str | Path | Iterable[Sentence] | None = None,
        *,
        settings: TrainingSettings | None = None,
        jackknife: int = JACKKNIFE,
        rewrite: float = REWRITTEN,
        text: str | Path | None = None,
        gold_tags_too: bool = False,
        joint_tags: JointTags | None = None,
        joint_candidates: JointCandidates = "margin",
        joint_learner: JointLearner | None = None,
        listener: Listener | None = None,
        model_path: str | Path | None = None,
        resume: bool = False,
        **options: Any,
    ) -> Pipeline:
        """Train a tokenizer, a tagger and a parser on one treebank: a file, or sentences.

        The parser learns from predicted tags, and its best epoch on ``dev`` is chosen by them. A pipeline
        that is interrupted (Ctrl-C) has all three parts, the later ones as far as there was time for them.

        Args:
            jackknife: how many taggers tag the training data, each a part that it has not seen.
            rewrite: the share of sentences that tagger and parser learn as people type them: in lower case,
                in capitals, without a full stop (`headwise.treebank.rewriting`); and of paragraphs that the
                tokenizer learns in lower case or in capitals.
            text: a file of running text of the language, to learn spacing from where the treebank does not
                say where spaces are.
            gold_tags_too: whether the parser learns from every sentence twice, with predicted tags and with
                the treebank's.
            joint_tags: how tags are chosen together with trees; None: by the tagger alone.
            joint_candidates: which tags are considered (docs/joint-tags.md).
            joint_learner: learns which tags go with which trees, for climbing; about four times as long.
            model_path: where the model is going to be. The state of the training of its network and of its
                parser is kept beside it until both are there.
            resume: go on from that state. Tokenizer and taggers are trained anew, to the same bytes.
            options: a ``preset`` (without one, by the size of the treebank) and fields of
                `headwise.training.TrainingSettings`, for callers who have no ``settings`` at hand.
        """
        trained: Pipeline = door("headwise.training.doors:trained_pipeline")(
            train,
            dev,
            settings,
            listener,
            options,
            jackknife=jackknife,
            rewrite=rewrite,
            text=text,
            gold_tags_too=gold_tags_too,
            joint_tags=joint_tags,
            joint_candidates=joint_candidates,
            joint_learner=joint_learner,
            model_path=model_path,
            resume=resume,
        )
        return trained

    def parts(self) -> tuple[PipelineConfig, Tensors]:
        config = PipelineConfig(
            self.tokenizer.config, self.tagger.config, self.parser.config, self.joint_tags
        )
        tensors: Tensors = {}
        for name in _PARTS:
            _, own = getattr(self, name).parts()
            tensors |= {f"{name}.{key}": tensor for key, tensor in own.items()}
        if self.joint_weights is not None:
            tensors[JOINT_WEIGHTS] = self.joint_weights
        return config, tensors

    @classmethod
    def tables(cls, config: PipelineConfig, shapes: Shapes) -> dict[str, Table]:
        joint = config.joint_tags
        return {
            f"{name}.{key}": table
            for name, part in _PARTS.items()
            for key, table in part.tables(getattr(config, name), of_part(name, shapes)).items()
        } | ({JOINT_WEIGHTS: Table.floats(1 << joint.bits)} if joint and joint.bits else {})

    @classmethod
    def in_steps(cls, config: PipelineConfig, tensors: Tensors, coarseness: float) -> Tensors:
        made = Parser.in_steps(config.parser, of_part("parser", tensors), coarseness)
        return {f"parser.{name}": table for name, table in made.items()}

    @classmethod
    def made_of(cls, config: PipelineConfig, tensors: Tensors) -> Pipeline:
        parser = Parser.made_of(config.parser, of_part("parser", tensors))
        return cls(
            Tokenizer.made_of(config.tokenizer, of_part("tokenizer", tensors)),
            Tagger(config.tagger, of_part("tagger", tensors), parser),
            parser,
            config.joint_tags,
            tensors[JOINT_WEIGHTS] if config.joint_tags and config.joint_tags.bits else None,
        )

    def __call__(
        self,
        text: str,
        *,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        confidence: bool = False,
    ) -> Document:
        """The parsed sentences of a text; the options are those of `pipe`."""
        return next(self.pipe([text], decoder=decoder, seed=seed, confidence=confidence))

    @overload
    def pipe(
        self, texts: Iterable[str], *, as_tuples: Literal[False] = False, **options: Any
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self, texts: Iterable[tuple[str, Any]], *, as_tuples: Literal[True], **options: Any
    ) -> Iterator[tuple[Document, Any]]: ...
    def pipe(self, texts: Iterable[Any], *, as_tuples: bool = False, **options: Any) -> Iterator[Any]:
        """Parse texts: a document for each, in their order.

        Args:
            texts: texts, or, with ``as_tuples``, pairs of a text and anything that is to come back with it.
            options: as for `pipe_sentences`: ``threads``, ``batch_size``, ``decoder``, ``seed``,
                ``confidence``.
        """
        if isinstance(texts, str | bytes):
            raise TypeError("pipe takes many texts; for one, call the pipeline: nlp(text), or pipe([text])")
        if not isinstance(texts, Iterable):
            raise TypeError(f"pipe takes many texts, not {type(texts).__name__}: {texts!r:.40}")
        read: deque[tuple[str, Any, int]] = deque()

        def sentences() -> Iterator[Sentence]:
            for given in texts:
                one, context = _pair(given) if as_tuples else (given, None)
                text = check_text(one)
                found = self.tokenizer(text)
                read.append((text, context, len(found)))
                yield from found

        def finished(parses: list[Parse]) -> Iterator[Any]:
            """The documents that are complete with these parses, which are then taken out."""
            while read and len(parses) >= read[0][2]:
                text, context, count = read.popleft()
                document = Document(text, parses[:count])
                del parses[:count]
                yield (document, context) if as_tuples else document

        def documents() -> Iterator[Any]:
            waiting: list[Parse] = []
            for parse in self.pipe_sentences(sentences(), **options):
                waiting.append(parse)
                yield from finished(waiting)
            yield from finished(waiting)

        return documents()

    def pipe_lines(
        self,
        lines: Iterable[str],
        *,
        input: TextInput = "text",
        threads: int = 1,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        confidence: bool = False,
        batch_size: int = BATCH_SENTENCES,
    ) -> Iterator[Parse]:
        """Parse a stream of lines: running text, one sentence a line, or tokens between spaces."""
        return self.pipe_sentences(
            self.read(lines, input=input),
            threads=threads,
            decoder=decoder,
            seed=seed,
            confidence=confidence,
            batch_size=batch_size,
        )

    def read(
        self, lines: Iterable[str], *, input: TextInput = "text", offsets: bool = False, first: int = 1
    ) -> Iterator[Sentence]:
        """The sentences of a stream of lines, with their tokens and nothing else (`Tokenizer.pipe`)."""
        return self.tokenizer.pipe(lines, input=input, offsets=offsets, first=first)

    def tag(
        self,
        sentences: Iterable[Input],
        *,
        threads: int = 1,
        batch_size: int = BATCH_SENTENCES,
        confidence: bool = False,
        proofs: deque[bool] | None = None,
    ) -> Iterator[Sentence]:
        """Sentences as the parser reads them: with the tags of the tagger, or those chosen with trees.

        With ``confidence``, MISC says how probable each is (`Tagger.with_confidence`). Where tags are chosen
        with trees, ``proofs`` gets for each whether they are proved to be the best.
        """
        if self.joint_tags is None:
            tagged = self.tagger.pipe(sentences, threads=threads, batch_size=batch_size)
        else:
            tagged = _noting(self.choose_tags(sentences, threads=threads, batch_size=batch_size), proofs)
        options = {"threads": threads, "batch_size": batch_size}
        return self.tagger.with_confidence(tagged, **options) if confidence else tagged

    def choose_tags(
        self, sentences: Iterable[Input], *, threads: int = 1, batch_size: int = BATCH_SENTENCES
    ) -> Iterator[Choice]:
        """The same with whether the tags are proved to be the best with trees, where they are chosen so."""
        from headwise.components.tagging.joint.ways import tag_chooser

        if self.joint_tags is None:
            raise ValueError("this pipeline's tags are chosen by its tagger alone")
        cores = threads or os.cpu_count() or 1
        chooser = tag_chooser(self.joint_tags, self.tagger, self.parser, self.joint_weights)
        return in_batches(
            each_sentence(sentences),
            lambda batch: chooser.choose(batch, threads=cores),
            batch_size=batch_size,
            ahead=threads != 1,
        )

    def pipe_sentences(
        self,
        sentences: Iterable[Input],
        *,
        threads: int = 1,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        confidence: bool = False,
        batch_size: int = BATCH_SENTENCES,
    ) -> Iterator[Parse]:
        """Tag and parse sentences that are split into words already, such as lists of words.

        Their tags and trees are replaced. The result does not depend on ``threads`` or ``batch_size``. Where
        tags are chosen with trees, a parse is ``exact`` if that is proved of both.
        """
        options: dict[str, Any] = {"decoder": decoder, "seed": seed, "confidence": confidence}
        if self.joint_tags is None:
            tagged = self.tag(sentences, threads=threads, batch_size=batch_size, confidence=confidence)
            return self.parser.pipe(tagged, threads=threads, batch_size=batch_size, **options)
        is_plain = options == {"decoder": None, "seed": DEFAULT_SEED, "confidence": False}
        choices = self.choose_tags(sentences, threads=threads, batch_size=batch_size)

        def work(batch: list[Choice]) -> list[Parse]:
            found = [choice.parse if is_plain else None for choice in batch]
            others = [choice.sentence for choice, parse in zip(batch, found, strict=True) if parse is None]
            if confidence:
                others = list(self.tagger.with_confidence(others, threads=threads))
            parsed = iter(list(self.parser.pipe(others, threads=threads, **options)) if others else ())
            return [
                with_proof(next(parsed) if parse is None else parse, choice.exact)
                for choice, parse in zip(batch, found, strict=True)
            ]

        return in_batches(choices, work, batch_size=batch_size, ahead=threads != 1)

    def k_best(self, text: str, k: int) -> list[list[Parse]]:
        """The k most probable trees of each sentence of a text (`headwise.Parser.k_best`)."""
        check_text(text)
        return list(self.pipe_k_best(io.StringIO(text), k))

    def pipe_k_best(
        self, lines: Iterable[str], k: int, *, input: TextInput = "text", threads: int = 1
    ) -> Iterator[list[Parse]]:
        """The same for a stream of lines."""
        tagged = self.tag(self.read(lines, input=input), threads=threads, confidence=True)
        return self.parser.pipe_k_best(tagged, k, threads=threads)


def _noting(choices: Iterable[Choice], proofs: deque[bool] | None) -> Iterator[Sentence]:
    for choice in choices:
        if proofs is not None:
            proofs.append(choice.exact)
        yield choice.sentence


def with_proof(parse: Parse, tags_are_exact: bool) -> Parse:
    """The parse of tags that were chosen with trees, given whether they are proved to be the best."""
    return parse if tags_are_exact else replace(parse, exact=False, gap=math.inf)


def check_text(text: object) -> str:
    """TypeError, with what to do, for what is no text."""
    if isinstance(text, str):
        return text
    remedy = ""
    if isinstance(text, Sentence) or (isinstance(text, list | tuple) and text and isinstance(text[0], str)):
        remedy = ". For lists of words: nlp.pipe_sentences([words]); for several texts: nlp.pipe(texts)"
    elif text is None or isinstance(text, float):
        remedy = ". Leave missing values out, or put an empty text in their place"
    raise TypeError(f"a text is a str, not {type(text).__name__}: {text!r:.40}{remedy}")


def _pair(given: object) -> tuple[object, Any]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise TypeError(f"with as_tuples, each item is a pair of a text and its context, not {given!r:.40}")
    return given[0], given[1]


def load(model: str | Path = DEFAULT) -> Pipeline | Parser:
    """Load a bundled model by its name (``"en"``), or a model file, whatever it holds."""
    return load_opened(ModelFile.open(model_path(model)))


def load_opened(file: ModelFile) -> Pipeline | Parser:
    """The same for a file whose header was read already."""
    kind = kind_of(file) if file.kind in KINDS else Parser
    chosen: type[Pipeline | Parser] = kind if issubclass(kind, Pipeline | Parser) else Parser
    return chosen.load(file)
