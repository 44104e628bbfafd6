"""A treebank as the tables that batches are cut from: what words are read as, heads and labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from headwise._native import learning as native
from headwise._native.scoring import NetworkShape
from headwise.training.neural.lessons import Integers, Lesson
from headwise.training.neural.on_device import OnDevice

Tree = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""Heads and the numbers of labels, of every word."""
KINDS, SPELLING = 4, 2
"""Kinds of atoms: the word itself, its tags, its spelling (pieces, suffixes …), its clusters."""


@dataclass(frozen=True)
class Atoms(OnDevice):
    """What is known of each position of a batch: rows of vectors."""

    rows: Tensor
    """Of one position after the other …"""
    kinds: Tensor
    """… the kind of each …"""
    position: Tensor
    """… and the position that it belongs to."""
    first: Tensor
    """Where those of each position begin."""
    given: Tensor | None
    """The vectors that come with words, (P, width)."""


@dataclass(frozen=True)
class Subwords(OnDevice):
    """A batch as an encoder reads it: rows of subwords, and where each position of the batch is in them."""

    ids: Tensor
    mask: Tensor
    place: Tensor
    """Of each position, (P,): its place in ``ids``, flattened."""


@dataclass(frozen=True)
class Batch(OnDevice):
    """Sentences, longest first. Positions are the root and the words; they lie as LSTMs read them.

    That is all first positions, then all second ones … (as in `torch.nn.utils.rnn.PackedSequence`).
    """

    stays: ClassVar[frozenset[str]] = frozenset({"active"})

    lengths: Tensor
    """Words of each sentence, (B,)."""
    active: Tensor
    """How many sentences have the first, second … position; on the CPU."""
    sentence: Tensor
    """Of each position, (P,): the number of its sentence in the batch."""
    cell: Tensor
    """Of each position: its place in a padded table (B, n+1), flattened."""
    read_as: Atoms | Subwords
    heads: Tensor
    """(B, n), −1 where there is none, and behind the last word."""
    labels: Tensor
    tags: Tensor | None = None
    """(B, n) too: the numbers of tags, −1 where there is none."""
    lesson: Lesson | None = None
    """What teachers hold of it, where there are some (`headwise.training.neural.teachers`)."""

    @property
    def words(self) -> int:
        """n: of the longest sentence."""
        return int(self.heads.shape[1])

    @property
    def learned(self) -> int:
        """Words that something is known of."""
        return int((self.heads >= 0 if self.lesson is None else self.lengths).sum())


class Treebank(ABC):
    """Sentences and their trees, from which any of them can be asked for as a batch."""

    def __init__(self, trees: Sequence[Tree], tags: Sequence[npt.NDArray[np.integer]] | None = None) -> None:
        self._trees, self._tags = trees, tags
        self.lengths: Integers = np.array([len(heads) for heads, _ in trees], np.int64)

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, chosen: Integers) -> Batch:
        order = chosen[np.argsort(-self.lengths[chosen], kind="stable")]
        lengths = self.lengths[order]
        nodes = int(lengths[0]) + 1
        present = np.arange(nodes)[:, None] <= lengths  # [time, sentence]
        time, sentence = np.nonzero(present)
        return Batch(
            lengths=torch.from_numpy(lengths),
            active=torch.from_numpy(present.sum(axis=1)),
            sentence=torch.from_numpy(sentence),
            cell=torch.from_numpy(sentence * nodes + time),
            read_as=self._read(order, sentence, time),
            lesson=self._lesson(order),
            **self._known(order, nodes - 1),
        )

    def drawn(self, order: Integers, passes: int) -> Integers:
        """The sentences that ``order`` stands for, after so many passes."""
        del passes
        return order

    def _lesson(self, order: Integers) -> Lesson | None:
        """What teachers hold of sentences."""
        del order
        return None

    def _known(self, order: Integers, words: int) -> dict[str, Any]:
        """Heads, labels and tags of sentences, (B, words) each."""

        def table(rows: list[npt.NDArray[Any]]) -> Tensor:
            return torch.from_numpy(padded(rows, words, -1))

        return {
            "heads": table([self._trees[i][0] for i in order]),
            "labels": table([self._trees[i][1] for i in order]),
            "tags": None if self._tags is None else table([self._tags[i] for i in order]),
        }

    @abstractmethod
    def _read(self, order: Integers, sentence: Integers, time: Integers) -> Atoms | Subwords:
        """What the network reads: of each position its sentence, as a number in ``order``, and its place."""

    def batches(self, order: Integers, words: int) -> list[Integers]:
        """Sentences of similar length together, about so many words in each batch, longest first."""
        by_length = order[np.argsort(-self.lengths[order], kind="stable")]
        filled = (np.cumsum(self.lengths[by_length] + 1) - 1) // words
        return np.split(by_length, np.flatnonzero(np.diff(filled)) + 1)

    def all_batches(self, words: int) -> Iterator[Batch]:
        for chosen in self.batches(np.arange(len(self)), words):
            yield self.batch(chosen)


class AtomTreebank(Treebank):
    """Words are read as the core's network reads them."""

    def __init__(
        self,
        examples: Sequence[native.TrainingExample],
        shape: NetworkShape,
        given: int,
        trees: Sequence[Tree] | None = None,
        tags: Sequence[npt.NDArray[np.integer]] | None = None,
    ) -> None:
        """``trees`` stand in for those of the examples, and may have labels that are not in training (−1)."""
        super().__init__([(e.heads, e.labels) for e in examples] if trees is None else trees, tags)
        rows, kinds, counts = native.network_atoms(shape, list(examples))
        self._rows, self._kinds = rows.astype(np.int64), kinds.astype(np.int64)
        self._first_atom = starts(counts)
        self._given = (
            native.given_vectors(shape, list(examples)).reshape(-1, given).astype(np.float32)
            if given
            else None
        )
        self._first_position = starts(self.lengths + 1)

    def is_spelling(self, rows: int) -> Tensor:
        """Which of the vectors are of the spelling of words, (rows,)."""
        found = np.zeros(rows, bool)
        found[self._rows[self._kinds == SPELLING]] = True
        return torch.from_numpy(found)

    def _read(self, order: Integers, sentence: Integers, time: Integers) -> Atoms:
        positions = self._first_position[order][sentence] + time
        begins = self._first_atom[positions]
        counts = self._first_atom[positions + 1] - begins
        first = starts(counts)
        position = np.repeat(np.arange(len(positions)), counts)
        atoms = np.arange(first[-1]) - first[position] + begins[position]
        return Atoms(
            rows=torch.from_numpy(self._rows[atoms]),
            kinds=torch.from_numpy(self._kinds[atoms]),
            position=torch.from_numpy(position),
            first=torch.from_numpy(first[:-1]),
            given=None if self._given is None else torch.from_numpy(self._given[positions]),
        )


def starts(counts: npt.NDArray[np.integer]) -> Integers:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def padded(rows: Sequence[Any], width: int, filler: int) -> Integers:
    """Rows of numbers as one table."""
    table = np.full((len(rows), width), filler, np.int64)
    for to, row in zip(table, rows, strict=True):
        to[: len(row)] = row
    return table
