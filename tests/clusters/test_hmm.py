"""Hidden Markov models against the enumeration of all sequences of states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise._native.clusters import ExpectationStep, HiddenMarkovModel, WordLineCollector
from hidden_markov_models import as_text, enumerated, expected, lines_of, random_lines, random_model
from vector_widths import outputs_at_every_width

WORDS = 4


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=5))
def test_posteriors_and_best_states_are_those_of_all_sequences(
    seed: int, states: int, line: list[int]
) -> None:
    model = random_model(seed, states, WORDS)
    reference, words = enumerated(model), np.array(line, np.uint32)
    posteriors = model.posteriors(words).reshape(len(line), states)
    np.testing.assert_allclose(posteriors, reference.posteriors(line), atol=2e-6)
    np.testing.assert_allclose(posteriors.sum(1), 1, atol=2e-6)
    best, probability = reference.best(line)
    found = model.best_states(words).tolist()
    assert reference.probability(line, found) == pytest.approx(probability, rel=1e-6)
    assert len(best) == len(found)


@pytest.mark.parametrize("states", [1, 2, 3, 17])
def test_all_lines_of_one_length_and_shorter_ones_have_the_probability_of_stopping_by_then(
    states: int,
) -> None:
    """What start, transitions, emissions and stop say together is a distribution over lines."""
    model = random_model(states, states, WORDS)
    transitions = model.transitions.reshape(states, states)
    first, second = model.start, model.start @ transitions
    stopped = first @ model.stop + second @ model.stop
    lines = [[a] for a in range(WORDS)] + [[a, b] for a in range(WORDS) for b in range(WORDS)]
    probability = sum(enumerated(model).likelihood(line) for line in lines)
    assert probability == pytest.approx(float(stopped), rel=1e-5)


@pytest.mark.parametrize("states", [1, 2, 3])
def test_an_iteration_counts_what_all_sequences_have(states: int) -> None:
    lines = random_lines(states, WORDS, 12, 4)
    text, model = as_text(lines), random_model(7, states, WORDS + 1)
    reference, all_lines = enumerated(model), lines_of(lines)
    step = expected(model, text)
    assert step.log_likelihood == pytest.approx(
        sum(np.log(reference.likelihood(line)) for line in all_lines), rel=1e-6
    )
    posteriors = [reference.posteriors(line) for line in all_lines]
    start = sum(rows[0] for rows in posteriors)
    stop = sum(rows[-1] for rows in posteriors)
    leaving = sum(reference.expected_transitions(line) for line in all_lines)
    emissions = np.zeros((WORDS + 1, states))
    for line, rows in zip(all_lines, posteriors, strict=True):
        np.add.at(emissions, line, rows)
    learned = enumerated(step.most_likely(0.0))
    np.testing.assert_allclose(learned.start, start / start.sum(), atol=2e-6)
    np.testing.assert_allclose(learned.stop, stop / (stop + leaving.sum(1)), atol=2e-6)
    np.testing.assert_allclose(learned.transitions, leaving / (stop + leaving.sum(1))[:, None], atol=2e-6)
    np.testing.assert_allclose(learned.emissions, emissions / emissions.sum(0), atol=2e-6)
    np.testing.assert_allclose(step.most_likely(0.0).mass, emissions.sum(0), rtol=1e-5)
    assert step.state_of_words().tolist()[:WORDS] == emissions.argmax(1).tolist()[:WORDS]


@pytest.mark.parametrize("seed", range(5))
def test_em_never_lowers_the_likelihood(seed: int) -> None:
    text, model = as_text(random_lines(seed, 8, 200, 12)), random_model(seed, 5, 9)
    before = -np.inf
    for _ in range(30):
        step = expected(model, text)
        assert step.log_likelihood >= before - 1e-5 * abs(step.log_likelihood)
        before, model = step.log_likelihood, step.most_likely(0.0)
    first = expected(random_model(seed, 5, 9), text).log_likelihood
    assert before > first + 0.01 * abs(first)


def test_the_number_of_threads_changes_no_byte() -> None:
    text, model = as_text(random_lines(3, 30, 4000, 20)), random_model(3, 20, 31)

    def bytes_of(threads: int) -> tuple[bytes, ...]:
        step = expected(model, text, threads=threads)
        learned = step.most_likely(0.01)
        losses = expected(model, text, threads=threads, merge_losses=True).merge_losses()
        arrays = (learned.start, learned.stop, learned.transitions, learned.emissions, learned.mass, losses)
        return (
            *(np.ascontiguousarray(a).tobytes() for a in arrays),
            np.float64(step.log_likelihood).tobytes(),
        )

    assert bytes_of(1) == bytes_of(2) == bytes_of(5)


PROGRAM = """
import hashlib
from hidden_markov_models import as_text, expected, random_lines, random_model

text, model = as_text(random_lines(3, 30, 300, 20)), random_model(3, 38, 31)
learned = expected(model, text).most_likely(0.01)
print(hashlib.sha256(learned.transitions.tobytes() + learned.emissions.tobytes()).hexdigest())
print(expected(model, text, merge_losses=True).merge_losses().tolist())
"""


def test_the_width_of_vectors_changes_no_byte() -> None:
    assert len(outputs_at_every_width(PROGRAM)) == 1


def test_a_line_that_is_longer_than_a_block_is_cut() -> None:
    collector = WordLineCollector()
    collector.add(b"a b b a " * 3000)
    text, model = collector.lines(1), random_model(1, 3, 3)
    parts = WordLineCollector()
    words = (b"a b b a " * 3000).split()
    for begin in range(0, len(words), 4096):
        parts.add(b" ".join(words[begin : begin + 4096]))
    assert expected(model, text).log_likelihood == expected(model, parts.lines(1)).log_likelihood


def test_words_that_are_too_rare_are_one() -> None:
    collector = WordLineCollector()
    collector.add(b"a b a\tc d\r\n\n  \na  b e\n", " ")
    text = collector.lines(2)
    assert (collector.words, collector.vocabulary) == (7, 5)
    assert text.words == ["a", "b"]
    assert text.counts == [2, 2, 3]
    assert (text.lines, text.running) == (2, 7)


def test_a_model_of_groups_is_what_the_groups_count() -> None:
    collector = WordLineCollector()
    collector.add(b"a b\na a b\nb")
    text = collector.lines(1)
    model = enumerated(HiddenMarkovModel.of_groups(text, np.array([0, 1, -1], np.int32), 2, 0.0, 0.0))
    np.testing.assert_allclose(model.start, [2 / 3, 1 / 3], rtol=1e-6)
    np.testing.assert_allclose(model.transitions, [[1 / 3, 2 / 3], [0, 0]], rtol=1e-6)
    np.testing.assert_allclose(model.stop, [0, 1], rtol=1e-6)
    np.testing.assert_allclose(model.emissions, [[1, 0], [0, 1], [0, 0]], rtol=1e-6)
    even = enumerated(HiddenMarkovModel.of_groups(text, np.array([0, 1, -1], np.int32), 2, 1.0, 0.0))
    np.testing.assert_allclose(even.emissions, [[0.5, 0.5], [0.5, 0.5], [0, 0]], rtol=1e-6)


def test_what_cannot_be_is_said_to_be() -> None:
    text, model = as_text([[0, 1], [1]]), random_model(1, 3, 3)
    with pytest.raises(ValueError, match="no word of that number"):
        model.posteriors(np.array([3], np.uint32))
    with pytest.raises(ValueError, match="other words"):
        ExpectationStep(random_model(1, 3, 2), text)
    with pytest.raises(ValueError, match="no pairs"):
        ExpectationStep(model, text, 1, True)
    with pytest.raises(ValueError, match="group that is not there"):
        HiddenMarkovModel.of_groups(text, np.array([0, 2, -1], np.int32), 2, 0.0, 0.0)
    with pytest.raises(ValueError, match="needs a group"):
        HiddenMarkovModel.of_groups(text, np.array([0, 1], np.int32), 2, 0.0, 0.0)
    with pytest.raises(ValueError, match="no text"):
        ExpectationStep(random_model(1, 2, 1), WordLineCollector().lines(1))
    with pytest.raises(ValueError, match="no probabilities"):
        HiddenMarkovModel.of_arrays(
            *(1, 1),
            *(np.array([x], np.float32) for x in (1, 0.5, 0.5, np.nan)),
            np.ones(1),
        )
    with pytest.raises(RuntimeError, match="not done"):
        _ = ExpectationStep(model, text).log_likelihood
    assert (
        model.posteriors(np.array([], np.uint32)).size == model.best_states(np.array([], np.uint32)).size == 0
    )
