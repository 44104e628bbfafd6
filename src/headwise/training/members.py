"""Several networks that count as one: trained one after the other, or apart and joined later.

Networks that differ in nothing but their seed err differently. What counts is the mean of their
log-probabilities: a product of experts, each with the same say (`headwise.components.network.config`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from headwise.base.errors import HeadwiseError
from headwise.components.network.config import NetworkConfig, of_member
from headwise.components.network.settings import MEMBERS
from headwise.components.parser.config import ParserConfig, Tables
from headwise.components.parser.parser import Parser
from headwise.components.scoring.calibration import UNFITTED
from headwise.components.scoring.word_view import WordViewConfig
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.loop import NEXT_SEED, Listener
from headwise.learning.steps import AnyRun, Step, always, follow
from headwise.model import Tensors
from headwise.training.settings import TrainingSettings

NAME = "the network"


@dataclass(frozen=True, kw_only=True)
class TrainedNetwork(AnyRun):
    """A network of one or more members."""

    config: NetworkConfig
    tensors: Tensors
    is_half_done: bool = False
    """Whether it was interrupted before the training of the first ended. Members that are half done are left
    out, but the only one is not: the caller decides."""


Train = Callable[[TrainingSettings, Checkpoint | None], tuple[NetworkConfig, Tensors, bool]]
"""Trains one network, whose state is kept there, and says whether it was interrupted."""


def train_members(
    train: Train, settings: TrainingSettings, listener: Listener, state: Checkpoint | None = None
) -> TrainedNetwork:
    """As many networks as the settings say, each with a seed of its own.

    The first is the one of a run that trains no others.
    """
    config, tensors, interrupted = train(settings, state)
    first = TrainedNetwork(
        listener=listener,
        config=config,
        tensors=tensors,
        interrupted=interrupted,
        is_half_done=interrupted,
    )

    def another(found: TrainedNetwork, number: int) -> TrainedNetwork:
        wanted, members = settings.network.members, found.config.members
        listener.message(f"network {number} of {wanted}, with another seed")
        seeded = replace(settings, seed=member_seed(settings.seed, number))
        _, own, interrupted = train(seeded, state and state_of_member(state, number))
        if interrupted:
            listener.message(f"network {number} is left out; {members} of {wanted} are kept")
            return replace(found, interrupted=True)
        more = of_member({name: own[name] for name in ("network", "vectors")}, members + 1)
        config = replace(found.config, members=members + 1)
        return replace(found, config=config, tensors={**found.tensors, **more})

    numbers = range(2, settings.network.members + 1)
    return follow(first, [Step(partial(another, number=n), name=NAME, is_optional=always) for n in numbers])


def member_seed(seed: int, number: int) -> int:
    """That of the run for the first network."""
    return seed + (number - 1) * NEXT_SEED


def state_of_member(network: Checkpoint, number: int) -> Checkpoint:
    """The state of one network; the first has no number in the name of its file."""
    return network if number == 1 else network.of(str(number))


def joined(parsers: Sequence[Parser], *, weight: float | None = None) -> Parser:
    """A parser with the features of the first one, if it has any, and the networks of all as members.

    Parsers without a network, or with several, will do too. Networks may know clusters and vectors of words
    that the features do not know. ``weight`` is how much the networks count
    together; None: as much as that of the first parser that has one. Probabilities have to be fitted anew
    (`headwise.Parser.calibrated`).
    """
    with_networks = [(number, parser) for number, parser in enumerate(parsers, 1) if parser.config.network]
    if not with_networks:
        raise HeadwiseError("none of the parsers that are to be joined has a network.")
    _, first = with_networks[0]
    assert first.config.network is not None
    features = _looking_as(parsers[0], first)
    tensors, members = {"vocabulary": np.asarray(first.weights["vocabulary"])}, 0
    for number, parser in with_networks:
        if problem := _why_not(features, first, parser):
            raise HeadwiseError(
                f"parser {number} cannot be joined with the others: {problem}. Train them alike, on the same "
                "treebank."
            )
        own = parser.with_network_bits(first.config.network.bits)
        assert own.config.network is not None
        for member in range(1, own.config.network.members + 1):
            members += 1
            tensors |= of_member(own.config.network.member(member, own.weights), members)
    if members > MEMBERS.most:
        raise HeadwiseError(f"a parser has at most {MEMBERS.most} networks, and these have {members}.")
    network = replace(first.config.network, members=members)
    own_network = features.config.network
    config = replace(
        features.config,
        network=network if weight is None else replace(network, weight=weight),
        calibration=UNFITTED if len(parsers) > 1 else features.config.calibration,
    )
    tables = {
        name: table
        for name, table in features.weights.items()
        if name not in (own_network.table_names if own_network else ())
    }
    return Parser(config, {**tables, **tensors}, features.scorers)


def _looking_as(features: Parser, network: Parser) -> Parser:
    """A parser that looks at words as a network does.

    That may know clusters and vectors beside those of the features. Where these know others, they stay as
    they are.
    """
    ours, theirs = features.config.words or WordViewConfig(), network.config.words
    if theirs is None or features.config.words == theirs:
        return features
    same_words = (ours.known, ours.ignored) == (theirs.known, theirs.ignored)
    if not same_words or ours.contours != theirs.contours[: len(ours.contours)] or ours.vectors:
        return features
    known = ours.tables()
    more = {name: network.weights[name] for name in theirs.tables() if name not in known}
    return Parser(replace(features.config, words=theirs), {**features.weights, **more}, features.scorers)


def check_joinable(network: Parser, config: ParserConfig, tables: Tables) -> None:
    """HeadwiseError where a parser of this configuration cannot take the network of another one.

    ``tables`` has what its words are looked up in.
    """
    if network.config.network is None:
        raise HeadwiseError("the parser whose network is to be taken has none.")
    if problem := _why_not_joined(network, config, tables):
        raise HeadwiseError(
            f"the network of another parser cannot be taken: {problem}. Train both on the same treebank."
        )


def _why_not_joined(network: Parser, config: ParserConfig, tables: Tables) -> str | None:
    if network.config.labels != config.labels:
        return "it knows other labels, or knows them in another order"
    theirs, ours = network.config.words, config.words
    names = theirs.tables().keys() if theirs else set()
    if names != (ours.tables().keys() if ours else set()) or not all(
        np.array_equal(network.weights[name], tables[name]) for name in names
    ):
        return "it knows other clusters or vectors of words"
    if (theirs.ignored if theirs else []) != (ours.ignored if ours else []):
        return "it reads other columns"
    return None


def _why_not(features: Parser, first: Parser, other: Parser) -> str | None:
    if problem := _why_not_joined(other, features.config, features.weights):
        return problem
    if features.config.words != other.config.words:
        return "it looks at words in another way"
    if _shape(first) != _shape(other):
        return "its network is of another shape"
    if not np.array_equal(first.weights["vocabulary"], other.weights["vocabulary"]):
        return "its network has another vocabulary"
    return None


def _shape(parser: Parser) -> NetworkConfig:
    assert parser.config.network is not None
    return replace(parser.config.network, weight=1.0, bits=32, members=1)
