"""``headwise pretrain``: from raw text to the layers that a network starts from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from headwise.cli.choices import Quiet
from headwise.cli.command import Fields, Option
from headwise.cli.listening import epoch_of_words, training_listener
from headwise.cli.train_settings import named_as_typed
from headwise.cli.word_options import Input, Model, Texts, WordsFrom
from headwise.training.pretraining_settings import PretrainingSettings


def pretrain(
    texts: Texts,
    output: Annotated[Path, Option("--output", "-o", help="Where to write what was learned.")],
    *,
    chosen: Annotated[dict[str, Any], Fields(PretrainingSettings)],
    input: Input = WordsFrom.auto,
    model: Model = None,
    resume: Annotated[
        bool, Option("--resume", help="Go on with a run that was killed (OUTPUT.state).")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Let raw text teach a network which words are used alike, before a treebank teaches it trees.

    `headwise train --pipeline --pretrained OUTPUT` starts from it. Both need PyTorch.

    Examples:

      headwise pretrain news.txt.xz -m en -o en.hwe

      headwise pretrain tokens.txt.xz --input tokens --epochs 5 -o sv.hwe
    """
    from headwise._native.clusters import WordLineCollector
    from headwise.pipeline.word_tokenizer import word_tokenizer
    from headwise.training.neural import pretraining
    from headwise.words.clusters.text import read_words

    with named_as_typed(PretrainingSettings):
        settings = PretrainingSettings(**chosen)
    collector = WordLineCollector()
    read_words(texts, [collector], input=input.value, tokenizer=word_tokenizer(model))
    listener = training_listener(quiet, epoch_of_words)
    found = pretraining.pretrain(collector, settings, listener=listener, output=output, resume=resume)
    found.save(output)
    listener.message(f"wrote {output}: {found} ({output.stat().st_size / 1e6:.1f} MB)")
