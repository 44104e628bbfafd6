"""Learning features of whole trees on top of a parser.

A parser knows the sentences that it was trained on too well to need help there; features that are learned
beside it share its work, and add little on new text. Here each sentence is scored by a parser that has
not seen it, as new text will be (stacking). What is learned, by climbing with costs, is what to add to the
scores of such a parser; in the end it is added to those of a parser of all sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise.learning.loop import DevScores, Listener, run_epochs
from headwise.learning.settings import TrainingSettings
from headwise.model import Tensors
from headwise.parser.config import ParserConfig
from headwise.scoring.whole_tree import GlobalConfig

Table = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Examples:
    """What a parser of higher order is trained on, and the pruner of each example."""

    examples: Sequence[native.TrainingExample]
    pruners: Sequence[native.Pruner]


@dataclass(frozen=True)
class OnSome:
    """A trainer that sees some of its examples only."""

    trainer: native.HigherOrderTrainer
    chosen: npt.NDArray[np.int64]

    def train(self, order: npt.NDArray[np.int64], threads: int = 1) -> native.TrainingCounts:
        return self.trainer.train(self.chosen[order], threads)

    def averaged(self) -> tuple[Table, Table]:
        return self.trainer.averaged()

    def state(self) -> Tensors:
        return self.trainer.state()

    def restore(self, state: Tensors) -> None:
        self.trainer.restore(state)


def stacked_weights(
    data: Examples,
    config: ParserConfig,
    settings: TrainingSettings,
    make_trainer: Callable[[native.HigherOrderShape], native.HigherOrderTrainer],
    *,
    evaluate: Callable[[Table], DevScores] | None,
    listener: Listener,
) -> tuple[Table | None, bool]:
    """The weights of the features of whole trees in ``config``: of the best epoch, where it can be judged.

    None where the run was interrupted before there were any. Second, whether it was interrupted.
    """
    without = replace(config, global_features=GlobalConfig(), label_mode="none", label_bits=4)
    trainer = native.GlobalTrainer(config.higher_order_shape(), aggressiveness=settings.global_aggressiveness)
    fold = np.arange(len(data.examples)) % settings.global_folds
    for f in range(settings.global_folds):
        listener.message(f"training a parser without part {f + 1} of {settings.global_folds} of the data")
        jackknifed = make_trainer(without.higher_order_shape())
        for pair in zip(data.examples, data.pruners, strict=True):
            jackknifed.add(*pair)
        seen = np.flatnonzero(fold != f)
        outcome = run_epochs(
            OnSome(jackknifed, seen),
            len(seen),
            epochs=settings.global_fold_epochs,
            seed=settings.seed,
            threads=settings.threads,
            evaluate=None,
            listener=Listener(progress=listener.progress),
        )
        if outcome.interrupted:
            return None, True
        trainer.add_parser(outcome.weights[0])
    for example, pruner, f in zip(data.examples, data.pruners, fold.tolist(), strict=True):
        trainer.add(example, pruner, f)
    listener.message("learning features of whole trees")
    learned = run_epochs(
        trainer,
        len(data.examples),
        epochs=settings.global_epochs,
        seed=settings.seed,
        threads=settings.threads,
        evaluate=None if evaluate is None else lambda weights: evaluate(weights[0]),
        listener=listener,
    )
    return learned.weights[0], learned.interrupted
