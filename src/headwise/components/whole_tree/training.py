"""Learning features of whole trees: together with all others, or on top of a parser.

A parser knows the sentences that it was trained on too well to need help there; features that are learned
beside it share its work, and add little on new text. Here each sentence is scored by a parser that has
not seen it, as new text will be (stacking). What is learned, by climbing with costs, is what to add to the
scores of such a parser; in the end it is added to those of a parser of all sentences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise.components.whole_tree.config import WholeTreeConfig, kin_templates, whole_tree_config
from headwise.learning.folds import Folds
from headwise.learning.loop import DevScores, Listener, run_epochs
from headwise.model import Tensors

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser
    from headwise.training.run import Run

Table = npt.NDArray[np.float32]


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


def whole_trees_beside(run: Run) -> Run:
    """The run with features of whole trees that are learned together with all others, if any."""
    chosen = run.settings.whole_tree
    if chosen.families and chosen.learning == "stacked":
        return run
    return run.with_component({}, whole_tree=_configuration(run))


def stack_whole_trees(run: Run) -> Run:
    """The run with features of whole trees on top of its parser."""
    chosen = run.settings.whole_tree
    if not chosen.families or chosen.learning != "stacked":
        return run
    config = replace(run.made.config, whole_tree=_configuration(run))
    trainer = native.WholeTreeTrainer(config.shape(run.made.weights), aggressiveness=chosen.aggressiveness)
    if not _add_parsers(run, trainer):
        return replace(run, interrupted=True)

    def with_table(table: Table) -> Parser:
        return run.parser_of(config, {**run.made.weights, "whole_tree": table})

    def evaluate(weights: tuple[Table]) -> DevScores:
        return run.score(with_table(weights[0]))

    run.listener.message("learning features of whole trees")
    learned = run_epochs(
        trainer,
        len(run.data.examples),
        epochs=chosen.epochs,
        seed=run.settings.seed,
        threads=run.settings.threads,
        evaluate=evaluate if run.is_judged else None,
        listener=run.listener,
    )
    better = run.better(with_table(learned.weights[0]), "features of whole trees")
    return replace(better, interrupted=learned.interrupted)


def _configuration(run: Run) -> WholeTreeConfig:
    chosen = run.settings.whole_tree
    return whole_tree_config(
        chosen.families,
        run.read.sentences,
        run.columns,
        kin_templates(chosen.families, run.columns, run.settings.templates),
        bits=chosen.bits,
        restarts=chosen.restarts,
    )


def _add_parsers(run: Run, trainer: native.WholeTreeTrainer) -> bool:
    """Examples for the trainer, each with a parser that has not seen it; False where one was interrupted."""
    settings, data = run.settings, run.data
    without = replace(run.made.config, label_mode="none", label_bits=4).shape(run.made.weights)
    folds = Folds.interleaved(len(data.examples), settings.whole_tree.folds)
    for f in folds:
        run.listener.message(f"training a parser without part {f + 1} of {folds.count} of the data")
        left_out = run.learner(without)
        seen = folds.outside(f)
        data.add_to(left_out, seen)
        outcome = run_epochs(
            OnSome(left_out, seen),
            len(seen),
            epochs=settings.whole_tree.fold_epochs,
            seed=settings.seed,
            threads=settings.threads,
            evaluate=None,
            listener=Listener(progress=run.listener.progress),
        )
        if outcome.interrupted:
            return False
        trainer.add_parser(outcome.weights[0])
    for example, pruner, f in zip(data.examples, data.pruners, folds.of_example.tolist(), strict=True):
        assert pruner is not None
        trainer.add(example, pruner, f)
    return True
