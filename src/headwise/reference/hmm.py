"""A hidden Markov model by enumeration of all sequences of states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class EnumeratedStates:
    """All sequences of states of a line of words, with their probabilities. O(Sⁿ)."""

    start: Numbers
    stop: Numbers
    transitions: Numbers
    """From × to."""
    emissions: Numbers
    """Words × states."""

    def probability(self, line: Sequence[int], states: Sequence[int]) -> float:
        """Of the words and the states together."""
        steps = prod(self.transitions[a, b] for a, b in pairwise(states))
        words = prod(self.emissions[word, state] for word, state in zip(line, states, strict=True))
        return float(self.start[states[0]] * steps * words * self.stop[states[-1]])

    def sequences(self, line: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
        for states in product(range(len(self.start)), repeat=len(line)):
            yield states, self.probability(line, states)

    def likelihood(self, line: Sequence[int]) -> float:
        return sum(p for _, p in self.sequences(line))

    def best(self, line: Sequence[int]) -> tuple[tuple[int, ...], float]:
        return max(self.sequences(line), key=lambda item: item[1])

    def posteriors(self, line: Sequence[int]) -> Numbers:
        """Words × states."""
        sums = np.zeros((len(line), len(self.start)))
        for states, p in self.sequences(line):
            sums[range(len(line)), states] += p
        return sums / self.likelihood(line)

    def expected_transitions(self, line: Sequence[int]) -> Numbers:
        """From × to."""
        sums = np.zeros_like(self.transitions)
        for states, p in self.sequences(line):
            for a, b in pairwise(states):
                sums[a, b] += p
        return sums / self.likelihood(line)

    def merged(self, pair: tuple[int, int], shares: tuple[float, float]) -> EnumeratedStates:
        """Two states as one, in the place of the first, with the shares that each has in it."""
        (a, b), (x, y) = pair, shares
        keep = [s for s in range(len(self.start)) if s != b]
        start, stop, transitions, emissions = (
            array.copy() for array in (self.start, self.stop, self.transitions, self.emissions)
        )
        start[a] += start[b]
        stop[a] = x * stop[a] + y * stop[b]
        transitions[a] = x * transitions[a] + y * transitions[b]
        transitions[:, a] += transitions[:, b]
        emissions[:, a] = x * emissions[:, a] + y * emissions[:, b]
        return EnumeratedStates(start[keep], stop[keep], transitions[np.ix_(keep, keep)], emissions[:, keep])
