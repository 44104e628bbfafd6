"""A treebank in memory, cut as an experiment needs it."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.measuring.data import find_treebank
from headwise.evaluation import ProtocolName
from headwise.treebank import Sentence, annotated, read

HELD_OUT_WORDS = 10_000
"""Carreras (2007), 3.1, holds out "the training sentences that cover the first 10,000 tokens"."""


@dataclass(frozen=True)
class Corpus:
    """The sentences of one treebank; ``dev`` is empty where the treebank has none."""

    name: str
    protocol: ProtocolName
    """What its literature reports."""
    train: list[Sentence]
    dev: list[Sentence]
    test: list[Sentence]
    dev_is: str = "dev file"

    @classmethod
    def load(cls, name: str) -> Corpus:
        split = find_treebank(name)
        dev = _sentences(split.dev) if split.dev else []
        protocol: ProtocolName = "conllx" if split.protocol == "conllx" else "ud"
        return cls(split.name, protocol, _sentences(split.train), dev, _sentences(split.test))

    def with_dev(self) -> Corpus:
        """Itself where it has a development set; else the first words of the training set become one."""
        if self.dev:
            return self
        ends = np.cumsum([len(sentence) for sentence in self.train])
        # Small treebanks keep at least nine tenths of themselves for training.
        words = min(HELD_OUT_WORDS, int(ends[-1]) // 10)
        cut = int(np.searchsorted(ends, words)) + 1
        origin = f"first {cut:,} training sentences, held out"
        return replace(self, train=self.train[cut:], dev=self.train[:cut], dev_is=origin)

    def sample(self, sentences: int, seed: int) -> Corpus:
        """With so many training sentences, drawn at random; a smaller sample is part of a larger one."""
        if sentences >= len(self.train):
            return self
        chosen = np.sort(np.random.default_rng(seed).permutation(len(self.train))[:sentences])
        return replace(self, train=[self.train[i] for i in chosen])

    def shortened(self, train: int, others: int) -> Corpus:
        """Its first sentences only, for a quick try."""
        return replace(
            self,
            train=self.train[:train],
            dev=self.dev[:others],
            test=self.test[:others],
            dev_is=f"{self.dev_is}, every part cut to its first sentences",
        )

    @property
    def words(self) -> int:
        return sum(map(len, self.train))

    def describe_split(self, measured: str) -> str:
        """The sizes of the parts that are used when ``measured`` (dev or test) is what is reported."""
        parts = {"train": self.train, "dev": self.dev} | ({"test": self.test} if measured == "test" else {})
        sizes = [f"{name} {len(part):,} sentences" for name, part in parts.items() if part]
        origin = f"; dev is the {self.dev_is}" if self.dev else "; no dev, the last epoch is kept"
        return f"{', '.join(sizes)}{origin}; measured on {measured}"


def _sentences(path: Path) -> list[Sentence]:
    reader = read(path, on_error="skip")
    sentences = list(annotated(reader))
    if reader.skipped:
        print(f"{path.name}: skipped {len(reader.skipped)} broken sentences", file=sys.stderr)
    return sentences


def root_label(sentences: list[Sentence]) -> str:
    """What a treebank calls the arcs from the root."""
    labels = Counter(
        label for s in sentences for head, label in zip(s.heads.tolist(), s.labels, strict=True) if head == 0
    )
    return labels.most_common(1)[0][0]


def tagless(sentences: list[Sentence]) -> list[Sentence]:
    """Forms and trees alone."""
    return [Sentence.from_words(s.forms, heads=s.heads, labels=s.labels) for s in sentences]
