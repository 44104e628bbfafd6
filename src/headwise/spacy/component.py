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
from headwise.base.seed import DEFAULT_SEED
from headwise.components.parser.flow import Flow
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.parser.search import Search
from headwise.components.parser.search import Tags as SearchTags
from headwise.model.stored import Stored
from headwise.pipeline.pipeline import Pipeline
from headwise.spacy.model import Model
from headwise.spacy.reading import Borders, read_doc
from headwise.spacy.scoring import score_docs
from headwise.spacy.writing import write_doc

Tags = Literal["auto", "doc", "model"]
"""Whose tags the parser reads; ``auto``: those of the Doc where a sentence has them, else the model's."""
_TAGS: dict[Tags, SearchTags] = {"auto": "keep", "doc": "given", "model": "replace"}
"""The same as a `headwise.Search` says it."""


@dataclass(frozen=True)
class Options:
    """What the config of the component says, beside the model."""

    sentences: Borders = "auto"
    tags: Tags = "auto"
    confidence: bool = False
    k_best: int = 0
    decoder: str | None = None
    threads: int = 1
    seed: int = DEFAULT_SEED

    @property
    def search(self) -> Search:
        """What is wanted of sentences."""
        return Search(
            decoder=self.decoder,
            seed=self.seed,
            tags=_TAGS[self.tags],
            confidence=self.confidence,
            threads=self.threads,
        )

    @property
    def ranking(self) -> Search:
        """The same of their k best trees, once they have tags."""
        return Search(k=self.k_best, tags="given", threads=self.threads)


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
        model, options = self.model, self.options
        flow, with_tags = model.flow(options.search), options.tags != "model"
        read = [read_doc(doc, options.sentences, model.tokenizer, with_tags=with_tags) for doc in docs]
        places = [place for own in read for place in own]
        parses = list(flow.parses([place.sentence for place in places]))
        ranked = iter(self._rank(parses) if options.k_best else [])
        _warn_of_limits(flow)
        found = iter(parses)
        for doc, own in zip(docs, read, strict=True):
            count = len(own)
            is_tagged = not all(flow.tagging.keeps(place.sentence) for place in own)
            columns = _columns(model) if is_tagged else []
            write_doc(doc, own, list(islice(found, count)), columns, list(islice(ranked, count)))

    def _rank(self, parses: Sequence[Parse]) -> list[list[Parse]]:
        """The k best trees of each sentence; none of one that is too long to have probabilities."""
        rows = self.model.flow(self.options.ranking).rows([parse.sentence for parse in parses])
        return [[parse for parse in row if not parse.left_out] for row in rows]

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


def _columns(model: Parser | Pipeline) -> list[str]:
    """What its tagger fills in."""
    if model.tagger is None:
        return []
    config = model.tagger.config
    return [*config.columns, *(["lemmas"] if config.scripts else [])]


def _warn_of_limits(flow: Flow) -> None:
    if count := flow.left_out["probabilities"]:
        message = f"{count} sentences of more than {flow.search.longest} words have no probabilities."
        warnings.warn(message, stacklevel=2)


def _restored(model: Model, name: str, options: Options) -> HeadwiseParser:
    component = HeadwiseParser(None, name, options)
    component._model = model
    return component
