"""From running text to trees: a tokenizer, a tagger and a parser in one model file."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from headwise.model import ModelFile, Stored, Table, Tensors
from headwise.model.bundled import DEFAULT, model_path
from headwise.model.stored import Shapes
from headwise.parser.config import ParserConfig
from headwise.parser.decoders import DEFAULT_SEED
from headwise.parser.document import Document
from headwise.parser.parse import Parse
from headwise.parser.parser import Parser
from headwise.tagging.tagger import Tagger, TaggerConfig
from headwise.text.tokenizer import Tokenizer, TokenizerConfig
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.learning.loop import Listener
    from headwise.learning.settings import TrainingSettings
    from headwise.parser.decoders import Decoder
    from headwise.text.tokenizer import TextInput

JACKKNIFE = 5
"""The parser is trained on tags of taggers that have not seen the sentence; by default so many of them."""


@dataclass(frozen=True)
class PipelineConfig:
    """Those of its parts."""

    tokenizer: TokenizerConfig
    tagger: TaggerConfig
    parser: ParserConfig


_PARTS: dict[str, type[Stored]] = {"tokenizer": Tokenizer, "tagger": Tagger, "parser": Parser}
T = TypeVar("T")


class Pipeline(Stored):
    """A tokenizer, a tagger and a parser.

    >>> nlp = Pipeline.train("train.conllu", dev="dev.conllu")          # doctest: +SKIP
    >>> [parse.heads for parse in nlp("She reads. He listens.")]        # doctest: +SKIP
    """

    KIND = "pipeline"
    CONFIG = PipelineConfig

    def __init__(self, tokenizer: Tokenizer, tagger: Tagger, parser: Parser) -> None:
        self.tokenizer, self.tagger, self.parser = tokenizer, tagger, parser

    @classmethod
    def train(
        cls,
        train: list[Sentence],
        dev: list[Sentence] | None = None,
        *,
        settings: TrainingSettings | None = None,
        jackknife: int = JACKKNIFE,
        listener: Listener | None = None,
    ) -> Pipeline:
        """Train all three on one treebank; the parser learns from predicted tags, and is chosen by them."""
        from headwise.learning import Listener, TrainingSettings, train_parser
        from headwise.tagging import TaggerSettings, realistic_tags

        settings, listener = settings or TrainingSettings(), listener or Listener()
        listener.message("training the tokenizer")
        tokenizer = Tokenizer.train(train)
        listener.message("training the tagger")
        tagger_settings = TaggerSettings(
            seed=settings.seed, threads=settings.threads, clusters=settings.words.clusters
        )
        tagger = Tagger.train(train, dev, settings=tagger_settings)
        tagged = realistic_tags(train, dev, jackknife, tagger_settings, tagger=tagger, listener=listener)
        listener.message("training the parser")
        return cls(tokenizer, tagger, train_parser(*tagged, settings, listener=listener))

    def parts(self) -> tuple[PipelineConfig, Tensors]:
        config = PipelineConfig(self.tokenizer.config, self.tagger.config, self.parser.config)
        tensors: Tensors = {}
        for name in _PARTS:
            _, own = getattr(self, name).parts()
            tensors |= {f"{name}.{key}": tensor for key, tensor in own.items()}
        return config, tensors

    @classmethod
    def tables(cls, config: PipelineConfig, shapes: Shapes) -> dict[str, Table]:
        return {
            f"{name}.{key}": table
            for name, part in _PARTS.items()
            for key, table in part.tables(getattr(config, name), _of(name, shapes)).items()
        }

    @classmethod
    def made_of(cls, config: PipelineConfig, tensors: Tensors) -> Pipeline:
        return cls(
            Tokenizer.made_of(config.tokenizer, _of("tokenizer", tensors)),
            Tagger.made_of(config.tagger, _of("tagger", tensors)),
            Parser.made_of(config.parser, _of("parser", tensors)),
        )

    def __call__(self, text: str, *, confidence: bool = False) -> Document:
        """The parsed sentences of a text."""
        return next(self.pipe([text], confidence=confidence))

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
            options: as for :meth:`pipe_sentences`: ``threads``, ``decoder``, ``seed``, ``confidence``.
        """
        if isinstance(texts, str | bytes):
            raise TypeError("pipe takes many texts; for one, call the pipeline: nlp(text), or pipe([text])")
        read: deque[tuple[str, Any, int]] = deque()

        def sentences() -> Iterator[Sentence]:
            for given in texts:
                text, context = given if as_tuples else (given, None)
                if not isinstance(text, str):
                    raise TypeError(f"a text is a str, not {type(text).__name__}: {text!r:.40}")
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
    ) -> Iterator[Parse]:
        """Parse a stream of lines: running text, one sentence a line, or tokens between spaces."""
        sentences = self.read(lines, input=input)
        return self.pipe_sentences(
            sentences, threads=threads, decoder=decoder, seed=seed, confidence=confidence
        )

    def read(self, lines: Iterable[str], *, input: TextInput = "text") -> Iterator[Sentence]:
        """The sentences of a stream of lines, with their tokens and nothing else."""
        return self.tokenizer.pipe(lines, input=input)

    def tag(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Iterator[Sentence]:
        """Sentences as the parser reads them: with the tags of the tagger."""
        return self.tagger.pipe(sentences, threads=threads)

    def pipe_sentences(
        self,
        sentences: Iterable[Sentence],
        *,
        threads: int = 1,
        decoder: Decoder | str | None = None,
        seed: int = DEFAULT_SEED,
        confidence: bool = False,
    ) -> Iterator[Parse]:
        """Tag and parse sentences that are tokenized already; their tags and trees are replaced."""
        return self.parser.pipe(
            self.tag(sentences, threads=threads),
            threads=threads,
            decoder=decoder,
            seed=seed,
            confidence=confidence,
        )

    def k_best(self, text: str, k: int) -> list[list[Parse]]:
        """The k most probable trees of each sentence of a text (:meth:`headwise.Parser.k_best`)."""
        return list(self.pipe_k_best(io.StringIO(text), k))

    def pipe_k_best(
        self, lines: Iterable[str], k: int, *, input: TextInput = "text", threads: int = 1
    ) -> Iterator[list[Parse]]:
        """The same for a stream of lines."""
        tagged = self.tag(self.read(lines, input=input), threads=threads)
        return self.parser.pipe_k_best(tagged, k, threads=threads)


def _of(part: str, tables: Mapping[str, T]) -> dict[str, T]:
    """What belongs to one of the parts, by its name there."""
    prefix = f"{part}."
    return {name.removeprefix(prefix): table for name, table in tables.items() if name.startswith(prefix)}


def load(model: str | Path = DEFAULT) -> Pipeline | Parser:
    """Load a bundled model by its name (``"en"``), or a model file, whatever it holds."""
    path = model_path(model)
    return Pipeline.load(path) if ModelFile.open(path).kind == Pipeline.KIND else Parser.load(path)
