"""Train a parser: the order of the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from headwise.base.lazy import imported
from headwise.components.parser.components import LEARNED_WITH_FEATURES
from headwise.components.parser.parser import Parser
from headwise.components.whole_tree.training import stack_whole_trees
from headwise.learning.checkpoint import Checkpoint, say_what_is_resumed
from headwise.learning.loop import Listener
from headwise.learning.steps import Step, always, follow
from headwise.training.adding_network import learn_encoder, learn_network, weigh_network
from headwise.training.averaging import average_runs
from headwise.training.calibrating import calibrate
from headwise.training.choosing import choose_decoder
from headwise.training.features import learn_features
from headwise.training.members import NAME, state_of_member
from headwise.training.preparing import Source, begun, load_sentences
from headwise.training.run import Run, dev_scores
from headwise.training.settings import TrainingSettings
from headwise.training.small_parser import SMALL_PARSER, settings_of_small_parser
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.tagging.tag_task import TagTask

__all__ = ["Source", "dev_scores", "load_sentences", "train_parser"]


def small_parser(run: Run) -> Run:
    """The run with a parser of arcs alone, after one epoch, where it has none that could be used."""
    if run.has_parser:
        return run
    if run.is_part:
        raise KeyboardInterrupt
    return replace(run, parser=_in_a_hurry(run.read.sentences, run.settings, run.listener).made)


def _in_a_hurry(sentences: list[Sentence], settings: TrainingSettings, listener: Listener) -> Run:
    listener.message(SMALL_PARSER)
    small = begun(sentences, None, settings_of_small_parser(settings), Listener(), is_part=True)
    return replace(follow(small, STEPS), interrupted=True)


def calibrate_by_judges(run: Run) -> Run:
    """The run with probabilities, fitted by other parsers where there is no development set."""

    def train_again(part: list[Sentence], settings: TrainingSettings) -> Parser:
        return train_parser(part, None, settings, unlabelled=run.unlabelled or None, is_part=True)

    return calibrate(run, train_again)


BEFORE_FEATURES = tuple(Step[Run](imported(place)) for place in LEARNED_WITH_FEATURES)
"""What features are learned with."""
STEPS = (
    *BEFORE_FEATURES,
    Step(learn_features, instead=small_parser),
    Step(average_runs),
    Step(stack_whole_trees),
    Step(learn_encoder, instead=small_parser),
    Step(
        learn_network,
        instead=small_parser,
        name=NAME,
        is_optional=lambda run: not run.settings.network.alone,
    ),
    Step(weigh_network, is_quick=always),
    Step(choose_decoder, is_quick=always),
    Step(calibrate_by_judges, is_quick=lambda run: run.is_judged),
)
"""The order in which a parser is made."""


def train_parser(
    train: Source,
    dev: Source | None = None,
    settings: TrainingSettings | None = None,
    *,
    listener: Listener | None = None,
    model_path: str | Path | None = None,
    resume: bool = False,
    keep_state: bool = False,
    tags: TagTask | None = None,
    network: Parser | None = None,
    unlabelled: Sequence[Sentence] | None = None,
    is_part: bool = False,
) -> Parser:
    """Train a parser (see `headwise.Parser.train`).

    A network finds ``tags`` too; one that PyTorch trains asks its teachers about ``unlabelled`` sentences
    (None: those of the file that the settings name). With ``network``, none is trained: where the settings
    ask for one, the parser gets that of this one, with all its members.

    With ``model_path`` the state of the run is kept beside the future model after every epoch, and
    ``resume=True`` goes on from there; the model itself is left to the caller to save. The state is removed
    when all is done, unless ``keep_state`` says that the caller has more to do.

    Ctrl-C ends the run with a parser of what was learned so far. Of a run that ``is_part`` of a larger one it
    is a KeyboardInterrupt where nothing was.
    """
    settings, listener = settings or TrainingSettings(), listener or Listener()
    if model_path is not None and not keep_state:
        say_what_is_resumed(states_beside(model_path, settings, resume=resume), listener)
    sentences = load_sentences(train)
    try:
        run = begun(
            sentences,
            dev,
            settings,
            listener,
            model_path=model_path,
            resume=resume,
            tags=tags,
            reader=network,
            unlabelled=unlabelled,
            is_part=is_part,
        )
    except KeyboardInterrupt:
        if is_part:
            raise
        run = _in_a_hurry(sentences, settings, listener)
    else:
        run = follow(run, STEPS)
    run.made.config.training["interrupted"] = run.interrupted
    if model_path is not None and not keep_state and not run.interrupted:
        remove_states(model_path, settings)
    return run.made


def states_beside(
    model_path: str | Path, settings: TrainingSettings, *, resume: bool = False
) -> list[Checkpoint]:
    """Where a run keeps its states: that of features, and those of its networks."""
    state = Checkpoint.beside(model_path, asdict(settings), resume=resume)
    members = range(1, settings.network.members + 1)
    return [state, *(state_of_member(state.of("network"), number) for number in members)]


def remove_states(model_path: str | Path, settings: TrainingSettings) -> None:
    """Of a run that is done."""
    for state in states_beside(model_path, settings):
        state.remove()
