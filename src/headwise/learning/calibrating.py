"""Probabilities at the end of training: fitted on sentences that the parser has not learned from.

With a development set that is easy. Without one, a tenth of the training data is held out from a second
parser, trained much like the first; its numbers serve for both. The first parser's own training sentences
would not do: there it is right too often, and too sure of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from headwise.confidence import Calibration, fit_calibration
from headwise.learning.loop import Listener
from headwise.learning.settings import TrainingSettings
from headwise.parser import Parser
from headwise.treebank import Sentence

HELD_OUT = 10
"""One run of sentences in so many."""
LONGEST_RUN = 20
"""Sentences that stand together are often of one text; held out together, they are as new as one."""


def second_parser(settings: TrainingSettings) -> TrainingSettings:
    """How the parser is trained that probabilities are fitted with: MIRA's in half the time.

    Its scores do not grow once the margins are there, and after half of the epochs the numbers that are
    fitted are nearly those of all (docs/confidence.md). Other learners' scores grow from epoch to epoch.
    """
    epochs = (settings.epochs + 1) // 2 if settings.learner == "mira" else settings.epochs
    return replace(settings, calibrate=False, epochs=epochs)


def calibrate(
    parser: Parser,
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    *,
    train_again: Callable[[list[Sentence]], Parser],
    listener: Listener,
    threads: int,
) -> Parser:
    """The parser with fitted probabilities; as it is, with a message, where there is too little data."""
    calibration: Calibration | None
    if dev:
        calibration = fit_calibration(parser, dev, fitted_on="dev", threads=threads)
    else:
        held_out, rest = split(train)
        calibration = None
        if held_out:
            listener.message("training on nine tenths of the data, to fit probabilities on the other tenth")
            calibration = fit_calibration(train_again(rest), held_out, fitted_on="held-out", threads=threads)
    if calibration is None:
        listener.message("too few sentences to fit probabilities on")
        return parser
    listener.message(f"probabilities: {calibration}")
    return parser.with_calibration(calibration)


def split(sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """A tenth of the sentences, in runs from everywhere, and all others."""
    run = max(1, min(LONGEST_RUN, len(sentences) // (5 * HELD_OUT)))
    parts: tuple[list[Sentence], list[Sentence]] = [], []
    for i, sentence in enumerate(sentences):
        is_held_out = i // run % HELD_OUT == HELD_OUT - 1
        parts[0 if is_held_out else 1].append(sentence)
    return parts
