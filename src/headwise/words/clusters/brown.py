"""Brown clusters (Brown et al. 1992; Koo 2010, section 3.2) of the words of a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headwise._native import clusters as native
from headwise.words.clusters.clusters import Clusters, Word
from headwise.words.clusters.files import ClusterError
from headwise.words.clusters.hierarchy import cluster_names, tree_paths

STEP = 500
"""Words or mergers between two looks at the clock, the progress bar and Ctrl-C."""

Progress = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class BrownRun:
    """Clusters, and what they were made from."""

    clusters: Clusters
    bigrams: native.Bigrams
    of_word: list[int]
    """The number of each word's cluster, words by falling frequency."""

    @property
    def information(self) -> float:
        """Mutual information of neighbouring clusters, in bits a bigram."""
        return mutual_information(self.bigrams, self.of_word)


def brown_clusters(bigrams: native.Bigrams, clusters: int, progress: Progress = lambda *_: None) -> BrownRun:
    """Cluster words by what stands before and after them."""
    check_words(bigrams, clusters)
    words = len(bigrams.words)
    run = native.BrownClusters(bigrams, clusters)
    while run.add_words(STEP):
        progress("clustering", run.words_done, words)
    while run.join(STEP):
        progress("building the tree", clusters - run.active, clusters)
    mergers = [(kept, absorbed) for kept, absorbed in run.mergers().reshape(-1, 2).tolist()]
    of_word = cluster_names(mergers, words, clusters)
    paths = tree_paths(mergers[words - clusters :])
    return BrownRun(
        Clusters(
            Word(form, count, paths[cluster] or "0")
            for form, count, cluster in zip(bigrams.words, bigrams.counts, of_word, strict=True)
        ),
        bigrams,
        of_word,
    )


def check_words(bigrams: native.Bigrams, clusters: int) -> None:
    """ClusterError where words are too few for so many clusters."""
    words = len(bigrams.words)
    if clusters < 1:
        raise ClusterError(f"{clusters} clusters: there must be at least one.")
    if words < 2:
        raise ClusterError("there are fewer than two different words to cluster that occur often enough.")
    if words < clusters:
        raise ClusterError(
            f"there are {words} different words that occur often enough, fewer than {clusters} clusters; ask "
            "for fewer (--clusters), take rarer words too (--min-count), or give more text."
        )


def mutual_information(bigrams: native.Bigrams, of_word: list[int]) -> float:
    """Σ p(a, b) log₂ p(a, b) / (p(a) p(b)) over neighbouring clusters."""
    pairs = bigrams.pairs().reshape(-1, 3)
    clusters = np.asarray(of_word)
    size = int(clusters.max()) + 1
    both = clusters[pairs[:, 0]].astype(np.int64) * size + clusters[pairs[:, 1]]
    kinds, at = np.unique(both, return_inverse=True)
    joint = np.bincount(at, weights=pairs[:, 2])
    first = np.bincount(kinds // size, weights=joint, minlength=size)
    second = np.bincount(kinds % size, weights=joint, minlength=size)
    total = joint.sum()
    return float(
        (joint / total * np.log2(joint * total / (first[kinds // size] * second[kinds % size]))).sum()
    )
