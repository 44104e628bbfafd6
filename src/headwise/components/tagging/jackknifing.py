"""Tags for training data as a tagger would give them to new text.

A parser that is trained on gold tags trusts tags too much. Jackknifing (each part of a treebank tagged by a
tagger trained on the other parts) gives it tags with realistic mistakes; Koo's thesis, section 3.4, trains
its parsers so.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwise.base.errors import HeadwiseError
from headwise.components.tagging.settings import TaggerSettings
from headwise.components.tagging.tagger import Tagger
from headwise.components.tagging.train import train_tagger
from headwise.learning.folds import Folds
from headwise.learning.loop import Listener
from headwise.treebank import Sentence


def jackknife(
    sentences: Sequence[Sentence],
    parts: int = 10,
    settings: TaggerSettings | None = None,
    *,
    listener: Listener | None = None,
) -> list[Sentence]:
    """The sentences, in order, each tagged by a tagger that never saw it.

    Sentence i belongs to part i modulo ``parts``. Costs ``parts`` trainings on (parts − 1)/parts of the data.
    KeyboardInterrupt where one of the taggers was interrupted.
    """
    listener = listener or Listener()
    if not 2 <= parts <= len(sentences):
        raise HeadwiseError(
            f"{len(sentences):,} sentences cannot be tagged in {parts} parts; "
            f"choose from 2 to {len(sentences):,}."
        )
    tagged = list(sentences)
    folds = Folds.interleaved(len(sentences), parts)
    for part in folds:
        own, others = folds.split(sentences, part)
        tagger = train_tagger(others, None, settings, listener=Listener(progress=listener.progress))
        if tagger.config.training["interrupted"]:
            raise KeyboardInterrupt  # one that has learned half would tag its part worse than the others
        threads = (settings or TaggerSettings()).threads
        for i, sentence in zip(folds.inside(part), tagger.pipe(own, threads=threads), strict=True):
            tagged[i] = sentence
        listener.message(f"tagged part {part + 1} of {parts}")
    return tagged


def realistic_tags(
    train: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    parts: int,
    settings: TaggerSettings | None = None,
    *,
    tagger: Tagger | None = None,
    listener: Listener | None = None,
) -> tuple[list[Sentence], list[Sentence] | None]:
    """A training and a development set for a parser that will see predicted tags: jackknifed, and tagged.

    ``tagger`` is one of the whole training set, for the development set; it is trained where none is given.
    """
    settings, listener = settings or TaggerSettings(), listener or Listener()
    listener.message(f"tagging the training data with {parts} taggers that have not seen it")
    tagged = jackknife(train, parts, settings, listener=Listener(progress=listener.progress))
    if dev is None:
        return tagged, None
    tagger = tagger or train_tagger(train, None, settings, listener=Listener(progress=listener.progress))
    return tagged, list(tagger.pipe(dev, threads=settings.threads))
