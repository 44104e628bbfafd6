"""Clusters by exchange (Martin, Liermann and Ney 1998): words go where they gain most, and then once more."""

from __future__ import annotations

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
