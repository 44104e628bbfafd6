"""Probabilities at the end of training: fitted on sentences that the parser has not learned from.

With a development set that is easy. Without one, a tenth of the training data is held out from a second
parser, trained like the first; its temperature serves for both. The first parser's own training sentences
would not do: there it is right too often, and too sure of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from headwise.confidence import Calibration, fit_calibration
from headwise.learning.loop import Listener
from headwise.parser import Parser
from headwise.treebank import Sentence

HELD_OUT = 10
"""One in so many sentences."""


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
        held_out = list(train[HELD_OUT - 1 :: HELD_OUT])
        rest = [sentence for i, sentence in enumerate(train) if i % HELD_OUT != HELD_OUT - 1]
        calibration = None
        if held_out:
            listener.message("training on nine tenths of the data, to fit probabilities on the last tenth")
            calibration = fit_calibration(train_again(rest), held_out, fitted_on="held-out", threads=threads)
    if calibration is None:
        listener.message("too few sentences to fit probabilities on")
        return parser
    listener.message(f"probabilities: {calibration}")
    return parser.with_calibration(calibration)
