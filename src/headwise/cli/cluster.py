"""``headwise cluster``: from raw text to word clusters."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from headwise.base.cores import cores
from headwise.cli.choices import MOST_THREADS, Quiet
from headwise.cli.command import Option
from headwise.cli.word_options import Input, MinCount, Model, Texts, WordsFrom

if TYPE_CHECKING:
    from headwise.words.clusters import Clusters


class Context(StrEnum):
    neighbours = "neighbours"
    heads = "heads"


class Method(StrEnum):
    brown = "brown"
    exchange = "exchange"
    hmm = "hmm"


def cluster(
    texts: Texts,
    output: Annotated[
        Path, Option("--output", "-o", help="Where to write the clusters; .gz and .xz are compressed.")
    ],
    clusters: Annotated[int, Option(min=1, help="How many clusters to find.")] = 1000,
    min_count: MinCount = 2,
    input: Input = WordsFrom.auto,
    method: Annotated[
        Method,
        Option(
            help="Brown's mergers; exchange of single words, which is faster; or the states of a split-merge"
            " hidden Markov model, which takes long."
        ),
    ] = Method.brown,
    context: Annotated[
        Context,
        Option(
            help="Cluster words by the words beside them, or by their heads and modifiers in the trees of a"
            " treebank (parse the text first)."
        ),
    ] = Context.neighbours,
    reassign: Annotated[
        bool,
        Option(
            help="After Brown's mergers, move single words between clusters until none tells more elsewhere"
            " (Brown et al. 1992, section 3)."
        ),
    ] = False,
    across_lines: Annotated[
        bool,
        Option(
            help="Read lines as one text, as the usual program does: the first word of a line stands beside"
            " the last one before."
        ),
    ] = False,
    model: Model = None,
    threads: Annotated[
        int,
        Option(
            min=0, max=MOST_THREADS, help="For counting; 0 uses every core. The clusters do not depend on it."
        ),
    ] = 1,
    quiet: Quiet = False,
) -> None:
    """Cluster the words of raw text by the company they keep (Brown et al. 1992), for features of parsers.

    Every line of OUTPUT has a bit string, a word and its count; words with a common prefix of their bit
    strings are in a common cluster. `headwise train --word-clusters OUTPUT` uses it, `headwise info OUTPUT`
    shows it.

    Examples:

      headwise cluster news.txt.xz -o clusters.txt

      headwise cluster news.txt -m en --clusters 500 -o clusters.txt.gz

      headwise cluster news.txt.xz --method exchange -o clusters.txt

      headwise cluster parsed.conllu --context heads -o syntactic.txt

      headwise corpus texts/ -o counts/ --to bigrams && headwise cluster counts/ -o clusters.txt
    """
    from headwise.pipeline.word_tokenizer import word_tokenizer
    from headwise.words.clusters import (
        brown_clusters,
        count_heads,
        count_words,
        exchange_clusters,
        reassigned_clusters,
    )

    started, live = time.perf_counter(), sys.stderr.isatty() and not quiet

    def show(text: str, *, last: bool = False) -> None:
        if live or (last and not quiet):
            before, end = ("\r\x1b[K" if live else ""), "\n" if last else ""
            print(f"{before}{text}", end=end, file=sys.stderr, flush=True)

    used = cores(threads)

    def progress(what: str, done: int, of: int) -> None:
        show(f"{what}: {done:,} of {of:,}")

    if reassign and method is not Method.brown:
        raise click.UsageError(
            f"--reassign ends --method brown; --method {method.value} does not merge words"
        )
    if across_lines and (method is Method.hmm or context is Context.heads):
        raise click.UsageError(
            "--across-lines is for words beside words: it needs --context neighbours, and no hmm"
        )
    if method is Method.hmm:
        if context is Context.heads:
            raise click.UsageError("a hidden Markov model reads words in their order: --context neighbours")
        found = _hidden_states(texts, input, model, clusters, min_count, used, progress)
        found.save(output)
        show(
            f"wrote {output}: {len(found.paths):,} clusters ({time.perf_counter() - started:.0f} s)",
            last=True,
        )
        return
    if context is Context.heads:
        if model is not None or input not in (WordsFrom.auto, WordsFrom.treebank):
            raise click.UsageError("--context heads reads the trees of treebanks, and takes no other input")
        counter = count_heads(texts, progress=lambda arcs: show(f"{arcs:,} arcs"))
    else:
        counter = count_words(
            texts,
            input=input.value,
            tokenizer=word_tokenizer(model),
            threads=used,
            across_lines=across_lines,
            progress=lambda words: show(f"{words:,} words"),
        )
    bigrams = counter.bigrams(min_count)
    show(f"{counter.words:,} words, {len(bigrams.words):,} different ones to cluster", last=True)
    find = exchange_clusters if method is Method.exchange else brown_clusters
    run = find(bigrams, clusters, progress)
    if reassign:
        run = reassigned_clusters(run, progress)
    run.clusters.save(output)
    show(
        f"wrote {output}: {len(run.clusters.paths):,} clusters, {run.information:.4f} bits of information"
        f" about the next one ({time.perf_counter() - started:.0f} s)",
        last=True,
    )


def _hidden_states(
    texts: list[Path],
    input: WordsFrom,
    model: str | None,
    states: int,
    min_count: int,
    threads: int,
    progress: Callable[[str, int, int], None],
) -> Clusters:
    from headwise._native.clusters import WordLineCollector
    from headwise.base.errors import HeadwiseError
    from headwise.pipeline.word_tokenizer import word_tokenizer
    from headwise.words.clusters import SplitMergeSettings, hmm_clusters
    from headwise.words.clusters.text import read_words

    collector = WordLineCollector()
    read_words(texts, [collector], input=input.value, tokenizer=word_tokenizer(model))
    try:
        settings = SplitMergeSettings(states=states)
    except ValueError as error:
        raise HeadwiseError(f"{error}.") from error
    return hmm_clusters(collector, settings, min_count=min_count, threads=threads, progress=progress).clusters
