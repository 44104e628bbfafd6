"""Writing sentences to treebank files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from headwise._native import treebank as native
from headwise._native.treebank import Sentence
from headwise.treebank.files import Writable, opened_for_writing

_SENTENCES_AT_ONCE = 256


class Writer:
    """Sentences on their way into an open treebank file; made by `writer`."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._native = native.Writer()
        self._waiting = 0
        # Somebody who watches the output wants to see sentences as they come.
        self._at_once = 1 if output.isatty() else _SENTENCES_AT_ONCE

    def write(self, sentence: Sentence) -> None:
        """Write a sentence, as the bytes it was where it was read and not changed."""
        self._native.write(sentence)
        self._waiting += 1
        if self._waiting >= self._at_once:
            self.flush()

    def write_trailer(self, trailer: bytes) -> None:
        """Write what followed the last sentence of a file that was read (`Reader.trailer`)."""
        self._native.write_trailer(trailer)

    def flush(self) -> None:
        """Hand over to the file what was held back to write much at once."""
        self._output.write(self._native.take())
        self._output.flush()
        self._waiting = 0


@contextmanager
def writer(file: Writable) -> Iterator[Writer]:
    """Open a path (.gz and .xz compressed), "-" for standard output, or an open binary file for writing."""
    with opened_for_writing(file) as output:
        opened = Writer(output)
        yield opened
        opened.flush()


def write(sentences: Iterable[Sentence], file: Writable) -> None:
    """Write sentences to a path (.gz and .xz compressed), "-" for standard output, or an open binary file.

    Given a reader or a Treebank, what followed the last sentence in its file is written as well, so that
    the whole file comes back byte for byte.
    """
    with writer(file) as opened:
        for sentence in sentences:
            opened.write(sentence)
        opened.write_trailer(getattr(sentences, "trailer", b""))
