"""What the tree of a sentence must have, and what it must not have.

Constraints say which arcs a tree may be made of, and all decoders keep to that: the result is the best tree
among those that are left, as surely as it is the best of all trees without constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise._native.trees import NoTreeError
from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence

Mask = npt.NDArray[np.bool_]
Arc = tuple[int, int]
"""Head and modifier."""


class ConstraintError(HeadwiseError):
    """Constraints that no tree satisfies."""


@dataclass(frozen=True)
class Constraints:
    """What is known of the tree of one sentence. Words count from 1; 0 is the root.

    Examples:
        >>> Constraints(heads=[2, -1, -1])            # the first word hangs from the second # doctest: +SKIP
        >>> Constraints(forbidden=[(3, 1)], required=[(0, 2)])                               # doctest: +SKIP
    """

    heads: Sequence[int] | None = None
    """The head of each word; −1 for those that are to be found."""
    labels: Sequence[str | None] | None = None
    """The label of each word; None for those that are to be found. Where labels are searched together with
    trees, a label that is known may also be one that training never showed between such words: a parse can
    then score more than without constraints."""
    required: Collection[Arc] = ()
    forbidden: Collection[Arc] = ()

    @classmethod
    def of_annotation(cls, sentence: Sentence) -> Constraints:
        """What is annotated stays: heads and labels that are there, where ``_`` stands for neither."""
        return cls(heads=sentence.heads.tolist(), labels=[None if x == "_" else x for x in sentence.labels])

    def allowed(self, sentence: Sentence) -> Mask | None:
        """``allowed[h, m]`` of all arcs; None where nothing is said of heads."""
        n = len(sentence)
        allowed = np.ones((n + 1, n + 1), np.bool_)
        known = {} if self.heads is None else _known_heads(sentence, self.heads)
        for h, m in self.required:
            self._check(sentence, h, m)
            if known.setdefault(m, h) != h:
                raise ConstraintError(
                    f"{sentence.source}: {_word(sentence, m)} cannot hang from both {known[m]} and {h}."
                )
        for m, h in known.items():
            self._check(sentence, h, m)
            allowed[:, m] = False
            allowed[h, m] = True
        for h, m in self.forbidden:
            self._check(sentence, h, m)
            allowed[h, m] = False
        return allowed if known or self.forbidden else None

    def label_of(self, sentence: Sentence) -> list[str | None] | None:
        """The labels that are known; None where there are none."""
        if self.labels is None or all(label is None for label in self.labels):
            return None
        if len(self.labels) != len(sentence):
            raise ConstraintError(
                f"{sentence.source}: {len(self.labels)} labels were given for {len(sentence)} words."
            )
        return list(self.labels)

    @staticmethod
    def _check(sentence: Sentence, h: int, m: int) -> None:
        n = len(sentence)
        if not (0 <= h <= n and 1 <= m <= n):
            raise ConstraintError(f"{sentence.source}: there is no arc from {h} to {m} among {n} words.")
        if h == m:
            raise ConstraintError(f"{sentence.source}: {_word(sentence, m)} cannot hang from itself.")


Given = Callable[[Sentence], Constraints | None] | Iterable[Constraints | None]
"""Constraints of a stream of sentences: a function of the sentence, or one entry for each."""
Task = tuple[Sentence, Constraints | None]


def tasks_of(sentences: Iterable[Sentence], constraints: Constraints | Given | None) -> Iterator[Task]:
    """Each sentence with its constraints."""
    if constraints is None or isinstance(constraints, Constraints):
        return ((sentence, constraints) for sentence in sentences)
    if callable(constraints):
        return ((sentence, constraints(sentence)) for sentence in sentences)
    return zip(sentences, constraints, strict=True)


def _known_heads(sentence: Sentence, heads: Sequence[int]) -> dict[int, int]:
    if len(heads) != len(sentence):
        raise ConstraintError(f"{sentence.source}: {len(heads)} heads were given for {len(sentence)} words.")
    return {m: int(h) for m, h in enumerate(heads, 1) if h >= 0}


def _word(sentence: Sentence, m: int) -> str:
    return f"word {m} ({sentence.forms[m - 1]})"


def has_tree(allowed: Mask, *, projective: bool, single_root: bool) -> bool:
    """Whether a tree can be made of the allowed arcs. O(n³)."""
    from headwise.trees import ProjectiveTrees, SpanningTrees

    kind = ProjectiveTrees if projective else SpanningTrees
    try:
        kind(np.where(allowed, 0.0, -np.inf), single_root=single_root).argmax()
    except NoTreeError:
        return False
    return True


def can_be_projective(sentence: Sentence, constraints: Constraints, *, single_root: bool) -> bool:
    """Whether a tree without crossing arcs satisfies the constraints. O(n³)."""
    allowed = constraints.allowed(sentence)
    return allowed is None or has_tree(allowed, projective=True, single_root=single_root)


def conflict(sentence: Sentence, allowed: Mask, *, projective: bool, single_root: bool) -> ConstraintError:
    """The error that names words whose constraints cannot all be satisfied: no fewer would conflict."""
    n = len(sentence)
    everything = np.ones((n + 1, n + 1), np.bool_)
    everything[np.arange(n + 1), np.arange(n + 1)] = False
    constrained = [m for m in range(1, n + 1) if not allowed[everything[:, m], m].all()]
    mask = allowed.copy()
    guilty = []
    for m in constrained:
        kept = mask[:, m].copy()
        mask[:, m] = everything[:, m]
        if has_tree(mask, projective=projective, single_root=single_root):
            mask[:, m] = kept
            guilty.append(m)
    what = [_described(sentence, allowed, m) for m in guilty]
    kind = ("projective trees" if projective else "trees") + (" with one root" if single_root else "")
    return ConstraintError(f"{sentence.source}: among {kind} there is none in which {', and '.join(what)}.")


def _described(sentence: Sentence, allowed: Mask, m: int) -> str:
    heads = np.flatnonzero(allowed[:, m])
    heads = heads[heads != m]
    if len(heads) == 1:
        above = "the root" if heads[0] == 0 else _word(sentence, int(heads[0]))
        return f"{_word(sentence, m)} hangs from {above}"
    if len(heads) == 0:
        return f"{_word(sentence, m)} has a head"
    if len(heads) <= 4:
        return f"{_word(sentence, m)} hangs from one of {', '.join(map(str, heads.tolist()))}"
    forbidden = [h for h in range(len(sentence) + 1) if h != m and not allowed[h, m]]
    return f"{_word(sentence, m)} does not hang from {', '.join(map(str, forbidden))}"
