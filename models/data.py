"""Where treebanks and raw text are, and what of them a recipe asks for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence, read
from models.recipe import Data, Recipe, RecipeError, Split
from models.steps import file_digest

SHARED = Path(os.environ.get("HEADWISE_DATA", Path(__file__).parents[2] / "shared"))
BLOCK = 10
"""Sentences that are held out together: neighbours are of one text."""
HELD_OUT = " (held out)"


class MissingData(HeadwiseError):
    """A file that a recipe asks for is not there."""


@dataclass(frozen=True)
class Places:
    """Where data are found: with ``release``, treebanks of a release of Universal Dependencies."""

    shared: Path = SHARED
    release: Path | None = None

    def data_of(self, recipe: Recipe) -> Data:
        return recipe.data if self.release is None else recipe.release or recipe.data

    def treebank(self, split: Split) -> Path:
        """The file of a split: ``UD_X/dev.conllu.xz``, or ``UD_X/x_y-ud-dev.conllu`` as in a release."""
        folder = f"UD_{split.treebank}"
        roots = [self.release] if self.release else [self.shared / "ud", self.shared / "treebanks"]
        for root in roots:
            for pattern in (f"{split.name}.conllu*", f"*-ud-{split.name}.conllu*"):
                if found := sorted((root / folder).glob(pattern)):
                    return found[0]
        raise MissingData(
            f"there is no {split} under {' or '.join(map(str, roots))}: set HEADWISE_DATA, or give a release"
            " of Universal Dependencies (--ud FOLDER)."
        )

    def text(self, name: str) -> Path:
        """A file of raw text."""
        for ending in (".txt.xz", ".txt.gz", ".txt"):
            if (path := self.shared / "text" / f"{name}{ending}").is_file():
                return path
        raise MissingData(f"there is no {name}.txt.xz under {self.shared / 'text'}: set HEADWISE_DATA.")

    def digests(self, splits: Iterable[Split]) -> dict[str, str]:
        return {str(split): file_digest(self.treebank(split)) for split in splits}


@dataclass(frozen=True)
class Corpus:
    """What a model learns from, and what is held out for what is chosen and fitted."""

    train: list[Sentence]
    dev: list[Sentence]

    @classmethod
    def load(cls, places: Places, data: Data, held_out: float) -> Corpus:
        train = list(sentences_of(places, data.train, data.documents))
        if data.dev:
            return cls(train, list(sentences_of(places, data.dev, data.documents)))
        return cls(*held_out_of(train, held_out))

    def tests(self, places: Places, data: Data) -> dict[str, list[Sentence]]:
        """What judges, by treebank."""
        if not data.test:
            return {f"{data.train[0].treebank}{HELD_OUT}": self.dev}
        return {split.treebank: list(sentences_of(places, [split])) for split in data.test}


def sentences_of(
    places: Places, splits: Iterable[Split], documents: Mapping[str, tuple[str, ...]] | None = None
) -> Iterator[Sentence]:
    """The sentences of splits; of some treebanks only those of some documents."""
    for split in splits:
        sentences = read(places.treebank(split))
        beginnings = (documents or {}).get(split.treebank)
        yield from sentences if beginnings is None else of_documents(sentences, beginnings)


def of_documents(sentences: Iterable[Sentence], beginnings: tuple[str, ...]) -> Iterator[Sentence]:
    """Those of documents whose names (``newdoc id``) begin so."""
    name = ""
    for sentence in sentences:
        found = sentence.comment("newdoc id")
        name = name if found is None else found
        if name.startswith(beginnings):
            yield sentence


def held_out_of(sentences: Sequence[Sentence], share: float) -> tuple[list[Sentence], list[Sentence]]:
    """All but a share of the sentences, and that share: blocks of them, from all over."""
    if not 0 < share < 0.5:
        raise RecipeError(f"held_out is {share}, must be between 0 and 0.5")
    every = round(1 / share)
    inside = [i // BLOCK % every == every // 2 for i in range(len(sentences))]
    if not any(inside):
        raise RecipeError(f"{len(sentences)} sentences are too few to hold some out: name a dev split")
    return (
        [s for s, held in zip(sentences, inside, strict=True) if not held],
        [s for s, held in zip(sentences, inside, strict=True) if held],
    )


def words_of(sentences: Iterable[Sentence]) -> int:
    return sum(map(len, sentences))
