"""The component that parses Docs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import srsly
from spacy import util
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example

from headwise.base.errors import HeadwiseError
from headwise.components.parser.native_parses import LONGEST_JUDGED
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.model.stored import Stored
from headwise.pipeline.pipeline import Pipeline
from headwise.spacy.model import Model
from headwise.spacy.reading import Borders, read_doc
from headwise.spacy.scoring import score_docs
from headwise.spacy.writing import write_doc
from headwise.treebank import Sentence

Tags = Literal["auto", "doc", "model"]
"""Whose tags the parser reads; ``auto``: those of the model where it has a tagger, else those of the Doc."""


@dataclass(frozen=True)
class Options:
    """What the config of the component says, beside the model."""

    sentences: Borders = "auto"
    tags: Tags = "auto"
    confidence: bool = False
    k_best: int = 0
    decoder: str | None = None
    threads: int = 1


class HeadwiseParser(Pipe):
    """Gives Docs their trees, and with a pipeline as its model also tags, features and lemmas."""

    def __init__(
        self, model: str | Path | Stored | None = "en", name: str = "headwise", options: Options | None = None
    ) -> None:
        self.name = name
        self.options = options or Options()
        self._model = Model(model)

    @property
    def model(self) -> Parser | Pipeline:
        """The parser or the pipeline. Setting it puts another in its place."""
        loaded = self._model.loaded
        if not isinstance(loaded, Parser | Pipeline):
            raise HeadwiseError(f"the model is a {loaded.KIND}, where a parser or a pipeline is needed.")
        return loaded

    @model.setter
    def model(self, model: str | Path | Stored) -> None:
        self._model = Model(model)

    @property
    def _pipeline(self) -> Pipeline | None:
        model = self.model
        return model if isinstance(model, Pipeline) else None

    @property
    def _parser(self) -> Parser:
        model = self.model
        return model.parser if isinstance(model, Pipeline) else model

    def __call__(self, doc: Doc) -> Doc:
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """The Docs with their trees; the sentences of a batch go to the native core together."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            yield from self._annotated(batch)

    def _annotated(self, batch: list[Doc]) -> Iterator[Doc]:
        try:
            self._annotate(batch)
            yield from batch
        except Exception as error:
            if len(batch) == 1:
                self.get_error_handler()(self.name, self, batch, error)
                return
            for doc in batch:  # which of them is to blame?
                yield from self._annotated([doc])

    def _annotate(self, docs: Sequence[Doc]) -> None:
        pipeline, options = self._pipeline, self.options
        tagger = pipeline.tagger if pipeline and options.tags != "doc" else None
        if tagger is None and options.tags == "model":
            raise HeadwiseError(
                'the model is a parser alone and has no tagger; set "tags" to "auto" or "doc".'
            )
        tokenizer = pipeline.tokenizer if pipeline else None
        read = [read_doc(doc, options.sentences, tokenizer, with_tags=tagger is None) for doc in docs]
        sentences = [place.sentence for places in read for place in places]
        if tagger is not None:
            assert pipeline is not None
            sentences = list(pipeline.tag(sentences, threads=options.threads))
        columns = [] if tagger is None else list(tagger.config.columns)
        if tagger is not None and tagger.config.scripts:
            columns.append("lemmas")
        parses = iter(self._parse(sentences))
        ranked = iter(self._rank(sentences) if options.k_best else [])
        for doc, places in zip(docs, read, strict=True):
            count = len(places)
            write_doc(doc, places, list(islice(parses, count)), columns, list(islice(ranked, count)))

    def _parse(self, sentences: Sequence[Sentence]) -> list[Parse]:
        options = self.options
        judged = [options.confidence and len(sentence) <= LONGEST_JUDGED for sentence in sentences]
        if options.confidence and not all(judged):
            warnings.warn(
                f"{judged.count(False)} sentences of more than {LONGEST_JUDGED} words have no probabilities.",
                stacklevel=2,
            )

        def parsed(confidence: bool) -> Iterator[Parse]:
            chosen = [s for s, is_judged in zip(sentences, judged, strict=True) if is_judged == confidence]
            return self._parser.pipe(
                chosen, threads=options.threads, decoder=options.decoder, confidence=confidence
            )

        with_confidence, without = parsed(True), parsed(False)
        return [next(with_confidence if is_judged else without) for is_judged in judged]

    def _rank(self, sentences: Sequence[Sentence]) -> list[list[Parse]]:
        """The k best trees of each sentence; none of one that is too long to have probabilities."""
        short = [sentence for sentence in sentences if len(sentence) <= LONGEST_JUDGED]
        ranked = self._parser.pipe_k_best(short, self.options.k_best, threads=self.options.threads)
        return [next(ranked) if len(sentence) <= LONGEST_JUDGED else [] for sentence in sentences]

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Scores for ``nlp.evaluate``."""
        return score_docs(examples, **options)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """A folder with the model in it."""
        writers: dict[str, Callable[[Path], None]] = {
            "cfg": lambda p: srsly.write_json(p, asdict(self.options)),
            "model.hw": self._model.save,
        }
        util.to_disk(path, writers, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> HeadwiseParser:
        def read_options(file: Path) -> None:
            self.options = Options(**srsly.read_json(file))

        def read_model(file: Path) -> None:
            self._model = Model(file)

        util.from_disk(path, {"cfg": read_options, "model.hw": read_model}, exclude)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        writers: dict[str, Callable[[], Any]] = {
            "cfg": lambda: asdict(self.options),
            "model.hw": self._model.to_bytes,
        }
        return bytes(util.to_bytes(writers, exclude))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> HeadwiseParser:
        def read_options(options: dict[str, Any]) -> None:
            self.options = Options(**options)

        def read_model(body: bytes) -> None:
            self._model = Model.from_bytes(body)

        readers: dict[str, Callable[[Any], None]] = {"cfg": read_options, "model.hw": read_model}
        util.from_bytes(data, readers, exclude)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """For processes that spaCy starts."""
        return _restored, (self._model, self.name, self.options)


def _restored(model: Model, name: str, options: Options) -> HeadwiseParser:
    component = HeadwiseParser(None, name, options)
    component._model = model
    return component
