"""``headwise rerank``: a parser whose k best trees are reranked, trained and used in one go."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import click

from headwise.cli.choices import LARGEST_SEED, Quiet
from headwise.cli.command import Argument, Fields, Option
from headwise.cli.orders import OfFeatures
from headwise.cli.train_settings import named_as_typed
from headwise.components.reranker.settings import RerankerSettings
from headwise.learning.choices import Trees


def rerank(
    treebank: Annotated[Path, Argument(help="Training treebank: CoNLL-U or CoNLL-X, also .gz or .xz.")],
    file: Annotated[
        Path | None, Argument(help="A treebank file to parse at once.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None, Option("--output", "-o", help="Where to write the parsed sentences of FILE.")
    ] = None,
    save: Annotated[
        Path | None,
        Option(help="Where to write parser and reranker, a model file for headwise parse -m."),
    ] = None,
    *,
    of_reranker: Annotated[dict[str, Any], Fields(RerankerSettings)],
    factorization: OfFeatures = "carreras",
    trees: Annotated[Trees, Option(help="Kind of tree to search.")] = "projective",
    epochs: Annotated[int | None, Option(min=1, help="Of parser and reranker. (default: 10)")] = None,
    seed: Annotated[int, Option(min=0, max=LARGEST_SEED, help="Same seed: the same trees.")] = 1,
    quiet: Quiet = False,
) -> None:
    """Train a parser and a reranker of its k best trees by features of whole trees.

    The classical alternative to --whole-tree, for comparison: it can only choose what the parser offers.

    Examples:

      headwise rerank train.conllu --save reranker.hw -k 50

      headwise parse test.conllu -m reranker.hw -o parsed.conllu

      headwise rerank train.conllu test.conllu -o parsed.conllu
    """
    from headwise.base.errors import HeadwiseError
    from headwise.components.reranker.reranker import Reranker
    from headwise.training.settings import of_features
    from headwise.treebank import annotated, read, write

    if (file is None) != (output is None):
        raise click.UsageError("a FILE to parse and --output go together")
    if output is None and save is None:
        raise click.UsageError("nothing would be kept: give --save MODEL, or a FILE to parse and --output")
    sentences = list(annotated(read(treebank)))
    texts = [] if file is None else list(read(file))
    changes: dict[str, Any] = {} if epochs is None else {"epochs": epochs}
    with named_as_typed():
        base = of_features(factorization, trees=trees, seed=seed, **changes)
    chosen = RerankerSettings(**of_reranker, seed=seed, **changes)
    try:
        reranker = Reranker.train(sentences, base, chosen)
    except ValueError as error:
        raise HeadwiseError(str(error)) from error
    if save is not None:
        reranker.save(save)
        if not quiet:
            print(f"wrote {save} ({save.stat().st_size / 1e6:.1f} MB)", file=sys.stderr)
    if output is not None:
        write([parse.to_annotated_sentence() for parse in reranker.pipe(texts)], output)
        if not quiet:
            print(f"wrote {output}: {len(texts):,} sentences", file=sys.stderr)
