"""Small random hidden Markov models, and texts for them."""

from __future__ import annotations

import numpy as np

from headwise._native.clusters import ExpectationStep, HiddenMarkovModel, WordLineCollector, WordLines
from headwise.reference.hmm import EnumeratedStates


def random_model(seed: int, states: int, words: int, *, stop: float | None = None) -> HiddenMarkovModel:
    """With the same probability to stop in every state, where one is given."""
    rng = np.random.default_rng(seed)
    leaving = rng.dirichlet(np.ones(states + 1), states)
    if stop is not None:
        leaving = np.full((states, states + 1), stop)
        leaving[:, :-1] = rng.dirichlet(np.ones(states), states) * (1 - stop)
    return HiddenMarkovModel.of_arrays(
        states,
        words,
        rng.dirichlet(np.ones(states)).astype(np.float32),
        leaving[:, -1].astype(np.float32),
        leaving[:, :-1].ravel().astype(np.float32),
        rng.dirichlet(np.ones(words), states).T.ravel().astype(np.float32),
        rng.uniform(1, 10, states),
    )


def enumerated(model: HiddenMarkovModel) -> EnumeratedStates:
    n = model.states
    start, stop, transitions, emissions = (
        np.asarray(array, np.float64)
        for array in (model.start, model.stop, model.transitions, model.emissions)
    )
    return EnumeratedStates(start, stop, transitions.reshape(n, n), emissions.reshape(-1, n))


def random_lines(seed: int, words: int, lines: int, longest: int) -> list[list[int]]:
    """Every word is there, so that it has a number."""
    rng = np.random.default_rng(seed)
    return [[w] for w in range(words)] + [
        rng.integers(0, words, rng.integers(1, longest + 1)).tolist() for _ in range(lines)
    ]


def as_text(lines: list[list[int]]) -> WordLines:
    """Word k is spelled so, and occurs so often, that its number is k."""
    counts = [sum(line.count(word) for line in lines) for word in range(max(map(max, lines)) + 1)]
    collector = WordLineCollector()
    for line in lines:
        collector.add(" ".join(f"{word:03}" for word in line).encode())
    most = max(counts)
    for word, count in enumerate(counts):  # more of the first ones
        missing = most + len(counts) - word - count
        collector.add(f"{word:03}\n".encode() * missing)
    text = collector.lines(1)
    assert text.words == [f"{word:03}" for word in range(len(counts))]
    return text


def lines_of(lines: list[list[int]]) -> list[list[int]]:
    """The lines of `as_text`, with those that it adds."""
    counts = [sum(line.count(word) for line in lines) for word in range(max(map(max, lines)) + 1)]
    most = max(counts)
    return lines + [
        [word] for word, count in enumerate(counts) for _ in range(most + len(counts) - word - count)
    ]


def expected(
    model: HiddenMarkovModel, text: WordLines, *, threads: int = 1, merge_losses: bool = False
) -> ExpectationStep:
    step = ExpectationStep(model, text, threads, merge_losses)
    while step.advance():
        pass
    return step
