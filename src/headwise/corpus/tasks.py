"""What is done with the shards of a corpus: they are parsed, or their words are counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from headwise.components.parser.parse import Parse
from headwise.corpus.inputs import InputFile
from headwise.corpus.model import CorpusModel, WordFinder
from headwise.corpus.options import CorpusOptions
from headwise.corpus.passages import Passage, TextPassage
from headwise.treebank import Sentence
from headwise.treebank.parquet.columns import Place


class Task(Protocol):
    """What engines know of the work: it makes results of passages.

    It goes to other processes and machines by pickling, and then loads its model there, by its name.
    """

    options: CorpusOptions
    model: str
    """What the model is called; empty where there is none."""
    makes_sentences: bool
    """Whether a result is a sentence, to be counted as one."""

    def digest(self) -> str:
        """SHA-256 of the model file; empty where there is none."""
        ...

    def check(self, files: Iterable[InputFile]) -> None:
        """An error where the model cannot do what is asked."""
        ...

    def results(self, passages: Iterable[Passage]) -> Iterator[tuple[Any, Place, Passage]]:
        """What is made of the passages, in order, each with its place and the passage it comes from."""
        ...


class Parsing:
    """Text and treebanks become trees."""

    makes_sentences = True

    def __init__(self, model: CorpusModel, options: CorpusOptions) -> None:
        self._model, self.options, self.model = model, options, model.name

    def digest(self) -> str:
        return self._model.digest()

    def check(self, files: Iterable[InputFile]) -> None:
        self._model.check(files, self.options)

    def results(self, passages: Iterable[Passage]) -> Iterator[tuple[Parse, Place, Passage]]:
        """Everything in one stream, so that batches are full even where documents are short."""
        places: deque[tuple[Place, Passage]] = deque()

        def sentences() -> Iterator[Sentence]:
            for passage in passages:
                for sentence, place in passage.sentences(self._model.tokenizer, self.options):
                    places.append((place, passage))
                    yield sentence

        for parse in self._model.flow(self.options).parses(sentences()):
            yield (parse, *places.popleft())


class Counting:
    """Which words stand beside which, and how often: for ``headwise cluster``."""

    makes_sentences = False

    def __init__(self, finder: WordFinder, options: CorpusOptions) -> None:
        self._finder, self.options, self.model = finder, options, finder.name

    def digest(self) -> str:
        return self._finder.digest()

    def check(self, files: Iterable[InputFile]) -> None:
        """Any text has words."""

    def results(self, passages: Iterable[Passage]) -> Iterator[tuple[str | list[str], Place, Passage]]:
        """The words of a sentence; or text as it is, whose words the counter finds by the plain rule."""
        by_plain_rule = self._finder.tokenizer is None and self.options.layout != "tokens"
        for passage in passages:
            if by_plain_rule and isinstance(passage, TextPassage):
                yield passage.text, Place(passage.document), passage
            else:
                for sentence, place in passage.sentences(self._finder.tokenizer, self.options):
                    yield sentence.forms, place, passage


def task_of(model: str | None, options: CorpusOptions) -> Task:
    """The task that the options name."""
    if options.format is None:
        return Counting(WordFinder(model), options)
    return Parsing(CorpusModel("en" if model is None else model), options)
