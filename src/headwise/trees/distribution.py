"""One set of verbs for every structure."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise._native import trees as native
from headwise.trees.batch import Batch
from headwise.trees.checks import Floats, check_acyclic, float_array, word_integers
from headwise.trees.parts import Marginals, Parts
from headwise.trees.tree import Integers, Solution, Tree


def _made(kind: type[Distribution], args: tuple[Any, ...], options: dict[str, Any]) -> Distribution:
    return kind(*args, **options)


class Distribution(ABC):
    """A distribution over the dependency trees of a sentence, p(tree) ∝ exp(score(tree)).

    A structure says which trees there are and how they are scored; the verbs are the same on all of them.
    A distribution does not change once it is made, and may be used from several threads; `Batch` applies a
    verb to many distributions. Where the mask leaves no tree, the verbs raise `NoTreeError`.
    """

    projective: ClassVar[bool]
    words: int
    label_count: int | None
    sense_count: int | None = None
    single_root: bool
    _problem: native.Distribution
    _arcs: Floats  # (n+1, n+1, L), −inf where forbidden

    _made_of: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **options: Any) -> Self:
        made = super().__new__(cls)
        made._made_of = (args, options)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """As what it was made of, so that distributions can be pickled and copied."""
        return _made, (type(self), *self._made_of)

    def argmax(self) -> Solution:
        """The tree of the greatest score. Ties are broken by a fixed rule."""
        return Batch((self,)).argmax()[0]

    def top_k(self, k: int) -> list[Solution]:
        """The k trees of greatest score, best first, all different; fewer when there are not so many."""
        return Batch((self,)).top_k(k)[0]

    def log_partition(self) -> float:
        """The logarithm of the sum of exp(score) over all trees."""
        return Batch((self,)).log_partition()[0]

    def marginals(self) -> Marginals:
        """The probability of every arc, label and other part. Those of the heads of a word sum to one."""
        return Batch((self,)).marginals()[0]

    def entropy(self) -> float:
        """The entropy in nats."""
        return Batch((self,)).entropy()[0]

    def log_prob(self, tree: Tree | ArrayLike) -> float:
        """The log-probability of a tree, or of bare heads without labels; −inf if it is excluded."""
        return Batch((self,)).log_prob([tree if isinstance(tree, Tree) else Tree(np.asarray(tree))])[0]

    def kl_divergence(self, other: Distribution) -> float:
        """KL(self ‖ other) in nats; infinite when `other` lacks a tree that this distribution has."""
        return Batch((self,)).kl_divergence([other])[0]

    def sample(self, k: int = 1, *, seed: int, replacement: bool = True) -> list[Tree]:
        """k trees drawn independently, exactly; or, without replacement, one after the other from those left.

        The same seed gives the same trees. Without replacement there may be fewer than k.
        """
        return Batch((self,)).sample(k, seed=seed, replacement=replacement)[0]

    def minimum_risk(self, *, projective: bool | None = None) -> Solution:
        """The tree with the largest expected number of correct arcs (Smith and Smith 2007, section 4).

        With labels, of correct labelled arcs. `projective` asks for a projective tree or for any tree, by
        default as the structure is. The score is the expected number.
        """
        return Batch((self,)).minimum_risk(projective=projective)[0]

    def count(self) -> int:
        """The number of (labelled) trees that do not score −inf, exactly."""
        return Batch((self,)).count()[0]

    def expectation(self, **tables: ArrayLike) -> float:
        """The expected total of a function of the parts, given as tables named as the score tables are.

        `expectation(arcs=loss)` is the risk of a random tree under an arc-wise loss. `arcs` may be over arcs,
        (n+1, n+1), over labelled arcs, or laid out as the scores of the arcs are.
        """
        marginals = self.marginals()
        total = 0.0
        for name, table in tables.items():
            values = float_array(name, table)
            if np.isnan(values).any():
                raise ValueError(f"{name} must not contain NaN")
            probability = getattr(marginals, name, None)
            by_sense = marginals.sense_arcs
            if name == "arcs" and by_sense is not None and values.shape == by_sense.shape:
                probability = by_sense
            elif name == "arcs" and values.ndim > 2:
                probability = marginals.labels if values.ndim == 3 else marginals.sense_arcs
            if probability is None:
                raise ValueError(f"{name} is not a table of parts of this distribution")
            weights = probability.values if isinstance(probability, Parts) else probability
            if values.shape != weights.shape:
                raise ValueError(f"{name} must have shape {weights.shape}, not {values.shape}")
            present = weights > 0
            total += float(np.dot(weights[present], values[present]))
        return total

    @abstractmethod
    def _aligned_with(self, other: Distribution) -> tuple[native.Distribution, native.Distribution]:
        """Both distributions over the same items."""

    def _allowed(self) -> NDArray[np.bool_]:
        """Which arcs the mask leaves."""
        return np.asarray((self._arcs > -np.inf).any(axis=2))

    def _allowed_between_words(self) -> NDArray[np.bool_]:
        return self._allowed()

    def _log_count_bound(self) -> float:
        """The logarithm of a number that there are not more trees than."""
        choices = (self._arcs[:, 1:] > -np.inf).sum(axis=2)
        if not choices.any(axis=0).all():
            return -np.inf
        bound = float(np.log(choices.sum(axis=0)).sum())
        if not self.projective:
            return bound
        # (3n choose n) / (2n + 1) < (27/4)ⁿ trees are projective; then what each arc has to choose at most.
        return min(bound, self.words * math.log(27 / 4) + float(np.log(choices.max(axis=0)).sum()))

    def _marginal_tables(self) -> dict[str, Floats]:
        """Zeroed arrays for the native marginals."""
        return {"labels": np.zeros(self._arcs.shape)}

    def _marginals(self, tables: dict[str, Floats]) -> Marginals:
        """The native marginals in the layout of the scores."""
        return Marginals(*self._arc_marginals(tables["labels"]))

    def _arc_marginals(self, labels: Floats) -> tuple[Floats, Floats | None]:
        """Marginals of arcs, and of labelled arcs where there are labels."""
        return (labels[:, :, 0], None) if self.label_count is None else (labels.sum(axis=2), labels)

    def _checked_tree(self, tree: Tree) -> tuple[list[int], list[int], list[int]]:
        """The heads, labels and senses of a tree, the latter empty where there are none to choose from."""
        heads = word_integers("heads", tree.heads, self.words, 0, self.words)
        check_acyclic("heads", heads)
        return (
            heads.tolist(),
            self._checked_choices("labels", tree.labels, self.label_count),
            self._checked_choices("senses", tree.senses, self.sense_count),
        )

    def _checked_choices(self, name: str, choices: Integers | None, count: int | None) -> list[int]:
        if count is None:
            return []
        if choices is None:
            raise ValueError(f"{name} must be given: this is a distribution over trees with {name}")
        return [int(choice) for choice in word_integers(name, choices, self.words, 0, count - 1)]

    def _minimum_risk(self, marginals: Marginals, projective: bool) -> Solution:
        gains = marginals.arcs if marginals.labels is None else marginals.labels.max(axis=2)
        gains = np.where(self._allowed_between_words(), gains, -np.inf)
        decode = native.decode_projective if projective else native.decode_nonprojective
        heads, score = decode(gains, self.single_root)
        if score == -np.inf:
            raise native.NoTreeError("no projective tree is left under the mask")
        labels = senses = None
        if marginals.labels is not None:
            labels = marginals.labels[heads, np.arange(1, self.words + 1)].argmax(axis=1).astype(np.int32)
        if marginals.senses is not None:
            senses = marginals.senses[1:].argmax(axis=1).astype(np.int32)
        return Solution(Tree(heads, labels, senses), score, score, True)
