"""Two models that have to agree, by dual decomposition (Rush et al. 2010, section 4).

Each joined system says how its two models are searched and which variables they share; `headwise.dual`
does the rest: multipliers, proofs, the best solution that came up and its gap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.base.errors import ModelError
from headwise.components.parser import Parser
from headwise.components.parser.constraints import Constraints
from headwise.components.tagging import Tagger
from headwise.components.tagging.tagger import TagLattice
from headwise.constituency.model1 import LexicalizedForest, LexicalizedTree, Model1
from headwise.constituency.tree import Tree
from headwise.dual import Limits, Result
from headwise.dual.agreement import Flags, Search, agreed, only
from headwise.treebank import Sentence
from headwise.trees import NoTreeError, ProjectiveTrees

LIMITS = Limits(iterations=400)

_SHARE, _MORE_BEAM = 0.1, 1.0
"""A dependency parser may want trees that Model 1 finds improbable: with it, this share of the grammar's
threshold, and a beam that is so much wider."""
_WIDER = (1.0, 0.1, 0.01)
"""Thresholds to try where the two have no tree in common, as shares of the first."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class JoinedParse:
    """What two models agreed on."""

    tree: Tree
    heads: list[int]
    score: float
    """Of both models together."""
    bound: float
    """No tree scores higher."""
    exact: bool
    """Whether the tree is proved to be the best of those that both models consider."""
    iterations: int
    threshold: float
    """Phrases less probable than this under the coarse grammar were not considered."""
    result: Result | None = None
    """How it was found; None where the two have no tree in common, and Model 1 stands alone."""

    @property
    def gap(self) -> float:
        """By how much another tree may be better; 0 where none is."""
        return 0.0 if self.exact else self.bound - self.score


class PhraseAndDependencies:
    """Model 1 and a dependency parser agree on arcs (section 4.2): f₁(y) + γ f₂(d), d the dependencies of y.

    The parser is a projective one, trained on the dependencies that the grammar's head rules give.
    """

    def __init__(
        self, grammar: Model1, parser: Parser, weight: float = 1.0, *, threshold: float | None = None
    ) -> None:
        self.grammar, self.parser, self.weight = grammar, parser, weight
        self.threshold = _SHARE * grammar.threshold if threshold is None else threshold

    def parse(self, sentence: Sentence, limits: Limits = LIMITS) -> JoinedParse:
        """The tree on which both agree, of a sentence with tags in XPOS."""

        return _with_wider_forests(
            self.threshold, lambda at: self.agree(*self.considered(sentence, at), limits)
        )

    def considered(
        self, sentence: Sentence, threshold: float | None = None
    ) -> tuple[LexicalizedForest, ProjectiveTrees]:
        """What Model 1 considers, and of the trees with arcs of these what the parser does."""
        forest = self.forest(sentence, threshold)
        return forest, self._trees(sentence, Constraints(forbidden=_other_arcs(forest)))

    def agree(
        self, forest: LexicalizedForest, trees: ProjectiveTrees, limits: Limits = LIMITS
    ) -> JoinedParse:
        """The best tree of a forest, the scores of its arcs in dependency trees added."""
        arcs = np.array(forest.arcs, np.int64).reshape(-1, 2)
        # Arcs of both, so that each scores what the other proposes.
        heads, modifiers = arcs[trees.allowed_arcs()[arcs[:, 0], arcs[:, 1]]].T

        def on(chosen: Sequence[int]) -> Flags:
            flags: Flags = (np.asarray(chosen)[modifiers - 1] == heads).astype(np.int64)
            return flags

        def dependencies(prices: Floats) -> tuple[float, Flags] | None:
            try:
                found = trees.with_arc_prices(_table(forest, heads, modifiers, prices / self.weight)).argmax()
            except NoTreeError:
                return None
            return self.weight * found.score, on(found.tree.heads.tolist())

        def phrases(prices: Floats) -> LexicalizedTree | None:
            return forest.best(forest.prices(arcs=_table(forest, heads, modifiers, prices)))

        choices = [np.flatnonzero(modifiers == m).tolist() for m in range(1, len(forest.words) + 1)]
        return _agree(forest, phrases, lambda tree: on(tree.heads), dependencies, choices, limits)

    def restricted(self, sentence: Sentence) -> LexicalizedTree | None:
        """The paper's baseline: Model 1's best tree with the very arcs of the dependency parser, if any."""
        return self.restrict(self.forest(sentence), sentence)

    def restrict(self, forest: LexicalizedForest, sentence: Sentence) -> LexicalizedTree | None:
        """The same, of a forest."""
        heads = self._trees(sentence).argmax().tree.heads.astype(np.int64)
        modifiers = np.arange(1, len(forest.words) + 1)
        return forest.best(forest.prices(arcs=_table(forest, heads, modifiers, np.zeros(len(heads)))))

    def forest(self, sentence: Sentence, threshold: float | None = None) -> LexicalizedForest:
        """The trees of a sentence with its tags that Model 1 considers here."""
        return self.grammar.forest(
            sentence.forms,
            [[tag] for tag in sentence.xpos],
            threshold=self.threshold if threshold is None else threshold,
            beam=self.grammar.beam + _MORE_BEAM,
        )

    def _trees(self, sentence: Sentence, constraints: Constraints | None = None) -> ProjectiveTrees:
        trees = self.parser.distribution(sentence, constraints)
        if not isinstance(trees, ProjectiveTrees):
            raise ValueError("phrases have projective dependencies; train the parser with trees='projective'")
        return trees


class TaggerAndPhrases:
    """Model 1 and a trigram tagger agree on tags (section 4.1): f₁(y) + γ f₂(z), z the tags of y."""

    def __init__(self, grammar: Model1, tagger: Tagger, weight: float = 1.0) -> None:
        self.grammar, self.tagger, self.weight = grammar, tagger, weight

    def parse(self, words: Sequence[str], limits: Limits = LIMITS) -> JoinedParse:
        """The tree and tags on which both agree."""
        lattice = self.tagger.lattice(Sentence.from_words(words))
        candidates = [[xpos for _, xpos, _ in word] for word in lattice.tags]
        return _with_wider_forests(
            self.grammar.threshold,
            lambda at: self.agree(self.grammar.forest(words, candidates, threshold=at), lattice, limits),
        )

    def agree(self, forest: LexicalizedForest, lattice: TagLattice, limits: Limits = LIMITS) -> JoinedParse:
        """The best tree of a forest, the scores of its tags in a lattice added."""
        pairs = [(word, xpos) for word, tags in enumerate(lattice.tags) for _, xpos, _ in tags]
        places = {pair: k for k, pair in enumerate(pairs)}
        own = [(word, tag) for word, tags in enumerate(forest.tags) for tag in tags]
        shared = [pair for pair in own if pair in places]
        in_forest = np.array([k for k, pair in enumerate(own) if pair in places], np.int64)
        in_lattice = np.array([places[pair] for pair in shared], np.int64)

        def on(tags: Sequence[str]) -> Flags:
            return np.array([tags[word] == tag for word, tag in shared], np.int64)

        def tags(prices: Floats) -> tuple[float, Flags] | None:
            chosen, score = lattice.best(_spread(prices / self.weight, in_lattice, len(pairs)))
            names = [word[k][1] for k, word in zip(chosen, lattice.tags, strict=True)]
            return None if score == -math.inf else (self.weight * score, on(names))

        def phrases(prices: Floats) -> LexicalizedTree | None:
            return forest.best(forest.prices(tags=_spread(prices, in_forest, len(own))))

        choices = [
            [v for v, pair in enumerate(shared) if pair[0] == word] for word in range(len(forest.words))
        ]
        return _agree(forest, phrases, lambda tree: on(tree.tags), tags, choices, limits)


def _with_wider_forests(threshold: float, parse: Callable[[float], JoinedParse]) -> JoinedParse:
    """Where two models have no tree in common, Model 1 considers more trees."""
    for factor in _WIDER:
        joined = parse(threshold * factor)
        if joined.result is not None:
            break
    return joined


def _agree(
    forest: LexicalizedForest,
    phrases: Callable[[Floats], LexicalizedTree | None],
    on: Callable[[LexicalizedTree], Flags],
    other: Search,
    choices: Sequence[list[int]],
    limits: Limits,
) -> JoinedParse:
    """The tree of a forest that is best together with what another model makes of the same variables."""

    def search_phrases(prices: Floats) -> tuple[float, Flags] | None:
        tree = phrases(prices)
        return None if tree is None else (tree.score, on(tree))

    result = agreed(search_phrases, other, choices, limits)
    tree = None if result.assignment is None else phrases(only(result.assignment))
    if tree is not None:
        return JoinedParse(
            tree.tree,
            tree.heads,
            result.score,
            result.bound,
            result.exact,
            result.iterations,
            forest.threshold,
            result,
        )
    alone = forest.best()
    if alone is None:
        raise ModelError("the counts of the model give no tree a probability. Train it anew.")
    return JoinedParse(
        alone.tree, alone.heads, -math.inf, result.bound, False, result.iterations, forest.threshold
    )


def _other_arcs(forest: LexicalizedForest) -> list[tuple[int, int]]:
    """The arcs that no tree of a forest has."""
    n = len(forest.words)
    others = ~np.eye(n + 1, dtype=np.bool_)
    others[:, 0] = False
    others[tuple(np.array(forest.arcs).T)] = False
    return list(zip(*(places.tolist() for places in np.nonzero(others)), strict=True))


def _table(forest: LexicalizedForest, heads: Flags, modifiers: Flags, prices: Floats) -> Floats:
    """Prices as [head, modifier], −inf for all other arcs."""
    n = len(forest.words)
    table = np.full((n + 1, n + 1), -math.inf)
    table[heads, modifiers] = prices
    return table


def _spread(prices: Floats, places: Flags, size: int) -> Floats:
    """Prices at their places, −inf at all others."""
    spread = np.full(size, -math.inf)
    spread[places] = prices
    return spread
