"""Trees whose words have senses, by enumeration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from headwise.reference.distribution import EnumeratedTrees, Floats, Labels
from headwise.reference.enumeration import Heads
from headwise.reference.parts import Factorization


class EnumeratedSenses(EnumeratedTrees):
    """All projective trees with all choices of a sense, and a label, for every word.

    arcs: (n+1, n+1, K, K, L): [head, modifier, sense of the head, sense of the modifier, label]; the root has
    sense 0. The choice for a word, an entry of `labels`, is sense · L + label.
    """

    def __init__(self, arcs: Floats, *, single_root: bool) -> None:
        self.kinds_of_label = arcs.shape[4]
        super().__init__({"arcs": arcs}, single_root=single_root)

    def _choices(self) -> int | None:
        arcs = self.tables["arcs"]
        return int(arcs.shape[3] * arcs.shape[4])

    def _with_labels(self, arc: tuple[int, ...], labels: Labels) -> tuple[int, ...]:
        head, modifier = arc
        head_sense = labels[head - 1] // self.kinds_of_label if head else 0
        return (head, modifier, head_sense, *divmod(labels[modifier - 1], self.kinds_of_label))

    def arc_marginals(self) -> Floats:
        return np.asarray(self.marginals()["arcs"].sum(axis=(2, 3, 4)))

    def sense_marginals(self) -> Floats:
        senses = self.marginals()["arcs"].sum(axis=(0, 2, 4))
        senses[0, 0] = 1.0
        return np.asarray(senses)


class EnumeratedSenseParts(EnumeratedTrees):
    """The same with larger parts, and as many senses of each word as ``senses`` says.

    Tables are over nodes, each a word with one of its senses: the root, the senses of the first word, and
    so on.
    """

    def __init__(
        self,
        tables: Mapping[str, Floats],
        *,
        senses: Sequence[int],
        single_root: bool,
        factorization: Factorization,
    ) -> None:
        self.senses = list(senses)
        self.first_nodes = [0, *accumulate(senses[:-1], initial=1)]
        arcs = tables["arcs"]
        self.kinds_of_label = arcs.shape[2] if arcs.ndim == 3 else 1
        super().__init__(tables, single_root=single_root, factorization=factorization)

    def _word_count(self) -> int:
        return len(self.senses)

    def _choices(self) -> int | None:
        return max(self.senses) * self.kinds_of_label

    def score(self, heads: Heads, labels: Labels | None = None) -> float:
        pairs = zip(labels or (), self.senses, strict=True)
        if any(choice // self.kinds_of_label >= count for choice, count in pairs):
            return -math.inf
        return super().score(heads, labels)

    def parts(self, heads: Heads, labels: Labels | None) -> list[tuple[str, tuple[int, ...]]]:
        assert labels is not None
        nodes = [0]
        for first, choice in zip(self.first_nodes[1:], labels, strict=True):
            nodes.append(first + choice // self.kinds_of_label)
        found = []
        for name, index in super().parts(heads, None):
            first_word = 1 if name.endswith("_positions") else 0
            position, words = index[:first_word], index[first_word:]
            label: tuple[int, ...] = ()
            if name == "arcs" and self.tables["arcs"].ndim == 3:
                label = (labels[index[1] - 1] % self.kinds_of_label,)
            found.append((name, (*position, *(nodes[word] for word in words), *label)))
        return found

    def arc_marginals(self) -> Floats:
        arcs = self.marginals()["arcs"]
        of_nodes = arcs.sum(axis=2) if arcs.ndim == 3 else arcs
        return np.asarray(
            np.add.reduceat(np.add.reduceat(of_nodes, self.first_nodes, axis=0), self.first_nodes, axis=1)
        )
