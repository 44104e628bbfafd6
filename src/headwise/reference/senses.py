"""Trees whose words have senses, by enumeration."""

from __future__ import annotations

import numpy as np

from headwise.reference.distribution import EnumeratedTrees, Floats, Labels


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
