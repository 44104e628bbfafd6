"""``headwise vectors``: from raw text to vectors of words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from headwise.cli.choices import Quiet
from headwise.cli.command import Option
from headwise.cli.word_options import Input, MinCount, Model, Texts, WordsFrom


def vectors(
    texts: Texts,
    output: Annotated[
        Path, Option("--output", "-o", help="Where to write the vectors; .gz and .xz are compressed.")
    ],
    width: Annotated[int, Option(min=1, max=1000, help="Numbers of a vector.")] = 100,
    min_count: MinCount = 5,
    input: Input = WordsFrom.auto,
    model: Model = None,
    quiet: Quiet = False,
) -> None:
    """Make vectors of words from what stands near them in raw text, for the network of a parser.

    OUTPUT is a text file as word2vec writes it. `headwise train --network --vectors OUTPUT` uses it.

    Example: headwise vectors news.txt.xz -m en -o vectors.txt.gz
    """
    from headwise._native.clusters import WindowCounter
    from headwise.pipeline.word_tokenizer import word_tokenizer
    from headwise.words.clusters.text import read_words
    from headwise.words.vectors import train_vectors

    counter = WindowCounter()
    read_words(texts, [counter], input=input.value, tokenizer=word_tokenizer(model))
    if not quiet:
        print(f"{counter.words:,} words", file=sys.stderr)
    trained = train_vectors(counter, width=width, min_count=min_count)
    trained.save(output)
    if not quiet:
        print(f"wrote {output}: {len(trained.words):,} vectors of {width} numbers", file=sys.stderr)
