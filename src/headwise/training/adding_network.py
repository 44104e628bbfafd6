"""The steps that put a network beside features, or in their place.

Which network is trained is one of `WAYS`. What it counts beside features is weighed afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from headwise.base.lazy import imported
from headwise.components.network.weight import with_best_weight
from headwise.components.parser.parser import Parser
from headwise.training.members import TrainedNetwork, train_members
from headwise.training.run import Run
from headwise.training.settings import TrainingSettings


class Way(NamedTuple):
    """One way to train a network."""

    is_wanted: Callable[[TrainingSettings], bool]
    place: str
    """``module:function``, which takes a run and returns what trains networks for it
    (`headwise.training.members.Train`); imported where it is wanted."""


WAYS = (
    Way(lambda settings: settings.torch.use, "headwise.training.neural.training:torch_training"),
    Way(lambda settings: settings.network.use, "headwise.components.network.training:native_training"),
)
"""The first that is wanted is taken."""


def learn_encoder(run: Run) -> Run:
    """The run with an encoder that scores in place of features."""
    if not run.settings.torch.encoder:
        return run
    from headwise.training.neural.encoder_parser import with_encoder

    return with_encoder(run)


def learn_network(run: Run) -> Run:
    """The run with a network of one or more members, which is still to be weighed.

    One that is half done is of use where a development set has chosen its epoch, or where there is nothing
    else.
    """
    settings = run.settings
    if not settings.has_network or settings.torch.encoder:
        return run
    found = _of_reader(run) if run.reader is not None else _trained(run)
    run = replace(run, interrupted=found.interrupted)
    if found.is_half_done and not settings.network.alone and not (run.is_judged and settings.torch.use):
        return run
    network, tensors = found.config.with_bits(settings.network.bits, found.tensors, len(run.config.labels))
    if not settings.network.alone:
        return replace(run, network=replace(found, config=network, tensors=tensors))
    parser = _with_network(run.made, replace(found, config=replace(network, weight=1.0), tensors=tensors))
    if run.is_judged and not settings.torch.use:  # its epochs have told
        run.listener.message(f"with a network alone: {run.score(parser)}")
    return replace(run, parser=parser)


def weigh_network(run: Run) -> Run:
    """The run with a parser that has the network, counting as much as is best; or without, where that is."""
    if run.network is None:
        return run
    parser, run = _with_network(run.made, run.network), replace(run, network=None)
    if run.is_judged and run.settings.weighs_network:
        parser, _ = with_best_weight(parser, run.score, run.listener)
    if run.reader is not None:  # it reads for a tagger in any case
        return replace(run, parser=parser)
    return run.better(parser, "a network")


def _trained(run: Run) -> TrainedNetwork:
    place = next(way.place for way in WAYS if way.is_wanted(run.settings))
    return train_members(imported(place)(run), run.settings, run.listener, run.state("network"))


def _of_reader(run: Run) -> TrainedNetwork:
    """The network of another parser."""
    assert run.reader is not None
    assert run.reader.config.network is not None
    network = replace(run.reader.config.network, weight=run.settings.network_weight)
    tensors = {name: np.asarray(run.reader.weights[name]) for name in network.table_names}
    return TrainedNetwork(config=network, tensors=tensors)


def _with_network(parser: Parser, network: TrainedNetwork) -> Parser:
    return Parser(replace(parser.config, network=network.config), {**parser.weights, **network.tensors})
