"""All labelled trees of a short sentence under a parser with labels in its search, one by one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from headwise import Parser
from headwise.reference.distribution import EnumeratedTrees
from headwise.treebank import Sentence

Floats = npt.NDArray[np.float64]


class LabelledTrees:
    """Every tree with every labelling: scores of parts without labels, and those of labels beside them."""

    def __init__(self, parser: Parser, sentence: Sentence) -> None:
        no_labels = {**parser.weights, "labels": np.zeros_like(parser.weights["labels"])}
        bare, config = Parser(parser.config, no_labels), parser.config
        tables: dict[str, Floats] = {"arcs": bare.arc_scores(sentence)}
        for name, part in bare._scored(sentence).larger_parts().items():
            tables[name] = np.zeros([len(sentence) + 1] * part.nodes.shape[1])
            tables[name][tuple(part.nodes.T)] = part.values
        trees = EnumeratedTrees(
            tables,
            single_root=config.single_root,
            projective=config.projective,
            factorization=config.factorization,
        )
        self.heads = trees.heads
        self.labellings: list[Floats] = []
        """Of each tree, its score with every labelling: an axis a word."""
        for heads, score in zip(trees.heads, trees.scores, strict=True):
            labels = parser._native.label_scores(sentence, np.array(heads, np.int32))
            total = np.array(score)
            for word in labels.reshape(len(heads), -1):
                total = np.add.outer(total, word)
            self.labellings.append(total)

    def best(self) -> tuple[float, tuple[int, ...], tuple[int, ...]]:
        number = int(np.argmax([t.max() for t in self.labellings]))
        total = self.labellings[number]
        return float(total.max()), self.heads[number], np.unravel_index(int(total.argmax()), total.shape)  # type: ignore[return-value]

    def log_sums(self) -> Floats:
        """Of each tree, over its labellings."""
        return np.array([np.logaddexp.reduce(total, axis=None) for total in self.labellings])

    def keep(self, heads: list[int], labels: list[int]) -> None:
        """Only those with these heads and labels, where they are given (not −1)."""
        kept = [
            (own, total)
            for own, total in zip(self.heads, self.labellings, strict=True)
            if all(h in (-1, mine) for h, mine in zip(heads, own, strict=True))
        ]
        self.heads = [own for own, _ in kept]
        self.labellings = [total for _, total in kept]
        for total in self.labellings:
            for word, label in enumerate(labels):
                if label >= 0:
                    others = [other for other in range(total.shape[word]) if other != label]
                    np.moveaxis(total, word, 0)[others] = -np.inf
