"""Tags as a network learns them beside trees: by the numbers that a tagger of the treebank gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise.components.tagging.tagger import TaggerConfig
from headwise.components.tagging.train import word_tags
from headwise.treebank import Sentence

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TagTask:
    """The tags that there are, and those of every word of some sentences."""

    tags: list[list[str]]
    """UPOS, XPOS and FEATS of each."""
    train: list[Numbers]
    dev: list[Numbers]
    """−1 for a tag that is not in training."""

    @classmethod
    def of(cls, config: TaggerConfig, train: Sequence[Sentence], dev: Sequence[Sentence]) -> TagTask:
        """For a tagger of this configuration."""
        number = {tuple(tag): i for i, tag in enumerate(config.tags)}

        def numbers(sentences: Sequence[Sentence]) -> list[Numbers]:
            return [
                np.array([number.get(tag, -1) for tag in word_tags(sentence, config.columns)], np.int32)
                for sentence in sentences
            ]

        return cls(config.tags, numbers(train), numbers(dev))
