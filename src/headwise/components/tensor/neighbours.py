"""Words that a low-rank tensor takes for alike (Lei et al. 2014, Table 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native.scoring import WordView
from headwise.components.tensor.config import TensorConfig
from headwise.treebank import Sentence

Floats = npt.NDArray[np.float32]
TINY = 1e-12
OFTEN = 3
"""How often a word must be there to be somebody's neighbour: what is known of others is mostly noise."""


@dataclass(frozen=True)
class Occurrences:
    """The words of some sentences, each with what it is as a head and as a modifier: Uφ and Vφ."""

    words: list[list[str]]
    """In lower case, sentence by sentence."""
    vectors: list[Floats]
    """One row a word; the mean over all words is zero."""

    @classmethod
    def read(
        cls,
        config: TensorConfig,
        tables: Mapping[str, npt.NDArray[Any]],
        sentences: Iterable[Sentence],
        view: WordView | None = None,
    ) -> Occurrences:
        """``view`` is how the parser looks at words."""
        shape = config.shape(tables)
        words, vectors = [], []
        for sentence in sentences:
            numbers = shape.project(sentence, tables["tensor_heads"], tables["tensor_modifiers"], view)
            words.append([form.lower() for form in sentence.forms])
            vectors.append(numbers.reshape(-1, 2 * config.rank)[1:])
        if vectors:
            middle = np.concatenate(vectors).mean(axis=0)
            vectors = [numbers - middle for numbers in vectors]
        return cls(words, vectors)

    def mean(self, phrase: Sequence[str]) -> Floats | None:
        """The mean of a word over all places where it stands; of a phrase, of the word in its middle."""
        wanted = [word.lower() for word in phrase]
        middle = len(wanted) // 2
        found = [
            numbers[begin + middle]
            for words, numbers in zip(self.words, self.vectors, strict=True)
            for begin in range(len(words) - len(wanted) + 1)
            if words[begin : begin + len(wanted)] == wanted
        ]
        return np.mean(found, axis=0, dtype=np.float32) if found else None

    def means(self, often: int = OFTEN) -> dict[str, Floats]:
        """Of all words that are there so often."""
        found: defaultdict[str, list[Floats]] = defaultdict(list)
        for words, numbers in zip(self.words, self.vectors, strict=True):
            for word, own in zip(words, numbers, strict=True):
                found[word].append(own)
        return {word: np.mean(own, axis=0) for word, own in found.items() if len(own) >= often}

    def neighbours(self, phrase: Sequence[str], count: int = 5) -> list[tuple[str, float]] | None:
        """The words whose means have the greatest cosine with that of the word (in the middle of the phrase).

        None where it is nowhere.
        """
        own = self.mean(phrase)
        if own is None:
            return None
        means = self.means()
        means.pop(phrase[len(phrase) // 2].lower(), None)
        cosines = {
            word: float(own @ other) / max(TINY, float(np.linalg.norm(own) * np.linalg.norm(other)))
            for word, other in means.items()
        }
        return sorted(cosines.items(), key=lambda pair: (-pair[1], pair[0]))[:count]
