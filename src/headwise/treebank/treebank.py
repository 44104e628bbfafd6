"""A treebank in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, overload

from headwise._native.treebank import Sentence
from headwise.base.errors import TreebankError
from headwise.treebank.files import Readable, Writable
from headwise.treebank.reading import Format, OnError, Validate, read
from headwise.treebank.statistics import Statistics, statistics
from headwise.treebank.writing import write


class Treebank(Sequence[Sentence]):
    """A sequence of sentences, as in one file.

    Attributes:
        trailer: the bytes after the last sentence of the file it was loaded from.
        skipped: the broken sentences that loading it passed over.
    """

    def __init__(
        self,
        sentences: Iterable[Sentence] = (),
        *,
        trailer: bytes = b"",
        skipped: Sequence[TreebankError] = (),
    ) -> None:
        self._sentences = tuple(sentences)
        self.trailer = trailer
        self.skipped = tuple(skipped)

    @classmethod
    def load(
        cls,
        file: Readable,
        *,
        format: Format | Literal["auto"] = "auto",
        validate: Validate = "tree",
        on_error: OnError = "stop",
    ) -> Treebank:
        """Read a whole file; the arguments are those of `read`."""
        reader = read(file, format=format, validate=validate, on_error=on_error)
        sentences = tuple(reader)
        return cls(sentences, trailer=reader.trailer, skipped=reader.skipped)

    def save(self, file: Writable) -> None:
        """Write it to a file, byte for byte as it was loaded where nothing was changed."""
        write(self, file)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Treebank: ...
    def __getitem__(self, index: int | slice) -> Sentence | Treebank:
        if isinstance(index, slice):
            return Treebank(self._sentences[index])
        return self._sentences[index]

    def __len__(self) -> int:
        return len(self._sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self._sentences)

    def __add__(self, other: Treebank) -> Treebank:
        return Treebank(self._sentences + other._sentences)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Treebank):
            return NotImplemented
        return self._sentences == other._sentences and self.trailer == other.trailer

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Treebank of {len(self):,} sentences, {self.words:,} words>"

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(map(len, self._sentences))

    @property
    def labels(self) -> list[str]:
        """The labels of its arcs, sorted, each once."""
        return sorted({label for sentence in self._sentences for label in sentence.labels if label != "_"})

    def statistics(self) -> Statistics:
        """What it holds: sizes, columns, crossing arcs, roots, problems."""
        return statistics(self._sentences)
