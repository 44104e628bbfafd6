"""Clusters that depend on the sentence: the states of a hidden Markov model (Koo 2010, section 3.5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import clusters as native
from headwise.model import Stored, Table, Tensors
from headwise.model.packing import pack_text, unpack_text
from headwise.model.stored import Shapes
from headwise.treebank import Sentence

MOST_WORDS = 1 << 22
"""Far more than is of use."""


@dataclass(frozen=True)
class HiddenMarkovConfig:
    """Everything about a hidden Markov model but its probabilities and words."""

    paths: list[str]
    """Of each state, the path from the root of the tree of states."""
    training: dict[str, Any] = field(default_factory=dict)
    """How the model was made: settings, the size of the text, its likelihood."""


@dataclass(frozen=True)
class TokenStates:
    """The states of the words of one sentence."""

    posteriors: npt.NDArray[np.float32]
    """Words × states: how probable each state is, given the whole sentence."""
    best: list[int]
    """The most probable sequence of states (Viterbi)."""
    paths: list[str]
    """The paths of these in the tree of states."""


class HiddenMarkovClusters(Stored):
    """A hidden Markov model of text whose states are clusters of words in context.

    Examples:
        >>> model = HiddenMarkovClusters.load("states.hw")              # doctest: +SKIP
        >>> model.states(["She", "saw", "a", "saw"]).paths              # doctest: +SKIP
        ['0010', '110', '0111', '1011']
    """

    KIND = "hidden Markov model"
    CONFIG = HiddenMarkovConfig

    def __init__(self, config: HiddenMarkovConfig, tensors: Tensors) -> None:
        self.config, self._tensors = config, tensors
        self.words = unpack_text(tensors["words"]).decode().split("\n")[:-1]
        self._native = native.HiddenMarkovModel.of_arrays(
            len(config.paths),
            len(self.words) + 1,
            *(tensors[name].ravel() for name in ("start", "stop", "transitions", "emissions", "mass")),
        )

    @classmethod
    def own_tables(cls, config: HiddenMarkovConfig, shapes: Shapes) -> dict[str, Table]:
        states = len(config.paths)
        return {
            "start": Table.floats(states),
            "stop": Table.floats(states),
            "transitions": Table.of(np.float32, states, states),
            "emissions": Table(np.float32, states * MOST_WORDS, shape=(None, states)),
            "mass": Table(np.float64, states, largest=1e15),
            "words": Table(np.uint8),
        }

    @classmethod
    def made_of(cls, config: HiddenMarkovConfig, tensors: Tensors) -> HiddenMarkovClusters:
        return cls(config, tensors)

    def parts(self) -> tuple[HiddenMarkovConfig, Tensors]:
        return self.config, self._tensors

    @classmethod
    def of_model(
        cls,
        model: native.HiddenMarkovModel,
        words: Sequence[str],
        paths: Sequence[str],
        training: dict[str, Any] | None = None,
    ) -> HiddenMarkovClusters:
        """From probabilities, the words but for the unknown one, and the paths of the states."""
        emissions = model.emissions.reshape(model.words, model.states)
        if not emissions[-1].any():
            emissions[-1] = 1  # there was no unknown word in the text: then it says nothing of its state
        tensors: Tensors = {
            "start": model.start,
            "stop": model.stop,
            "transitions": model.transitions.reshape(model.states, model.states),
            "emissions": emissions,
            "mass": model.mass,
            "words": pack_text("".join(f"{word}\n" for word in words)),
        }
        return cls(HiddenMarkovConfig(list(paths), training or {}), tensors)

    @property
    def paths(self) -> list[str]:
        """Of each state, the path from the root of the tree of states: a prefix of it is a larger cluster."""
        return self.config.paths

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def states(self, sentence: Sentence | Sequence[str]) -> TokenStates:
        """The states of every word of a sentence. O(n · S²) time for n words and S states."""
        forms = sentence.forms if isinstance(sentence, Sentence) else sentence
        unknown = len(self.words)
        line = np.array([self._numbers.get(form, unknown) for form in forms], np.uint32)
        best = self._native.best_states(line).tolist()
        posteriors = self._native.posteriors(line).reshape(len(line), len(self.paths))
        return TokenStates(posteriors, best, [self.paths[state] for state in best])
