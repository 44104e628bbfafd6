"""What can be done for a parser after its training.

Averaging it with others, features of whole trees on top, a network beside it.

With a development set, each step is taken back where it does not help there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise._native.learning import TrainingExample
from headwise._native.parsing import ParserShape
from headwise.components.parser.parser import Parser
from headwise.components.scoring.whole_tree import WholeTreeConfig
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.loop import DevScores, DivergedError, Listener, TrainedWeights
from headwise.training.averaging import averaged_runs
from headwise.training.members import LEFT_OUT, Train, TrainedNetwork, state_of_member, train_members
from headwise.training.network import train_network
from headwise.training.network_weight import with_best_weight
from headwise.training.settings import TrainingSettings
from headwise.training.stacking import Examples, stacked_weights
from headwise.training.trainers import online_trainer
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.tagging.tag_task import TagTask


def without_tree(sentence: Sentence, shape: ParserShape) -> TrainingExample:
    """A sentence that nothing is learned from: its tree may have labels that training does not know."""
    unknown = np.full(len(sentence), -1, np.int32)
    return TrainingExample(sentence, unknown, unknown, shape)


@dataclass
class Refinement:
    """The data and the settings of a run, to go on with until somebody interrupts it."""

    data: Examples
    settings: TrainingSettings
    listener: Listener
    evaluate: Callable[[Parser], DevScores] | None
    """On the development set; None without one."""
    sentences: Sequence[Sentence] = ()
    """Those of the examples, and …"""
    dev: Sequence[Sentence] = ()
    checkpoint: Checkpoint | None = None
    """Of a network; of several, of the first."""
    resume: bool = False
    interrupted: bool = False
    tags: TagTask | None = None
    """What a network is to find beside heads and labels."""
    unlabelled: Sequence[Sentence] = ()
    """Sentences that only the teachers of such a network know trees of."""
    network: Parser | None = None
    """Whose network is to be heard, in place of one that is trained for this parser; it must fit
    (`headwise.training.members.check_heard`)."""

    def attempt(self, step: Callable[[Parser], Parser], parser: Parser) -> Parser:
        """What a step makes of a parser; the parser as it is where this or an earlier step is interrupted.

        A parser that is to have a network and nothing else is no parser without it.
        """
        if self.interrupted:
            return parser
        try:
            return step(parser)
        except KeyboardInterrupt:  # not while learning, which ends by itself, but before or after it
            if self.settings.network.alone:
                raise
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

    def with_encoder(self, parser: Parser) -> Parser:
        """The parser with the scores of an encoder and of nothing else."""
        from headwise.training.neural.encoder_parser import train_encoder_parser

        trees = ((example.heads, example.labels) for example in self.data.examples)
        found, self.interrupted = train_encoder_parser(
            parser,
            list(zip(self.sentences, trees, strict=True)),
            [(s, (s.heads, parser.label_ids(s.labels))) for s in self.dev],
            self.settings,
            self.listener,
            checkpoint=self.checkpoint,
            resume=self.resume,
        )
        return found

    def with_network(self, parser: Parser) -> Parser:
        """The parser with the opinion of one network or several; with nothing else, where they are alone."""
        alone = self.settings.network.alone
        try:
            trained = self._train_network(parser)
            self.interrupted = trained.interrupted
            network, tensors = trained.config.with_bits(
                self.settings.network.bits, trained.tensors, len(parser.config.labels)
            )
        except DivergedError:
            if alone:
                raise
            self.listener.message(LEFT_OUT)
            return parser
        if trained.is_half_done and not alone and (self.evaluate is None or not self.settings.torch.use):
            return parser

        network = replace(network, weight=1.0) if alone else network
        asking = Parser(replace(parser.config, network=network), {**parser.weights, **tensors})
        if self.evaluate is None:
            return asking
        if alone:
            if not self.settings.torch.use:  # its epochs have told
                self.listener.message(f"with a network alone: {self.evaluate(asking)}")
            return asking
        if self.settings.weighs_network:
            asking, _ = with_best_weight(asking, self.evaluate, self.listener)
        if self.network is not None:  # it reads for a tagger in any case
            return asking
        return self._better(parser, asking, "a network")

    def _train_network(self, parser: Parser) -> TrainedNetwork:
        if self.network is not None:
            assert self.network.config.network is not None
            network = replace(self.network.config.network, weight=self.settings.network_weight)
            tensors = {name: np.asarray(self.network.weights[name]) for name in network.table_names}
            return TrainedNetwork(network, tensors)
        train = self._by_torch(parser) if self.settings.torch.use else self._natively(parser)
        return train_members(train, self.settings, self.listener)

    def _state(self, number: int) -> dict[str, Any]:
        """Where the training of the first, second … network keeps its state, and whether it has one."""
        state = state_of_member(self.checkpoint, number) if self.checkpoint else None
        return {"checkpoint": state, "resume": self.resume and state is not None and state.path.exists()}

    def _natively(self, parser: Parser) -> Train:
        labels, given = len(parser.config.labels), _given_numbers(parser)
        return lambda number, settings: train_network(
            self.data.examples,
            labels,
            settings,
            self.listener,
            given,
            self.tags,
            **self._state(number),
        )

    def _by_torch(self, parser: Parser) -> Train:
        from headwise.training.neural.losses import Objective
        from headwise.training.neural.teachers import teachers_of
        from headwise.training.neural.training import NetworkTraining

        config = parser.config
        shape = replace(config, tensor=None).shape(parser.weights)
        dev = [(without_tree(s, shape), (s.heads, parser.label_ids(s.labels))) for s in self.dev]
        known_tags = self.tags.tags if self.tags else None
        teachers = [
            teacher
            for path in self.settings.teaching.teachers
            for teacher in teachers_of(path, config, known_tags)
        ]
        unlabelled = [without_tree(sentence, shape) for sentence in self.unlabelled]
        training = NetworkTraining(
            self.data.examples,
            dev,
            len(config.labels),
            self.settings,
            self.listener,
            objective=Objective(self.settings.torch.loss, config.projective, config.single_root),
            given=_given_numbers(parser),
            tags=self.tags,
            teachers=teachers,
            unlabelled=unlabelled,
        )
        return lambda number, settings: training.train(settings, **self._state(number))

    def _better(self, before: Parser, after: Parser, what: str) -> Parser:
        if self.evaluate is None:
            return after
        old, new = self.evaluate(before), self.evaluate(after)
        if new.selection > old.selection:
            self.listener.message(f"with {what}: {new}")
            return after
        self.listener.message(f"with {what}: no help ({new}), so without: {old}")
        return before


def _given_numbers(parser: Parser) -> int:
    """How many the vectors have that come with its words."""
    return parser.config.words.vectors if parser.config.words else 0
