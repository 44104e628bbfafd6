"""From running text to trees: a tokenizer, a tagger and a parser in one model file."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Unpack, overload

import numpy as np
import numpy.typing as npt

from headwise.base.lazy import door
from headwise.components.parser.config import ParserConfig
from headwise.components.parser.flow import Flow, Row
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.parser.search import RankingOptions, Search, SearchOptions
from headwise.components.tagging.joint.config import JointTagsConfig
from headwise.components.tagging.tagger import Tagger, TaggerConfig
from headwise.components.text.tokenizer import Tokenizer, TokenizerConfig
from headwise.model import ModelFile, Stored, Table, Tensors
from headwise.model.bundled import DEFAULT, model_path
from headwise.model.stored import KINDS, Shapes, kind_of, of_part
from headwise.pipeline.document import Document
from headwise.pipeline.tagging import TagsOfSentences
from headwise.treebank import Sentence
from headwise.treebank.streaming import Input, each_sentence

if TYPE_CHECKING:
    from headwise.components.text.tokenizer import TextInput
    from headwise.learning.loop import Listener
    from headwise.training.pipeline_settings import PipelineSettings
    from headwise.training.settings import TrainingSettings


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


class Pipeline(Stored):
    """A tokenizer, a tagger and a parser.

    Examples:
        >>> nlp = Pipeline.train("train.conllu", dev="dev.conllu")          # doctest: +SKIP
        >>> [parse.heads for parse in nlp("She reads. He listens.")]        # doctest: +SKIP
    """

    KIND = "pipeline"
    CONFIG = PipelineConfig
    PARTS: ClassVar[Mapping[str, type[Stored]]] = {"tokenizer": Tokenizer, "tagger": Tagger, "parser": Parser}

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
            tagger = tagger.with_network(parser, weight)  # one network, which reads a sentence once for both
        self.tokenizer, self.tagger, self.parser = tokenizer, tagger, parser
        self.joint_tags, self.joint_weights = joint_tags, joint_weights

    def __repr__(self) -> str:
        chosen = f", tags chosen with trees ({self.joint_tags.way})" if self.joint_tags else ""
        return (
            f"<Pipeline: tokenizer, tagger of {len(self.tagger.config.tags):,} tags, {self.parser!r}{chosen}>"
        )

    def with_parser(self, parser: Parser) -> Pipeline:
        """The same tokenizer and tagger with another parser behind them."""
        return Pipeline(self.tokenizer, self.tagger, parser, self.joint_tags, self.joint_weights)

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
        return self if parser is self.parser else self.with_parser(parser)

    @classmethod
    def train(
        cls,
        train: str | Path | Iterable[Sentence],
        dev: str | Path | Iterable[Sentence] | None = None,
        *,
        settings: TrainingSettings | None = None,
        how: PipelineSettings | None = None,
        listener: Listener | None = None,
        model_path: str | Path | None = None,
        resume: bool = False,
        **options: Any,
    ) -> Pipeline:
        """Train a tokenizer, a tagger and a parser on one treebank: a file, or sentences.

        The parser learns from predicted tags, and its best epoch on ``dev`` is chosen by them. A pipeline
        that is interrupted (Ctrl-C) has all three parts, the later ones as far as there was time for them.

        Args:
            how: what there is to choose beside the parser: how tags are made for training, raw text of the
                language, tags that are chosen together with trees (docs/reference/settings.md).
            model_path: where the model is going to be. The state of the training of its network and of its
                parser is kept beside it until both are there.
            resume: go on from that state. Tokenizer and taggers are trained anew, to the same bytes.
            options: a ``preset`` (without one, by the size of the treebank) and fields of
                `headwise.training.TrainingSettings`, for callers who have no ``settings`` at hand; and
                fields of `headwise.training.PipelineSettings`, such as ``jackknife`` or ``text``.
        """
        trained: Pipeline = door("headwise.training.doors:trained_pipeline")(
            train,
            dev,
            settings,
            how,
            listener,
            options,
            model_path=model_path,
            resume=resume,
        )
        return trained

    def parts(self) -> tuple[PipelineConfig, Tensors]:
        config = PipelineConfig(
            self.tokenizer.config, self.tagger.config, self.parser.config, self.joint_tags
        )
        tensors = self.tensors_of_parts()
        if self.joint_weights is not None:
            tensors[JOINT_WEIGHTS] = self.joint_weights
        return config, tensors

    @classmethod
    def own_tables(cls, config: PipelineConfig, shapes: Shapes) -> dict[str, Table]:
        joint = config.joint_tags
        return {JOINT_WEIGHTS: Table.of(np.float32, 1 << joint.bits)} if joint and joint.bits else {}

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

    def flow(self, search: Search | None = None, **options: Unpack[SearchOptions]) -> Flow:
        """The way of sentences through the pipeline: all other verbs that parse are short for this one.

        What is wanted is a `headwise.Search`, or keywords that are its fields.
        """
        wanted = Search.of(search, options)
        return Flow(self.parser, wanted, TagsOfSentences(self, wanted))

    def __call__(self, text: str, search: Search | None = None, **options: Unpack[SearchOptions]) -> Document:
        """The parsed sentences of a text."""
        return next(self.pipe([text], search, **options))

    @overload
    def pipe(
        self,
        texts: Iterable[str],
        search: Search | None = None,
        *,
        as_tuples: Literal[False] = False,
        **options: Unpack[SearchOptions],
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str, Any]],
        search: Search | None = None,
        *,
        as_tuples: Literal[True],
        **options: Unpack[SearchOptions],
    ) -> Iterator[tuple[Document, Any]]: ...
    def pipe(
        self,
        texts: Iterable[Any],
        search: Search | None = None,
        *,
        as_tuples: bool = False,
        **options: Unpack[SearchOptions],
    ) -> Iterator[Any]:
        """Parse texts: a document for each, in their order.

        Args:
            texts: texts, or, with ``as_tuples``, pairs of a text and anything that is to come back with it.
            search: what is wanted; keywords stand for its fields.
        """
        if isinstance(texts, str | bytes):
            raise TypeError("pipe takes many texts; for one, call the pipeline: nlp(text), or pipe([text])")
        if not isinstance(texts, Iterable):
            raise TypeError(f"pipe takes many texts, not {type(texts).__name__}: {texts!r:.40}")
        flow = self.flow(search, **options)
        read: deque[tuple[str, Any, int]] = deque()

        def sentences() -> Iterator[Sentence]:
            for given in texts:
                one, context = _pair(given) if as_tuples else (given, None)
                text = check_text(one)
                found = self.tokenizer(text)
                read.append((text, context, len(found)))
                yield from found

        def finished(rows: list[Row]) -> Iterator[Any]:
            """The documents that are complete with these rows, which are then taken out."""
            while read and len(rows) >= read[0][2]:
                text, context, count = read.popleft()
                document = Document(text, [row[0] for row in rows[:count] if row])
                del rows[:count]
                yield (document, context) if as_tuples else document

        def documents() -> Iterator[Any]:
            waiting: list[Row] = []
            for row in flow.rows(sentences()):
                waiting.append(row)
                yield from finished(waiting)
            yield from finished(waiting)

        return documents()

    def pipe_lines(
        self,
        lines: Iterable[str],
        search: Search | None = None,
        *,
        input: TextInput = "text",
        **options: Unpack[SearchOptions],
    ) -> Iterator[Parse]:
        """Parse a stream of lines: running text, one sentence a line, or tokens between spaces."""
        return self.pipe_sentences(self.read(lines, input=input), search, **options)

    def read(
        self, lines: Iterable[str], *, input: TextInput = "text", offsets: bool = False, first: int = 1
    ) -> Iterator[Sentence]:
        """The sentences of a stream of lines, with their tokens and nothing else (`Tokenizer.pipe`)."""
        return self.tokenizer.pipe(lines, input=input, offsets=offsets, first=first)

    def tag(
        self, sentences: Iterable[Input], search: Search | None = None, **options: Unpack[SearchOptions]
    ) -> Iterator[Sentence]:
        """Sentences as the parser reads them: with the tags of the tagger, or those chosen with trees.

        Tags that they have are replaced. With ``confidence``, MISC says how probable each is (TagProb).
        """
        return self.flow(Search.of(search, options, tags="replace")).tagged(each_sentence(sentences))

    def pipe_sentences(
        self, sentences: Iterable[Input], search: Search | None = None, **options: Unpack[SearchOptions]
    ) -> Iterator[Parse]:
        """Parse sentences that are split into words already, such as lists of words.

        Their trees are replaced; tags only with ``tags="replace"``, or where a word has none (`Search.tags`).
        Where tags are chosen with trees, a parse is ``exact`` if that is proved of both.
        """
        return self.flow(search, **options).parses(sentences)

    def k_best(self, text: str, k: int) -> list[list[Parse]]:
        """The k most probable trees of each sentence of a text (`headwise.Parser.k_best`)."""
        check_text(text)
        return list(self.pipe_k_best(io.StringIO(text), k))

    def pipe_k_best(
        self,
        lines: Iterable[str],
        k: int,
        search: Search | None = None,
        *,
        input: TextInput = "text",
        **options: Unpack[RankingOptions],
    ) -> Iterator[list[Parse]]:
        """The same for a stream of lines."""
        return self.flow(Search.of(search, options, k=k)).rows(self.read(lines, input=input))


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
