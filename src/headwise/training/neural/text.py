"""Raw text as batches: what words are made of is found out once for each different word."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from headwise._native import learning as native
from headwise._native.clusters import WordLineCollector
from headwise.training.neural.lessons import Integers
from headwise.training.neural.treebank import SPELLING, Atoms, Treebank, starts
from headwise.training.pretraining_settings import PretrainingSettings
from headwise.treebank import Sentence

BLOCK = 1000
"""Different words that are looked at in one go."""
WORD = 0
"""The kind of the atom that names a word."""


@dataclass(frozen=True)
class WordTypes(Atoms):
    """What is known of the different words of a batch, and where each stands."""

    place: Tensor
    """Of each position: the number of its word …"""
    targets: Tensor
    """… what it is to be predicted as, −1 where it is not …"""
    after: Tensor
    before: Tensor
    """… and the same of the words after and before it."""


@dataclass(frozen=True)
class Text:
    """Sentences as numbers of words, and what is known of each word. Number 0 is the root."""

    numbers: npt.NDArray[np.int32]
    begins: Integers
    """Where sentences begin in it …"""
    lengths: Integers
    """… and how many words of each are read."""
    vocabulary: npt.NDArray[np.int64]
    """The atoms that have vectors."""
    rows: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]
    first: Integers
    """The atoms of one word after the other, and where those of each begin."""
    targets: npt.NDArray[np.int32]
    """As what each word is predicted; −1: not at all."""
    target_counts: Integers
    """How often each of these occurs."""

    @classmethod
    def of(cls, collector: WordLineCollector, pieces: int, settings: PretrainingSettings) -> Text:
        lines = collector.lines(2)
        counts = np.array([*lines.counts], np.int64)  # of words, then of the rare ones together
        keys, kinds, per_word = _atoms(lines.words, pieces)
        word = np.repeat(np.arange(1, len(lines.words) + 1), per_word)
        different, which = np.unique(keys, return_inverse=True)
        often = np.bincount(which, weights=np.append(0, counts)[word], minlength=len(different)).astype(
            np.int64
        )
        kind = np.zeros(len(different), np.uint8)
        kind[which] = kinds
        named, spelled = (
            _most_frequent(often, kind == WORD, settings.words, settings.at_least),
            _most_frequent(often, kind == SPELLING, settings.spellings, settings.at_least),
        )
        root_keys = native.word_atoms(Sentence.from_words(["_"]), pieces)
        root = np.setdiff1d(root_keys[0][: root_keys[2][0]], different[np.concatenate([named, spelled])])
        vocabulary = np.concatenate([different[named], different[spelled], root])
        row_of = np.full(len(different), -1, np.int32)
        row_of[named] = np.arange(len(named))
        row_of[spelled] = len(named) + np.arange(len(spelled))
        rows = row_of[which]
        known = rows >= 0
        targets = np.full(len(lines.words) + 2, -1, np.int32)
        is_name = known & (kinds == WORD)
        targets[word[is_name]] = rows[is_name]
        # The root, then the words, then what stands for all rare ones, of which nothing is known.
        root_rows = len(vocabulary) - len(root) + np.arange(len(root))
        own = np.bincount(word[known], minlength=len(lines.words) + 2)
        own[0] = len(root)
        begins, numbers = lines.begins(), lines.numbers()
        lengths = np.minimum(np.diff(begins), settings.longest)
        chosen = lengths >= 2
        return cls(
            numbers=numbers + 1,
            begins=begins[:-1][chosen],
            lengths=lengths[chosen],
            vocabulary=vocabulary,
            rows=np.concatenate([root_rows, rows[known]]).astype(np.int32),
            kinds=np.concatenate([np.full(len(root), WORD, np.uint8), kinds[known]]),
            first=starts(own),
            targets=targets,
            target_counts=often[named],
        )

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def words(self) -> int:
        return int(self.lengths.sum())

    def kinds_of_rows(self) -> npt.NDArray[np.uint8]:
        kinds = np.zeros(len(self.vocabulary), np.uint8)
        kinds[self.rows] = self.kinds
        return kinds

    def digest(self) -> bytes:
        found = hashlib.sha256(self.vocabulary.tobytes())
        for array in (self.numbers, self.begins, self.lengths):
            found.update(array.tobytes())
        return found.digest()


class TextBatches(Treebank):
    """Sentences of a text; nothing is known of their trees."""

    def __init__(self, text: Text) -> None:
        self._text, self.lengths = text, text.lengths

    def _known(self, order: Integers, words: int) -> dict[str, Any]:
        nothing = torch.from_numpy(np.where(np.arange(words) < self.lengths[order][:, None], 0, -1))
        return {"heads": nothing, "labels": nothing}

    def _read(self, order: Integers, sentence: Integers, time: Integers) -> Atoms:
        text = self._text
        # Words as (sentence, position), and one column more for what is behind the last.
        table = np.zeros((len(order), int(time[-1]) + 2), np.int32)
        place = text.begins[order][sentence] + np.maximum(time - 1, 0)
        table[sentence, time] = np.where(time > 0, text.numbers[place], 0)
        targets = text.targets[table]
        different, which = np.unique(table[sentence, time], return_inverse=True)
        begins = text.first[different]
        counts = text.first[different + 1] - begins
        first = starts(counts)
        position = np.repeat(np.arange(len(different)), counts)
        atoms = np.arange(first[-1]) - first[position] + begins[position]

        def of_positions(shift: int) -> Tensor:
            return torch.from_numpy(targets[sentence, np.maximum(time + shift, 0)].astype(np.int64))

        return WordTypes(
            rows=torch.from_numpy(text.rows[atoms].astype(np.int64)),
            kinds=torch.from_numpy(text.kinds[atoms].astype(np.int64)),
            position=torch.from_numpy(position),
            first=torch.from_numpy(first[:-1]),
            given=None,
            place=torch.from_numpy(which),
            targets=of_positions(0),
            after=of_positions(1),
            before=of_positions(-1),
        )


def _atoms(
    words: list[str], pieces: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """The keys of the atoms of each word, their kinds, and how many each word has."""
    blocks = []
    for begin in range(0, len(words), BLOCK):
        keys, kinds, counts = native.word_atoms(Sentence.from_words(words[begin : begin + BLOCK]), pieces)
        blocks.append((keys[counts[0] :], kinds[counts[0] :], counts[1:]))  # the root's come first
    keys, kinds, counts = (np.concatenate(arrays) for arrays in zip(*blocks, strict=True))
    return keys, kinds, counts


def _most_frequent(often: Integers, among: npt.NDArray[np.bool_], most: int, least: int) -> Integers:
    chosen = np.flatnonzero(among & (often >= least))
    return chosen[np.argsort(-often[chosen], kind="stable")][:most]
