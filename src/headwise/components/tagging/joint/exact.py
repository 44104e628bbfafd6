"""Tags chosen with trees for certain, by parsers of projective trees.

``senses``: every word takes one of its tags, and the tagger says of each how much its best sequence with it
loses (Koo 2010, 5.5.3): one dynamic program. ``agree``: the tagger scores whole sequences of tags, by
trigrams, and it and the parser are made to agree by dual decomposition (Rush et al. 2010, 4.1).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.parser.parser import Parser
from headwise.components.parser.tagged import Tagged
from headwise.components.tagging.joint.candidates import ways_to_tag
from headwise.components.tagging.joint.config import JointTagsConfig
from headwise.components.tagging.joint.sense_scores import Floats, SenseScores, sense_scores
from headwise.components.tagging.tagger import Labels, Tagger
from headwise.dual import Limits
from headwise.dual.agreement import Flags, agreed
from headwise.treebank import Sentence
from headwise.trees import NoTreeError

LONGEST = 300
"""Words of a sentence whose tags are chosen so; those of longer ones are the tagger's."""
LIMITS = Limits(iterations=400)

Chosen = tuple[list[int], bool]
"""Tags by their numbers, and whether they are proved to be the best."""


class ExactChooser(ABC):
    """Chooses tags sentence by sentence."""

    def __init__(self, config: JointTagsConfig, tagger: Tagger, parser: Parser) -> None:
        own = parser.config
        others = own.network or own.tensor or own.has_whole_tree_features or parser.scorers
        require(
            config.way,
            larger_parts=own.has_larger_parts,
            projective=own.projective,
            features_alone=not others,
        )
        self.config, self.tagger, self.parser = config, tagger, parser

    def choose(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[Tagged]:
        ways = ways_to_tag(self.config, self.tagger, sentences, threads=threads)
        if threads == 1:
            found = list(map(self._labels, sentences, ways))
        else:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(self._labels, sentences, ways))
        tagged = self.tagger.with_labels(sentences, [labels for labels, _ in found], threads=threads)
        return [Tagged(sentence, exact) for sentence, (_, exact) in zip(tagged, found, strict=True)]

    def _labels(self, sentence: Sentence, ways: Sequence[Labels]) -> Chosen:
        if len(ways) == 1:
            return list(ways[0].numbers), True
        if len(sentence) > LONGEST:
            return list(ways[0].numbers), False
        return self.best(sentence, sense_scores(self.tagger, self.parser, sentence, ways))

    @abstractmethod
    def best(self, sentence: Sentence, scores: SenseScores) -> Chosen:
        """The best tags of a sentence."""


class Senses(ExactChooser):
    """Each tag has a score of its own."""

    def best(self, sentence: Sentence, scores: SenseScores) -> Chosen:
        _, senses = scores.search(self.config.parser_weight)(scores.losses)
        return scores.chosen(senses), True


class Agreement(ExactChooser):
    """Tagger and parser agree.

    What the tagger's best sequence with a tag loses is moved from the tagger to the parser before they begin.
    The sum of both stays what it was, and they agree sooner: the parser's first choice is that of ``senses``.
    """

    def best(self, sentence: Sentence, scores: SenseScores) -> Chosen:
        shared = _SharedTags(scores.labels)
        moved = scores.losses[shared.words + 1, shared.senses]
        lattice = _TagSearch(self.tagger, sentence, shared)
        search = scores.search(self.config.parser_weight)

        def tags(prices: Floats) -> tuple[float, Flags] | None:
            return lattice.best(prices - moved)

        def trees(prices: Floats) -> tuple[float, Flags] | None:
            try:
                score, senses = search(shared.by_sense(prices + moved, scores.losses.shape))
            except NoTreeError:
                return None
            return score, shared.on(senses)

        result = agreed(trees, tags, shared.choices, LIMITS)
        if result.assignment is None:
            return [own[0] for own in scores.labels], False
        return scores.chosen(shared.senses_of(result.assignment)), result.exact


class _SharedTags:
    """The variables: of each word that has several tags, which of them it takes."""

    def __init__(self, labels: Sequence[Sequence[int]]) -> None:
        self.labels = labels
        pairs = [(w, k) for w, own in enumerate(labels) if len(own) > 1 for k in range(len(own))]
        self.words, self.senses = np.array(pairs).T
        self.choices = [np.flatnonzero(self.words == word).tolist() for word in np.unique(self.words)]

    def on(self, senses: Sequence[int]) -> Flags:
        flags: Flags = (np.asarray(senses)[self.words] == self.senses).astype(np.int64)
        return flags

    def senses_of(self, on: npt.NDArray[np.integer[Any]]) -> list[int]:
        senses = np.zeros(len(self.labels), np.int64)
        senses[self.words[on > 0]] = self.senses[on > 0]
        found: list[int] = senses.tolist()
        return found

    def by_sense(self, prices: Floats, shape: tuple[int, ...]) -> Floats:
        """Prices of [word, sense], the root's row first."""
        table = np.full(shape, -math.inf)
        table[:, 0] = 0.0
        table[self.words + 1, self.senses] = prices
        return table


class _TagSearch:
    """The tagger's best sequence of tags, with prices on them."""

    def __init__(self, tagger: Tagger, sentence: Sentence, shared: _SharedTags) -> None:
        self._lattice, self._shared = tagger.lattice(sentence), shared
        of_label = [(upos, xpos, feats) for upos, xpos, feats in tagger.config.tags]
        self._candidates = [
            [tags.index(of_label[label]) for label in own]
            for tags, own in zip(self._lattice.tags, shared.labels, strict=True)
        ]
        """Of each word, the candidates that its tags are in the lattice."""
        self._firsts = np.cumsum([0, *map(len, self._lattice.tags)])
        self._places = np.array(
            [
                self._firsts[w] + self._candidates[w][k]
                for w, k in zip(shared.words, shared.senses, strict=True)
            ]
        )

    def best(self, prices: Floats) -> tuple[float, Flags] | None:
        spread = np.full(self._lattice.size, -math.inf)
        spread[[first + own[0] for first, own in zip(self._firsts, self._candidates, strict=False)]] = 0.0
        spread[self._places] = prices
        found, score = self._lattice.best(spread)
        if score == -math.inf:
            return None
        senses = [own.index(candidate) for own, candidate in zip(self._candidates, found, strict=True)]
        return score, self._shared.on(senses)


def require(way: str, *, larger_parts: bool, projective: bool, features_alone: bool) -> None:
    """HeadwiseError where a parser is none whose best trees with senses can be searched."""
    or_climb = "or choose tags by climbing (--joint-tags climb)."
    if not projective:
        raise HeadwiseError(
            f"joint tags by {way!r} need a parser of projective trees: train with --trees projective, "
            f"{or_climb}"
        )
    if larger_parts and not features_alone:
        raise HeadwiseError(
            f"joint tags by {way!r} above first order need a parser whose scores are those of features: "
            f"train without a network, a tensor and features of whole trees, {or_climb}"
        )
