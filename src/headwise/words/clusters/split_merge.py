"""Learning a hidden Markov model by splitting and merging states (Koo 2010, 3.5.1; Petrov et al. 2006).

From a model of few states: every state is split in two, EM makes the halves different, and the half of the
splits that the likelihood would miss least is undone. What is left after some rounds is a binary tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

import numpy as np

from headwise._native import clusters as native
from headwise.words.clusters.brown import Progress
from headwise.words.clusters.clusters import Clusters, Word
from headwise.words.clusters.files import ClusterError
from headwise.words.clusters.hierarchy import prefixes
from headwise.words.clusters.hmm import HiddenMarkovClusters


@dataclass(frozen=True)
class SplitMergeSettings:
    """How states are split, merged, and learned."""

    states: int = 64
    undone: float = 0.5
    """The share of splits that is undone in every round."""
    iterations: int = 20
    """Of EM after every split, at most; after a merger, a quarter of it."""
    tolerance: float = 1e-3
    """EM stops when an iteration of the second half gains less than this, in nats a word."""
    noise: float = 0.1
    """By how much of a probability the halves of a state differ at first, at most."""
    smoothing: float = 0.01
    """What is added to the expected number of every transition, so that none is impossible."""
    bits: int = 4
    """Where clusters are given: their prefixes of so many bits are the first states."""
    spread: float = 0.1
    """There, the share of a word that is not in the state of its cluster at first, but evenly in all."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.states < 2:
            raise ClusterError(f"{self.states} states: there must be at least two.")
        if not 0 <= self.undone < 1:
            raise ClusterError(f"undone is {self.undone}: it is at least 0 and less than 1.")
        if self.iterations < 1:
            raise ClusterError(f"{self.iterations} iterations: there must be at least one.")
        if not 0 <= self.noise < 1:
            raise ClusterError(f"noise is {self.noise}: it is at least 0 and less than 1.")
        if not self.smoothing > 0:
            raise ClusterError(f"smoothing is {self.smoothing}: it must be more than 0.")
        if not 0 <= self.spread <= 1:
            raise ClusterError(f"spread is {self.spread}: it is a share, between 0 and 1.")
        if self.bits < 1:
            raise ClusterError(f"{self.bits} bits: there must be at least one.")


@dataclass(frozen=True)
class Round:
    """What came of one round."""

    states: int
    log_likelihood: float
    """Of the text, in nats a word, with ends of lines; before the last iteration of EM."""
    iterations: int


@dataclass(frozen=True)
class HiddenMarkovRun:
    """A model, and every word in the state that it is most often expected in."""

    model: HiddenMarkovClusters
    clusters: Clusters
    rounds: list[Round] = field(default_factory=list)


def hmm_clusters(
    text: native.WordLineCollector | Iterable[bytes],
    settings: SplitMergeSettings | None = None,
    *,
    min_count: int = 2,
    start: Clusters | None = None,
    separator: str = " ",
    threads: int = 1,
    progress: Progress = lambda *_: None,
) -> HiddenMarkovRun:
    """Cluster words, in context and out of it, by the states of a hidden Markov model.

    An iteration of EM takes O(n · S²) time for n running words and S states.

    Args:
        text: lines of words, or what has collected them.
        min_count: words that occur less often are one word.
        start: clusters, such as Brown's, whose prefixes are the first states; without, there is one at first.
        separator: between the words of lines.
        threads: what comes out does not depend on it.
        progress: is told what is being done, and how many words of the text are done.
    """
    settings = settings or SplitMergeSettings()
    if isinstance(text, native.WordLineCollector):
        collector = text
    else:
        collector = native.WordLineCollector()
        for line in text:
            collector.add(line, separator)
    lines = collector.lines(min_count)
    if len(lines.words) < 2:
        raise ClusterError("there are fewer than two different words to cluster that occur often enough.")
    if len(lines.words) < settings.states:
        raise ClusterError(
            f"there are {len(lines.words)} different words that occur often enough, fewer than "
            f"{settings.states} states; ask for fewer, take rarer words too, or give more text."
        )
    return _Learner(lines, settings, threads, progress).run(start)


class _Learner:
    def __init__(
        self, lines: native.WordLines, settings: SplitMergeSettings, threads: int, progress: Progress
    ) -> None:
        self.lines, self.settings, self.threads, self.progress = lines, settings, threads, progress

    def run(self, start: Clusters | None) -> HiddenMarkovRun:
        settings, rounds = self.settings, list[Round]()
        model, paths = self.first(start)
        if len(paths) > settings.states:
            raise ClusterError(
                f"the prefixes of {settings.bits} bits are {len(paths)} clusters, more than "
                f"{settings.states} states; take shorter prefixes, or more states."
            )
        while True:
            # The splits of the last round are undone before, and its states learned as long as after a split.
            last = len(paths) == settings.states
            model, done = self.learned(
                model, settings.iterations if last or not rounds else settings.iterations // 4
            )
            rounds.append(done)
            if last:
                break
            model, paths = self.refined(model, paths, seed=settings.seed + len(rounds))
        step = self.expected(model, "finding the states of words")
        words = zip(self.lines.words, self.lines.counts, step.state_of_words().tolist(), strict=False)
        clusters = Clusters(Word(form, count, paths[state] or "0") for form, count, state in words)
        training = {
            "settings": asdict(settings),
            "words": self.lines.running,
            "lines": self.lines.lines,
            "log_likelihood": step.log_likelihood / self.lines.running,
        }
        return HiddenMarkovRun(
            HiddenMarkovClusters.of_model(model, self.lines.words, paths, training), clusters, rounds
        )

    def first(self, start: Clusters | None) -> tuple[native.HiddenMarkovModel, list[str]]:
        """One state, or one for each prefix of clusters."""
        paths = [""] if start is None else sorted(prefixes(start.paths, self.settings.bits))
        groups = np.full(len(self.lines.words) + 1, -1, np.int32)
        if start is not None:
            number = {path: n for n, path in enumerate(paths)}
            for at, word in enumerate(self.lines.words):
                if word in start:
                    groups[at] = number[start[word][: self.settings.bits]]
            if (groups < 0).all():
                raise ClusterError("none of the words of the text is in the clusters to start from.")
        model = native.HiddenMarkovModel.of_groups(
            self.lines, groups, len(paths), self.settings.spread, self.settings.smoothing
        )
        return model, paths

    def refined(
        self, model: native.HiddenMarkovModel, paths: list[str], seed: int
    ) -> tuple[native.HiddenMarkovModel, list[str]]:
        """All states split, and the least useful splits undone; at most as many states as were asked for."""
        old = len(paths)
        model, _ = self.learned(model.split(self.settings.noise, seed), self.settings.iterations)
        undone = max(int(self.settings.undone * old), 2 * old - self.settings.states)
        losses = self.expected(model, f"merging some of {2 * old} states", merge_losses=True).merge_losses()
        merged = set(np.argsort(losses, kind="stable")[:undone].tolist())
        target, kept = list[int](), list[str]()
        for state, path in enumerate(paths):
            halves = [path] if state in merged else [path + "0", path + "1"]
            target += [len(kept), len(kept) + len(halves) - 1]
            kept += halves
        return model.merged(np.array(target, np.int32), len(kept)), kept

    def learned(
        self, model: native.HiddenMarkovModel, iterations: int
    ) -> tuple[native.HiddenMarkovModel, Round]:
        """The EM algorithm."""
        likelihood, before, iteration = 0.0, -np.inf, 0
        for iteration in range(1, max(1, iterations) + 1):
            step = self.expected(model, f"iteration {iteration} with {model.states} states")
            model = step.most_likely(self.settings.smoothing)
            likelihood = step.log_likelihood / self.lines.running
            # Halves that differ by noise alone come apart slowly at first: that is no end yet.
            if iteration > iterations // 2 and likelihood - before < self.settings.tolerance:
                break
            before = likelihood
        return model, Round(model.states, likelihood, iteration)

    def expected(
        self, model: native.HiddenMarkovModel, what: str, *, merge_losses: bool = False
    ) -> native.ExpectationStep:
        step = native.ExpectationStep(model, self.lines, self.threads, merge_losses)
        while step.advance():  # returns every few thousand words, so that Ctrl-C is noticed
            self.progress(what, int(step.progress * self.lines.running), self.lines.running)
        return step
