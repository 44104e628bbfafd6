"""Clusters by exchange (Martin, Liermann and Ney 1998): words go where they gain most, and then once more.

Brown et al. (1992) end with it too: `reassigned_clusters`.
"""

from __future__ import annotations

import numpy as np

from headwise._native import clusters as native
from headwise.words.clusters.brown import STEP, BrownRun, Progress, brown_clusters, check_words
from headwise.words.clusters.clusters import Clusters, Word

SWEEPS = 3
"""How often every word finds its place: the first time, and again when all others have one."""


def exchange_clusters(
    bigrams: native.Bigrams, clusters: int, progress: Progress = lambda *_: None, *, sweeps: int = SWEEPS
) -> BrownRun:
    """Cluster words by what stands before and after them, by exchange instead of mergers.

    Faster than `brown_clusters` and with more mutual information, but the clusters are found without
    a tree. They get one afterwards: that which Brown's algorithm finds with the clusters as its words.
    """
    check_words(bigrams, clusters)
    run = native.ExchangeClusters(bigrams, clusters)
    for sweep in range(max(1, sweeps)):
        while run.place_words(STEP):
            progress(f"sweep {sweep + 1}", run.words_done, len(bigrams.words))
        if not run.moved():
            break
    return _with_a_tree(bigrams, run, clusters, progress)


def reassigned_clusters(found: BrownRun, progress: Progress = lambda *_: None) -> BrownRun:
    """Move single words to the cluster where they tell most, over and over, until no word would gain.

    The last step of Brown et al. (1992, section 3), which Liang's program and Koo's thesis leave out. The
    tree is made anew of the clusters as they are then.
    """
    names, of_word = np.unique(found.of_word, return_inverse=True)
    run = native.ExchangeClusters(found.bigrams, len(names))
    run.begin_with(of_word.astype(np.uint32))
    while True:
        while run.place_words(STEP):
            progress("reassigning", run.words_done, len(of_word))
        if not run.moved():
            return _with_a_tree(found.bigrams, run, len(names), progress)


def _with_a_tree(
    bigrams: native.Bigrams, run: native.ExchangeClusters, clusters: int, progress: Progress
) -> BrownRun:
    """Clusters get the tree that Brown's algorithm finds with them as its words."""
    of_word = run.of_words()
    paths = ["0"]
    if clusters > 1:
        tree = brown_clusters(native.cluster_bigrams(bigrams, of_word), clusters, progress)
        paths = [tree.clusters[name] for name in tree.bigrams.words]
    return BrownRun(
        Clusters(
            Word(form, count, paths[cluster])
            for form, count, cluster in zip(bigrams.words, bigrams.counts, of_word.tolist(), strict=True)
        ),
        bigrams,
        of_word.tolist(),
    )
