"""States that are split and merged, and what comes of it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from headwise._native.clusters import BigramCounter
from headwise.model import ModelError
from headwise.treebank import Sentence
from headwise.words.clusters import (
    ClusterError,
    Clusters,
    HiddenMarkovClusters,
    SplitMergeSettings,
    Word,
    brown_clusters,
    hmm_clusters,
)
from hidden_markov_models import as_text, enumerated, expected, lines_of, random_lines, random_model

KINDS = {
    "det": ["the", "a", "every"],
    "noun": ["dog", "cat", "bird", "fish", "saw"],
    "verb": ["saw", "heard", "fed", "met"],
    "adverb": ["soon", "often"],
}


AFTER = {
    "start": {"det": 6, "adverb": 2, "noun": 2},
    "det": {"noun": 1},
    "noun": {"verb": 6, "adverb": 2, "stop": 2},
    "verb": {"det": 7, "adverb": 2, "stop": 1},
    "adverb": {"det": 6, "verb": 2, "stop": 2},
}


def sentences(count: int = 1500) -> list[bytes]:
    """Of a language that is a hidden Markov model of four states."""
    rng, lines = random.Random(1), []
    for _ in range(count):
        kind, line = "start", list[str]()
        while (kind := rng.choices(list(AFTER[kind]), list(AFTER[kind].values()))[0]) != "stop":
            line.append(rng.choice(KINDS[kind]))
        lines.append(" ".join(line).encode())
    return lines


SETTINGS = SplitMergeSettings(states=4, iterations=60, tolerance=1e-5)


@pytest.mark.parametrize("states", [1, 3, 10])
def test_a_split_doubles_states_and_without_noise_changes_nothing(states: int) -> None:
    text, model = as_text(random_lines(1, 6, 100, 8)), random_model(2, states, 7)
    split = model.split(0.0, 1)
    assert split.states == 2 * states
    assert expected(split, text).log_likelihood == pytest.approx(
        expected(model, text).log_likelihood, rel=1e-6
    )
    assert expected(split, text, merge_losses=True).merge_losses() == pytest.approx(0, abs=0.01)
    line = np.array([0, 3, 2, 2, 5], np.uint32)
    halves = split.posteriors(line).reshape(len(line), states, 2)
    np.testing.assert_allclose(halves.sum(2), model.posteriors(line).reshape(len(line), states), atol=2e-6)


def test_noise_makes_halves_differ_by_the_seed() -> None:
    model = random_model(2, 3, 7)
    split, again, other = model.split(0.2, 1), model.split(0.2, 1), model.split(0.2, 2)
    assert split.emissions.tolist() == again.emissions.tolist() != other.emissions.tolist()
    reference, parent = enumerated(split), enumerated(model)
    np.testing.assert_allclose(reference.emissions.sum(0), 1, rtol=1e-5)
    np.testing.assert_allclose(reference.transitions.sum(1) + reference.stop, 1, rtol=1e-5)
    ratios = reference.emissions[:, ::2] / parent.emissions
    assert (abs(ratios - 1) < 0.45).all()
    assert (abs(ratios - 1) > 1e-4).any()


def test_merging_the_halves_gives_the_model_back() -> None:
    model = random_model(5, 4, 6)
    back = enumerated(model.split(0.0, 1).merged(np.repeat(np.arange(4), 2).astype(np.int32), 4))
    for ours, theirs in zip(vars(back).values(), vars(enumerated(model)).values(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_a_merger_is_that_of_the_definition(seed: int) -> None:
    model = random_model(seed, 4, 5)
    shares = tuple((model.mass[:2] / model.mass[:2].sum()).tolist())
    merged = enumerated(model.merged(np.array([0, 0, 1, 2], np.int32), 3))
    reference = enumerated(model).merged((0, 1), shares)
    for ours, theirs in zip(vars(merged).values(), vars(reference).values(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_the_loss_of_a_merger_is_exact_for_lines_of_one_word(seed: int) -> None:
    lines = random_lines(seed, 5, 40, 1)
    text, model = as_text(lines), random_model(seed, 4, 6, stop=0.5)
    losses = expected(model, text, merge_losses=True).merge_losses()
    before = expected(model, text).log_likelihood
    for pair, target in enumerate(([0, 0, 1, 2], [0, 1, 2, 2])):
        after = expected(model.merged(np.array(target, np.int32), 3), text).log_likelihood
        assert losses[pair] == pytest.approx(before - after, rel=1e-3, abs=1e-3)


def one_place_loss(reference, line: list[int], place: int, shares: tuple[float, float]) -> float:
    """The log ratio of the likelihood and that of a line whose states 0 and 1 are one at a single place."""
    n, total = len(reference.start), 0.0
    forward = reference.start.copy()
    for word in line[:place]:
        forward = (forward * reference.emissions[word]) @ reference.transitions
    backward = reference.stop.copy()
    for word in reversed(line[place + 1 :]):
        backward = reference.transitions @ (reference.emissions[word] * backward)
    said = reference.emissions[line[place]] * backward
    total = (forward[0] + forward[1]) * (shares[0] * said[0] + shares[1] * said[1])
    total += sum(forward[s] * said[s] for s in range(2, n))
    return float(np.log(forward @ said) - np.log(total))


def test_the_loss_of_a_merger_is_the_sum_of_those_at_single_words() -> None:
    lines = random_lines(3, 5, 30, 5)
    text, model = as_text(lines), random_model(3, 4, 6)
    shares = tuple((model.mass[:2] / model.mass[:2].sum()).tolist())
    loss = sum(
        one_place_loss(enumerated(model), line, place, shares)
        for line in lines_of(lines)
        for place in range(len(line))
    )
    assert expected(model, text, merge_losses=True).merge_losses()[0] == pytest.approx(loss, rel=1e-3)


def test_losses_rank_mergers_as_their_true_losses_do() -> None:
    text = as_text(random_lines(4, 10, 300, 8))
    model = random_model(4, 6, 11)
    for _ in range(3):
        model = expected(model, text).most_likely(0.01)
    model = model.split(0.3, 1)
    for _ in range(10):
        model = expected(model, text).most_likely(0.01)
    losses = expected(model, text, merge_losses=True).merge_losses()
    before, true = expected(model, text).log_likelihood, []
    for pair in range(6):
        target = [state - (state > 2 * pair) for state in range(12)]
        true.append(before - expected(model.merged(np.array(target, np.int32), 11), text).log_likelihood)
    ranks = (np.argsort(np.argsort(losses)), np.argsort(np.argsort(true)))
    assert np.corrcoef(*ranks)[0, 1] > 0.7
    assert losses.sum() == pytest.approx(sum(true), rel=0.5)


def test_words_that_are_used_alike_come_into_one_state_and_context_tells_them_apart() -> None:
    run = hmm_clusters(sentences(), SETTINGS, min_count=1)
    for kind in ("det", "adverb"):
        assert len({run.clusters[word] for word in KINDS[kind]}) == 1
    assert len({run.clusters[word] for word in ("dog", "cat", "bird", "fish")}) == 1
    assert len({run.clusters[word] for word in ("heard", "fed", "met")}) == 1
    assert len(run.clusters.paths) == 4
    states = run.model.states(["the", "saw", "saw", "a", "dog"])
    assert states.paths[1:3] == [run.clusters["dog"], run.clusters["met"]]
    np.testing.assert_allclose(states.posteriors.sum(1), 1, atol=1e-5)
    assert states.posteriors.argmax(1).tolist() == states.best
    unknown = run.model.states(Sentence.from_words(["the", "unicorn", "fed", "a", "dog"]))
    assert unknown.paths[1] == run.clusters["dog"]


def test_a_tree_of_states_and_a_likelihood_that_rises() -> None:
    run = hmm_clusters(sentences(), SplitMergeSettings(states=7, iterations=20), min_count=1)
    paths = run.model.paths
    assert len(paths) == 7
    assert sum(2.0 ** -len(path) for path in paths) == 1.0
    assert not any(a != b and b.startswith(a) for a in paths for b in paths)
    assert [done.states for done in run.rounds] == [1, 2, 3, 5, 7]
    likelihoods = [done.log_likelihood for done in run.rounds]
    assert likelihoods == sorted(likelihoods)


def test_prefixes_of_brown_clusters_are_a_start() -> None:
    text = sentences()
    counter = BigramCounter()
    counter.add(b"\n".join(text))
    brown = brown_clusters(counter.bigrams(1), 6).clusters
    settings = SplitMergeSettings(states=5, iterations=20, bits=2)
    run = hmm_clusters(text, settings, min_count=1, start=brown)
    starts = {path[:2] for path in brown.paths}
    assert run.rounds[0].states == len(starts)
    assert {path[:2] for path in run.model.paths} == starts
    with pytest.raises(ClusterError, match="more than 2 states"):
        hmm_clusters(text, SplitMergeSettings(states=2, bits=2), start=brown)
    with pytest.raises(ClusterError, match="none of the words"):
        hmm_clusters(text, settings, start=Clusters([Word("unicorn", 1, "00"), Word("x", 1, "1")]))


def test_a_saved_model_says_the_same(tmp_path: Path) -> None:
    run = hmm_clusters(sentences(300), SplitMergeSettings(states=3, iterations=10), min_count=1)
    run.model.save(tmp_path / "states.hw")
    loaded = HiddenMarkovClusters.load(tmp_path / "states.hw")
    ours, theirs = (model.states(["every", "unicorn", "met"]) for model in (run.model, loaded))
    assert ours.posteriors.tobytes() == theirs.posteriors.tobytes()
    assert (ours.best, ours.paths) == (theirs.best, theirs.paths)
    assert loaded.config.training["settings"]["states"] == 3
    assert loaded.states([]).posteriors.shape == (0, 3)
    config, tensors = run.model.to_tensors()
    with pytest.raises(ModelError, match="emissions has the wrong size"):
        HiddenMarkovClusters.from_tensors({**config, "paths": ["0", "1"]}, {**tensors, **shrunk(tensors)})
    with pytest.raises(ModelError, match="are damaged"):
        HiddenMarkovClusters.from_tensors(config, {**tensors, "words": np.zeros(3, np.uint8)})


def shrunk(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    small = {name: tensors[name][:2] for name in ("start", "stop", "mass")}
    return {**small, "transitions": np.ascontiguousarray(tensors["transitions"][:2, :2])}


def test_what_is_done_is_told_and_can_be_interrupted() -> None:
    told: list[tuple[str, int, int]] = []

    def stop(*what: object) -> None:
        told.append(what)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hmm_clusters(sentences(4000), SETTINGS, progress=stop)
    assert told[0][0] == "iteration 1 with 1 states"
    assert 0 < told[0][1] < told[0][2]


@pytest.mark.parametrize(
    ("lines", "settings", "problem"),
    [
        ([], {}, "fewer than two"),
        ([b"a a a"], {}, "fewer than two"),
        ([b"a b a b"], {}, "fewer than 64 states"),
        ([b"a b"], {"states": 1}, "at least two"),
        ([b"a b"], {"noise": 1.5}, "noise is 1.5"),
        ([b"a b"], {"undone": 1.0}, "undone is 1.0"),
        ([b"a b"], {"smoothing": 0.0}, "smoothing is 0.0"),
        ([b"a b"], {"spread": -0.1}, "spread is -0.1"),
        ([b"a b"], {"iterations": 0}, "0 iterations"),
        ([b"a b"], {"bits": 0}, "0 bits"),
    ],
)
def test_bad_input_is_said_to_be(lines: list[bytes], settings: dict[str, float], problem: str) -> None:
    with pytest.raises(ClusterError, match=problem):
        hmm_clusters(lines, SplitMergeSettings(**settings))  # type: ignore[arg-type]
