"""Learning features of whole trees on top of a parser.

A parser knows the sentences that it was trained on too well to need help there; features that are learned
beside it share its work, and add little on new text. Here each sentence is scored by a parser that has
not seen it, as new text will be (stacking). What is learned, by climbing with costs, is what to add to the
scores of such a parser; in the end it is added to those of a parser of all sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import ParserShape, Pruner
from headwise.components.parser.config import ParserConfig, Tables
from headwise.components.scoring.whole_tree import WholeTreeConfig
from headwise.learning.folds import Folds
from headwise.learning.loop import DevScores, Listener, run_epochs
from headwise.model import Tensors
from headwise.training.settings import TrainingSettings

Table = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Examples:
    """What a parser is trained on, and above first order the pruner of each example."""

    examples: Sequence[native.TrainingExample]
    pruners: Sequence[Pruner | None]
    cutoff: int = 0
    """Features that occur less often in their trees are not learned."""
    start: Callable[[Sequence[native.TrainingExample]], Mapping[str, Table]] | None = None
    """What tables start from, found out from the examples that are learned from; None: from zero."""

    def add_to(
        self, trainer: native.Trainer | native.EgTrainer, seen: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.int64]:
        """Give a trainer all examples; returns how many arcs survived pruning, and how many gold ones.

        ``seen`` are those that it will learn from.
        """
        if self.start is not None:
            assert isinstance(trainer, native.Trainer)
            learned = self.examples if seen is None else [self.examples[i] for i in seen]
            for name, table in self.start(learned).items():
                trainer.start(name, table)
        counts = [trainer.add(*pair) for pair in zip(self.examples, self.pruners, strict=True)]
        if self.cutoff and isinstance(trainer, native.Trainer):
            trainer.freeze_rare(self.cutoff)
        totals: npt.NDArray[np.int64] = np.array(counts).sum(axis=0)
        return totals


@dataclass(frozen=True)
class OnSome:
    """A trainer that sees some of its examples only."""

    trainer: native.Trainer
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
    tables: Tables,
    settings: TrainingSettings,
    make_trainer: Callable[[ParserShape], native.Trainer],
    *,
    evaluate: Callable[[Table], DevScores] | None,
    listener: Listener,
) -> tuple[Table | None, bool]:
    """The weights of the features of whole trees in ``config``: of the best epoch, where it can be judged.

    ``tables`` are those of the parser that they are for.
    None where the run was interrupted before there were any. Second, whether it was interrupted.
    """
    without = replace(config, whole_tree=WholeTreeConfig(), label_mode="none", label_bits=4)
    chosen = settings.whole_tree
    trainer = native.WholeTreeTrainer(config.shape(tables), aggressiveness=chosen.aggressiveness)
    folds = Folds.interleaved(len(data.examples), chosen.folds)
    for f in folds:
        listener.message(f"training a parser without part {f + 1} of {folds.count} of the data")
        left_out = make_trainer(without.shape(tables))
        seen = folds.outside(f)
        data.add_to(left_out, seen)
        outcome = run_epochs(
            OnSome(left_out, seen),
            len(seen),
            epochs=chosen.fold_epochs,
            seed=settings.seed,
            threads=settings.threads,
            evaluate=None,
            listener=Listener(progress=listener.progress),
        )
        if outcome.interrupted:
            return None, True
        trainer.add_parser(outcome.weights[0])
    for example, pruner, f in zip(data.examples, data.pruners, folds.of_example.tolist(), strict=True):
        assert pruner is not None
        trainer.add(example, pruner, f)
    listener.message("learning features of whole trees")
    learned = run_epochs(
        trainer,
        len(data.examples),
        epochs=chosen.epochs,
        seed=settings.seed,
        threads=settings.threads,
        evaluate=None if evaluate is None else lambda weights: evaluate(weights[0]),
        listener=listener,
    )
    return learned.weights[0], learned.interrupted
