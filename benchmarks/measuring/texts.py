"""Raw text: of a language, as much of it as is wanted; the vectors of its words; files that are made once."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from benchmarks.engine.code import REPOSITORY, Paths, measured_commit
from benchmarks.measuring.data import data
from headwise._native.clusters import WindowCounter
from headwise.treebank.files import read_lines
from headwise.words.vectors import train_vectors

LINES = 1000
"""Counted in one go."""
TEXTS = {"English": ("en-modern",), "Swedish": ("sv-modern", "sv"), "Portuguese": ("pt-modern",)} | {
    "Danish": ("da-modern",),
    "Dutch": ("nl-modern",),
    "French": ("fr-modern",),
}
"""The raw text of a language, by what its treebanks are called."""
WORK = REPOSITORY / "build" / "benchmarks"
"""Texts, clusters, vectors and models, made once."""


def texts_of(treebank: str) -> list[Path]:
    """All raw text of its language."""
    language = next(name for name in TEXTS if name in treebank)
    return [data() / "text" / f"{name}.txt.xz" for name in TEXTS[language]]


def made(name: str, make: Callable[[Path], None], depends: Paths = ()) -> Path:
    """A file, made where it is not there; half of one is never taken for it.

    Where it depends on code, it is made anew when that has changed, or is not committed.
    """
    path = WORK / name
    if depends:
        path = path.with_name(f"{path.stem}-{measured_commit(depends)}{path.suffix}")
    if not path.exists() or path.stem.endswith("+"):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{os.getpid()}-{path.name}")
        make(part)
        part.replace(path)
    return path


def first_words(text: Path, words: int) -> Path:
    """About the first so many words of a text, in a file."""

    def write(path: Path) -> None:
        seen, lines = 0, read_lines(text)
        with path.open("w", encoding="utf-8") as file:
            while seen < words * 0.85 and (line := next(lines, "")):  # punctuation counts too
                file.write(line)
                seen += len(line.split())

    return made(f"{text.name.partition('.')[0]}-{words}-words.txt", write)


def write_text_vectors(text: Path, file: Path, *, width: int = 50, most_words: int | None = None) -> None:
    """As `headwise vectors` makes them."""
    counter, lines = WindowCounter(), read_lines(text)
    while block := "".join(islice(lines, LINES)).encode():
        counter.add_text(block)
        if most_words is not None and counter.words >= most_words:
            break
    train_vectors(counter, width=width).save(file)
