"""Building a lexicon: which labels were seen with a word, with an ending, with a shape."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from headwise._native.tagging import Lexicon
from headwise.model import Table, Tensors

ENDING_WORDS = 4
"""An ending is trusted when so many different words have it; otherwise a shorter one decides."""
RARE = 10
"""Words seen at most so often tell what a new word may be; frequent words are not like new words."""
SHAPE_SHARE = 0.02
"""A shape offers the labels of at least this share of its rare words."""
MOST = 48
"""The most labels an ending or a shape offers, the most frequent ones first."""

LEXICON_TABLES = {"keys": Table(np.int64), "begins": Table(np.int32), "labels": Table(np.int32)}


@dataclass
class LexiconBuilder:
    """Counts of labels by word. A context (a part of speech, say) keeps readings of a word apart."""

    label_count: int
    never_guessed: frozenset[int] = frozenset()
    """Labels that only the words have that were seen with them."""
    words: dict[tuple[str, str, str], Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, form: str, label: int, word_context: str = "", guess_context: str = "") -> None:
        self.words[form, word_context, guess_context][label] += 1

    def tensors(self, frequent: int) -> Tensors:
        """The entries of the finished lexicon.

        A word seen at least ``frequent`` times has the labels it was seen with, a rarer one also those that
        a new word like it would have.
        """
        entries = self._guesses()
        guesser = self._lexicon(entries)
        for (form, word_context, guess_context), counts in self.words.items():
            labels = set(counts)
            if counts.total() < frequent:
                labels.update(guesser.guess(form, guess_context))
            entries[Lexicon.word_key(form, word_context)] = sorted(labels)
        return _tensors(entries)

    def _guesses(self) -> dict[int, list[int]]:
        endings: dict[int, Counter[int]] = defaultdict(Counter)
        ending_words: Counter[int] = Counter()
        shapes: dict[int, Counter[int]] = defaultdict(Counter)
        always: set[int] = set()
        # Whatever the context, something can be guessed: the labels of any word.
        anything = Lexicon.suffix_keys("", "")[0]
        always.add(anything)
        for (form, _, context), counts in self.words.items():
            labels = counts.keys() - self.never_guessed
            endings[anything].update(labels)
            if counts.total() > RARE or not labels:
                continue
            keys = Lexicon.suffix_keys(form, context)
            always.add(keys[-1])
            for key in keys:
                ending_words[key] += 1
                endings[key].update(labels)
            shapes[Lexicon.shape_key(form, context)].update(labels)
        if not endings[anything]:
            endings[anything][0] += 1
        entries = {
            key: _most_frequent(counts, 0.0)
            for key, counts in endings.items()
            if ending_words[key] >= ENDING_WORDS or key in always
        }
        entries |= {key: _most_frequent(counts, SHAPE_SHARE) for key, counts in shapes.items()}
        return entries

    def _lexicon(self, entries: dict[int, list[int]]) -> Lexicon:
        return load_lexicon(_tensors(entries), self.label_count)


def _most_frequent(counts: Counter[int], share: float) -> list[int]:
    least = share * counts.total()
    ranked = sorted(counts, key=lambda label: (-counts[label], label))
    return sorted(label for label in ranked[:MOST] if counts[label] >= least)


def _tensors(entries: dict[int, list[int]]) -> Tensors:
    keys = sorted(entries)
    lengths: Iterable[int] = (len(entries[key]) for key in keys)
    return {
        "keys": np.array(keys, np.int64),
        "begins": np.cumsum([0, *lengths]).astype(np.int32),
        "labels": np.array([label for key in keys for label in entries[key]], np.int32),
    }


def load_lexicon(tensors: Tensors, label_count: int) -> Lexicon:
    lexicon = Lexicon(tensors["keys"], tensors["begins"], tensors["labels"], label_count)
    if not lexicon.guess("", ""):
        raise ValueError("the lexicon is damaged: it knows no candidates for unseen words")
    return lexicon
