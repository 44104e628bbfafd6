"""``headwise rerank``: a parser whose k best trees are reranked, trained and used in one go."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from headwise.cli import shell
from headwise.cli.choices import LARGEST_SEED
from headwise.learning.choices import Preset, Trees


def rerank(
    treebank: Annotated[Path, shell.Argument(help="Training treebank: CoNLL-U or CoNLL-X, also .gz or .xz.")],
    file: Annotated[Path, shell.Argument(help="The treebank file to parse.")],
    output: Annotated[Path, shell.Option("--output", "-o", help="Where to write the parsed sentences.")],
    k: Annotated[int, shell.Option("-k", min=2, help="Trees of the parser to choose from.")] = 50,
    folds: Annotated[
        int, shell.Option(min=2, help="Parsers that have not seen the sentence make the lists to learn from.")
    ] = 10,
    preset: Annotated[Preset, shell.Option(help="Of the parser whose trees are reranked.")] = "second",
    trees: Annotated[Trees, shell.Option(help="Kind of tree to search.")] = "projective",
    epochs: Annotated[
        int | None, shell.Option(min=1, help="Of parser and reranker. (default: the preset's, and 10)")
    ] = None,
    seed: Annotated[int, shell.Option(min=0, max=LARGEST_SEED, help="Same seed: the same trees.")] = 1,
    quiet: Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Train a parser and a reranker of its k best trees by features of whole trees, and parse FILE.

    The classical alternative to the preset full, for comparison: it can only choose what the parser offers.
    Heads only; labels stay as they are. Nothing is kept but OUTPUT.

    Example: headwise rerank train.conllu test.conllu -o parsed.conllu -k 50
    """
    from headwise.errors import HeadwiseError
    from headwise.learning import TrainingSettings
    from headwise.parser.reranking import Reranker, RerankerSettings
    from headwise.treebank import annotated, read, write

    sentences, texts = list(annotated(read(treebank))), list(read(file))
    changes: dict[str, Any] = {} if epochs is None else {"epochs": epochs}
    try:
        base = TrainingSettings.preset(preset, trees=trees, labels="none", seed=seed, **changes)
        chosen = RerankerSettings(k=k, folds=folds, seed=seed, **changes)
        reranker = Reranker.train(sentences, base, chosen)
    except ValueError as error:
        raise HeadwiseError(str(error)) from error
    parsed = [
        sentence.with_tree(parse.heads, list(sentence.labels))
        for sentence, parse in zip(texts, reranker.pipe(texts), strict=True)
    ]
    write(parsed, output)
    if not quiet:
        print(f"wrote {output}: {len(parsed):,} sentences", file=sys.stderr)
