"""Trees on their way to a terminal or a text file, one sentence at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from headwise.display.drawing import Drawing, draw
from headwise.display.text import to_text
from headwise.treebank import Sentence
from headwise.treebank.files import Writable, opened_for_writing


class TreeWriter:
    """Draws each sentence that it is given, an empty line between them; made by `tree_writer`."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._colour = output.isatty() and "NO_COLOR" not in os.environ
        self._between = b""

    def write(self, sentence: Sentence) -> None:
        self.write_drawing(draw(sentence))

    def write_drawing(self, drawing: Drawing) -> None:
        self._output.write(self._between + to_text(drawing, colour=self._colour).encode())
        self._output.flush()
        self._between = b"\n"

    def write_trailer(self, trailer: bytes) -> None:
        """Nothing: what follows the last sentence of a CoNLL file belongs to no sentence."""


@contextmanager
def tree_writer(file: Writable) -> Iterator[TreeWriter]:
    """Open a path, "-" for standard output, or an open binary file for drawings in text."""
    with opened_for_writing(file) as output:
        yield TreeWriter(output)
