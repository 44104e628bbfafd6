"""From a treebank to training examples: which kind of tree, which labels, which arcs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import Pruner
from headwise.base.errors import HeadwiseError
from headwise.training.partial import is_partial, without_crossings
from headwise.training.settings import TrainingSettings
from headwise.treebank import (
    Sentence,
    check_tree,
    crossing_arcs,
    is_projective,
    nonprojective_arcs,
    projectivize,
)
from headwise.trees.factorizations import PROJECTIVE_ONLY

NONPROJECTIVE_FROM = 0.01
"""With ``trees="auto"``: all trees are searched when at least this share of the arcs is non-projective."""
MULTI_ROOT_FROM = 0.01
"""With ``root="auto"``: several roots are allowed when this share of the sentences has them."""


@dataclass(frozen=True)
class TreeKind:
    """The kind of tree a parser searches, and what in the data decided it."""

    projective: bool
    single_root: bool
    crossing_share: float
    multi_root_share: float

    def __str__(self) -> str:
        trees = "projective" if self.projective else "non-projective"
        roots = "one root" if self.single_root else "several roots"
        return (
            f"{trees} trees with {roots} "
            f"({self.crossing_share:.1%} of the arcs are non-projective,"
            f" {self.multi_root_share:.1%} of the sentences have several roots)"
        )


def decide_tree_kind(sentences: Sequence[Sentence], settings: TrainingSettings) -> TreeKind:
    arcs = sum(int(np.count_nonzero(s.heads >= 0)) for s in sentences)
    crossing = sum(_nonprojective(s.heads) for s in sentences) / max(1, arcs)
    multi_root = sum(int(np.count_nonzero(s.heads == 0)) > 1 for s in sentences) / len(sentences)
    projective = settings.trees == "projective" or (
        settings.trees == "auto"
        and (crossing < NONPROJECTIVE_FROM or settings.factorization in PROJECTIVE_ONLY)
        and settings.learner != "samplerank"
        and settings.rival != "climbed"
    )
    single_root = settings.root == "single" or (settings.root == "auto" and multi_root < MULTI_ROOT_FROM)
    return TreeKind(projective, single_root, crossing, multi_root)


def _nonprojective(heads: npt.NDArray[np.int32]) -> int:
    """How many arcs are non-projective; of a partial tree, about half of those that cross another."""
    return len(crossing_arcs(heads)) // 2 if is_partial(heads) else len(nonprojective_arcs(heads))


def gold_heads(sentence: Sentence, kind: TreeKind, *, larger_parts: bool = False) -> npt.NDArray[np.int32]:
    """The tree to learn: the annotated one, or the nearest one of the kind that is searched.

    Partial trees are completed by a sum over trees, which is over projective ones where there are larger
    parts than arcs: whatever is searched, these lose arcs that cross others.
    """
    heads = sentence.heads
    if kind.single_root and np.count_nonzero(heads == 0) > 1:
        heads = first_root_only(heads)
    if is_partial(heads):
        heads = without_crossings(heads) if kind.projective or larger_parts else heads
    elif kind.projective and not is_projective(heads):
        heads = projectivize(heads, single_root=kind.single_root)
    return np.ascontiguousarray(heads, dtype=np.int32)


def first_root_only(heads: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Hang every root but the first under the first."""
    roots = np.flatnonzero(heads == 0)
    changed = heads.copy()
    changed[roots[1:]] = roots[0] + 1
    return changed


def check_training_trees(sentences: Sequence[Sentence]) -> None:
    """Trees may be partial."""
    for sentence in sentences:
        if problems := check_tree(sentence.heads, single_root=False, partial=True):
            raise HeadwiseError(
                f"{sentence.source}: the tree cannot be learned from: {problems[0]}. "
                "Mend the sentence or leave it out with --on-error skip."
            )


@dataclass(frozen=True)
class LabelInventory:
    """The labels of a treebank, most frequent first (so that the weights of frequent ones lie together)."""

    names: list[str]

    @classmethod
    def collect(cls, sentences: Sequence[Sentence]) -> LabelInventory:
        counts = Counter(
            label
            for sentence in sentences
            for head, label in zip(sentence.heads.tolist(), sentence.labels, strict=True)
            if head >= 0
        )
        return cls(sorted(counts, key=lambda label: (-counts[label], label)))

    def ids(self, labels: Sequence[str]) -> npt.NDArray[np.int32]:
        """The number of each label; -1 throughout when labels are not learned."""
        index = {name: i for i, name in enumerate(self.names)}
        return np.array([index.get(label, -1) for label in labels], dtype=np.int32)

    def on_arcs(
        self, sentences: Sequence[Sentence], trees: Sequence[npt.NDArray[np.int32]], tags: Sequence[str]
    ) -> list[int]:
        """Which labels occur on which arcs: (head tag, modifier tag, direction, label), flattened.

        The root's tag is the number after the last; direction 1 has the head on the left.
        """
        number = {tag: i for i, tag in enumerate(tags)}
        seen: set[tuple[int, int, int, int]] = set()
        for sentence, heads in zip(sentences, trees, strict=True):
            tag_of = [len(tags), *(number[tag] for tag in sentence.upos)]
            for m, (h, label) in enumerate(
                zip(heads.tolist(), self.ids(sentence.labels).tolist(), strict=True), 1
            ):
                if h >= 0:
                    seen.add((tag_of[h], tag_of[m], int(h < m), label))
        return [value for arc in sorted(seen) for value in arc]


@dataclass(frozen=True)
class Examples:
    """What a parser is trained on, and above first order the pruner of each example."""

    examples: Sequence[native.TrainingExample]
    pruners: Sequence[Pruner | None]
    cutoff: int = 0
    """Features that occur less often in their trees are not learned."""
    start: Callable[[Sequence[native.TrainingExample]], Mapping[str, npt.NDArray[np.float32]]] | None = None
    """What tables start from, found out from the examples that are learned from; None: from zero."""

    def add_to(
        self, trainer: native.Trainer | native.EgTrainer, seen: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.int64]:
        """Give a trainer all examples; returns how many arcs survived pruning, and how many gold ones.

        ``seen`` are those that it will learn from.
        """
        if self.start is not None:
            assert isinstance(trainer, native.Trainer)
            learned = self.examples if seen is None else [self.examples[i] for i in seen]
            for name, table in self.start(learned).items():
                trainer.start(name, table)
        counts = [trainer.add(*pair) for pair in zip(self.examples, self.pruners, strict=True)]
        if self.cutoff and isinstance(trainer, native.Trainer):
            trainer.freeze_rare(self.cutoff)
        totals: npt.NDArray[np.int64] = np.array(counts).sum(axis=0)
        return totals
