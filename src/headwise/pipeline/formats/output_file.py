"""What a format has to say: how sentences get into an open file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

from headwise.treebank import Sentence, convert

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse
    from headwise.display import Drawing
    from headwise.treebank.parquet import Place
    from headwise.treebank.reading import Format as Columns


class OutputFile:
    """Sentences on their way into an open file. Formats override `put`, and what else is different of them.

    Args:
        output: the file.
        columns: whose columns sentences are to have; None: they are written as they are.
        about: what drawings have around them (`headwise.pipeline.formats.drawings`).
    """

    def __init__(self, output: BinaryIO, columns: Columns | None = None, **about: Any) -> None:
        self.output, self.columns = output, columns
        self.guessed = 0
        """Sentences that do not say all that was to be written, so that some of it was guessed."""
        self.start(**about)

    def start(self) -> None:
        """Before the first sentence."""

    def write(self, sentence: Sentence, place: Place | None = None) -> None:
        """A sentence; ``place`` is where in a corpus it stands."""
        self.put(self.fitted(sentence), place)

    def write_parse(self, parse: Parse, place: Place | None = None) -> None:
        """A parse, with what is known of its probabilities."""
        fitted = replace(parse, sentence=self.fitted(parse.sentence))
        self.put(fitted.to_annotated_sentence(), place)

    def put(self, sentence: Sentence, place: Place | None) -> None:
        """A sentence that has the columns of the format."""
        raise NotImplementedError

    def write_row(self, row: Sequence[Drawing]) -> None:
        """Drawings of one sentence, side by side, in formats of drawings."""
        raise NotImplementedError

    def write_trailer(self, trailer: bytes) -> None:
        """What followed the last sentence of a CoNLL file; most formats have no place for it."""

    def close(self) -> None:
        """After the last sentence; the file itself stays open."""

    def abandon(self) -> None:
        """In place of `close` where something went wrong: the file is thrown away."""

    def fitted(self, sentence: Sentence) -> Sentence:
        """The sentence with the columns of the format."""
        return sentence if self.columns is None else convert(sentence, self.columns)
