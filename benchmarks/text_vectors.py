"""Vectors of the words of a text, as `headwise vectors` makes them, of as much of it as is wanted."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from headwise._native.clusters import WindowCounter
from headwise.treebank.files import read_lines
from headwise.vectors import train_vectors

LINES = 1000
"""Counted in one go."""


def write_text_vectors(text: Path, file: Path, *, width: int = 50, most_words: int | None = None) -> None:
    counter, lines = WindowCounter(), read_lines(text)
    while block := "".join(islice(lines, LINES)).encode():
        counter.add_text(block)
        if most_words is not None and counter.words >= most_words:
            break
    train_vectors(counter, width=width).save(file)
