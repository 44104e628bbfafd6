"""Which tags a word may have, and how probable the word is under each; also for words never seen."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from headwise.constituency.tree import Tree

RARE = 5
"""Words seen less often are known to grammars by their shape and ending only (Collins 2003, section 6.2)."""
_SUFFIX = 4
_LONGEST = 60
"""What comes after so many characters of a word does not matter."""
_SMOOTHING = 4.0
_LEAST = 1e-3
"""Tags of rare words that are this much less probable than the best are not considered."""
_SURE = 50
"""Words seen as often as this have no tags but those they were seen with."""


def shape(word: str) -> str:
    """What a word looks like: capitals, digits, hyphens."""
    word = word[:_LONGEST]
    if any(c.isdigit() for c in word):
        kind = "0" if not any(c.isalpha() for c in word) else "0a"
    elif not any(c.isalpha() for c in word):
        return "."
    elif word.isupper() and len(word) > 1:
        kind = "AA"
    elif word[0].isupper():
        kind = "Aa"
    else:
        kind = "a"
    return kind + "-" if "-" in word[1:] else kind


@dataclass(frozen=True)
class LexiconCounts:
    """What is known of words: how often each was seen with each tag."""

    seen: dict[str, dict[str, int]]


class Lexicon:
    """P(tag | word) by counts, smoothed by endings of rare words (Brants 2000, 2.3); and its inverse."""

    def __init__(self, counts: LexiconCounts) -> None:
        self.counts = counts
        seen = counts.seen
        self.totals = {word: sum(tags.values()) for word, tags in seen.items()}
        tag_totals: Counter[str] = Counter()
        endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for word, tags in seen.items():
            tag_totals.update(tags)
            if self.totals[word] <= 2 * RARE:
                kind = shape(word)
                for ending in _endings(word):
                    # Every word counts once: what is not known yet is like a new word, not a frequent one.
                    endings[kind, ending].update(dict.fromkeys(tags, 1))
        self.tags = tuple(sorted(tag_totals))
        self._tag_totals = tag_totals
        self._size = sum(tag_totals.values())
        rare: Counter[str] = Counter()
        for word, tags in seen.items():
            if self.totals[word] <= RARE:
                rare.update(dict.fromkeys(tags, 1))
        total = sum(rare.values()) + len(self.tags)
        self._rare = {tag: (rare[tag] + 1.0) / total for tag in self.tags}
        self._endings = {key: dict(value) for key, value in endings.items()}
        self.words = self._word_numbers()
        self._guessed = lru_cache(maxsize=20000)(self._guess)
        self._known = lru_cache(maxsize=50000)(self._candidates)

    @classmethod
    def learn(cls, trees: Iterable[Tree]) -> Lexicon:
        """Counts the words of trees; a capital that only starts a sentence is none."""
        first: Counter[tuple[str, str]] = Counter()
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for tree in trees:
            for k, leaf in enumerate(tree.leaves()):
                word = (leaf.word or "")[:_LONGEST]
                if k == 0:
                    first[word, leaf.label] += 1
                else:
                    seen[word][leaf.label] += 1
        totals = {word: sum(tags.values()) for word, tags in seen.items()}
        for (word, tag), times in first.items():
            lower = word.lower()
            seen[lower if totals.get(lower, 0) > totals.get(word, 0) else word][tag] += times
        return cls(LexiconCounts({word: dict(seen[word]) for word in sorted(seen)}))

    def normal(self, word: str, first: bool) -> str:
        """The word as it was counted."""
        word = word[:_LONGEST]
        if first and word[:1].isupper():
            lower = word.lower()
            if self.totals.get(lower, 0) > self.totals.get(word, 0):
                return lower
        return word

    def _word_numbers(self) -> dict[str, int]:
        """Numbers of frequent words, and of the classes of others; 0 is no word."""
        classes: Counter[str] = Counter()
        for word, times in self.totals.items():
            if times < RARE:
                classes[_class_of(word)] += times
                classes[_class_of(word, 0)] += 0
        names = [word for word, times in self.totals.items() if times >= RARE]
        names += sorted(name for name, times in classes.items() if times >= 2 * RARE or name.endswith("|"))
        return {name: number for number, name in enumerate(names, 1)}

    def number(self, word: str, first: bool) -> int:
        """The number of a word for a lexicalized grammar: its own, or that of words that look like it."""
        word = self.normal(word, first)
        for name in (word, _class_of(word), _class_of(word, 0)):
            if name in self.words and (name is not word or self.totals.get(word, 0) >= RARE):
                return self.words[name]
        return 0

    def candidates(self, word: str, first: bool) -> list[tuple[str, float]]:
        """The tags that a word may have, each with the log-probability of the word under it."""
        return self._known(self.normal(word, first))

    def _candidates(self, word: str) -> list[tuple[str, float]]:
        seen = self.counts.seen.get(word, {})
        total = self.totals.get(word, 0)
        if total >= _SURE:
            tags = {tag: times / total for tag, times in seen.items()}
        else:
            guess = self._guessed(shape(word), tuple(_endings(word)))
            weight = 1.0 if total >= RARE else 2.0 if total else 1.0
            tags = {
                tag: (seen.get(tag, 0) + weight * p) / (total + weight)
                for tag, p in guess.items()
                if tag in seen or total < RARE
            }
            for tag in seen:
                tags.setdefault(tag, seen[tag] / (total + weight))
        least = _LEAST * max(tags.values())
        return [(tag, self._log_word(word, tag, p)) for tag, p in tags.items() if tag in seen or p >= least]

    def log_probability(self, word: str, tag: str, first: bool) -> float:
        """The log-probability of a word under a tag, also under one that it was never seen with."""
        word = self.normal(word, first)
        for known, value in self._known(word):
            if known == tag:
                return value
        p = self._guessed(shape(word), tuple(_endings(word))).get(tag, 0.0)
        return self._log_word(word, tag, max(p, 1e-6) / (self.totals.get(word, 0) + 1))

    def _log_word(self, word: str, tag: str, p_tag: float) -> float:
        p_word = max(self.totals.get(word, 0), 0.5) / self._size
        return math.log(p_tag) + math.log(p_word) - math.log((self._tag_totals[tag] or 0.5) / self._size)

    def _guess(self, kind: str, endings: Sequence[str]) -> dict[str, float]:
        """P(tag | shape, ending), longer endings smoothed by shorter ones."""
        guess = self._rare
        for ending in reversed(endings):
            counts = self._endings.get((kind, ending))
            if counts is None:
                break
            total = sum(counts.values())
            guess = {
                tag: (counts.get(tag, 0) + _SMOOTHING * p) / (total + _SMOOTHING) for tag, p in guess.items()
            }
        return guess


def _endings(word: str) -> list[str]:
    """Endings of a word, the longest first, the empty one last."""
    lower = word[-_SUFFIX:].lower()
    return [lower[k:] for k in range(len(lower))] + [""]


def _class_of(word: str, letters: int = 2) -> str:
    # No word has a vertical bar in front and at the end of its shape.
    return f"|{shape(word)}|{word[-letters:].lower() if letters and len(word) > 3 else ''}"
