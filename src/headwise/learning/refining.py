"""What can be done for a parser after its training.

Averaging it with others, features of whole trees on top, a network beside it.

With a development set, each step is taken back where it does not help there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from headwise.learning.averaging import averaged_runs
from headwise.learning.loop import DevScores, DivergedError, Listener, TrainedWeights
from headwise.learning.network import train_network
from headwise.learning.settings import TrainingSettings
from headwise.learning.stacking import Examples, stacked_weights
from headwise.learning.trainers import online_trainer
from headwise.parser.parser import Parser
from headwise.scoring.whole_tree import WholeTreeConfig


@dataclass
class Refinement:
    """The data and the settings of a run, to go on with until somebody interrupts it."""

    data: Examples
    settings: TrainingSettings
    listener: Listener
    evaluate: Callable[[Parser], DevScores] | None
    """On the development set; None without one."""
    interrupted: bool = False

    def attempt(self, step: Callable[[Parser], Parser], parser: Parser) -> Parser:
        """What a step makes of a parser; the parser as it is where this or an earlier step is interrupted."""
        if self.interrupted:
            return parser
        try:
            return step(parser)
        except KeyboardInterrupt:  # not while learning, which ends by itself, but before or after it
            self.interrupted = True
            self.listener.message("interrupted: keeping what was learned so far")
            return parser

    def averaged(
        self, parser: Parser, first: TrainedWeights, as_parser: Callable[[TrainedWeights], Parser]
    ) -> Parser:
        """The parser averaged with those of other runs."""
        make = partial(online_trainer, parser.config.shape(parser.weights), self.settings)
        weights, self.interrupted = averaged_runs(first, self.data, make, self.settings, self.listener)
        return self._better(parser, as_parser(weights), "other runs")

    def stacked(self, parser: Parser, features: WholeTreeConfig) -> Parser:
        """The parser with features of whole trees."""
        config = replace(parser.config, whole_tree=features)

        def with_table(table: npt.NDArray[np.float32]) -> Parser:
            return Parser(config, {**parser.weights, "whole_tree": table})

        evaluate = self.evaluate
        weights, self.interrupted = stacked_weights(
            self.data,
            config,
            parser.weights,
            self.settings,
            partial(online_trainer, settings=self.settings),
            evaluate=None if evaluate is None else lambda table: evaluate(with_table(table)),
            listener=self.listener,
        )
        if weights is None:
            return parser
        return self._better(parser, with_table(weights), "features of whole trees")

    def with_network(self, parser: Parser) -> Parser:
        """The parser with the opinion of a network."""
        labels = len(parser.config.labels)
        try:
            trained = train_network(self.data.examples, labels, self.settings, self.listener)
        except DivergedError:
            self.listener.message("the network diverged, and is left out")
            return parser
        if trained is None:
            self.interrupted = True
            return parser
        network, tensors = trained
        config = replace(parser.config, network=network)
        return self._better(parser, Parser(config, {**parser.weights, **tensors}), "a network")

    def _better(self, before: Parser, after: Parser, what: str) -> Parser:
        if self.evaluate is None:
            return after
        old, new = self.evaluate(before), self.evaluate(after)
        if new.selection > old.selection:
            self.listener.message(f"with {what}: {new}")
            return after
        self.listener.message(f"with {what}: no help ({new}), so without: {old}")
        return before
