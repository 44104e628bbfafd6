"""As much of a text as is wanted, and the vectors of its words, as `headwise vectors` makes them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from headwise._native.clusters import WindowCounter
from headwise.treebank.files import read_lines
from headwise.words.vectors import train_vectors

LINES = 1000
"""Counted in one go."""


def write_text_vectors(text: Path, file: Path, *, width: int = 50, most_words: int | None = None) -> None:
    counter, lines = WindowCounter(), read_lines(text)
    while block := "".join(islice(lines, LINES)).encode():
        counter.add_text(block)
        if most_words is not None and counter.words >= most_words:
            break
    train_vectors(counter, width=width).save(file)


def first_words(text: Path, words: int, folder: Path) -> Path:
    """The first words of a text, in a file in the folder."""
    target = folder / f"{text.name.partition('.')[0]}-{words}.txt"
    if not target.exists():
        seen, lines = 0, read_lines(text)
        with target.open("w", encoding="utf-8") as file:
            while seen < words * 0.85 and (line := next(lines, "")):  # punctuation counts too
                file.write(line)
                seen += len(line.split())
    return target
