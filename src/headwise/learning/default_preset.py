"""The preset of callers who name none: the most accurate one whose training time is bearable.

What decides is the number of training words, never a clock: the same treebank gives the same model anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwise.learning.choices import ACCURATE_WORDS, Preset
from headwise.learning.loop import Listener
from headwise.learning.settings import TrainingSettings
from headwise.treebank import Sentence


def settings_for(
    sentences: Sequence[Sentence],
    listener: Listener,
    *,
    preset: Preset | None = None,
    features_alone: bool = False,
    **changes: Any,
) -> TrainingSettings:
    """The settings of a preset, or of the default one for these sentences, with changes.

    ``features_alone``: what is to be done with the parser can do with features alone, so that the default has
    no network.
    """
    if preset is not None:
        return TrainingSettings.preset(preset, **changes)
    if features_alone:
        return TrainingSettings.preset("third", **changes)
    accurate = TrainingSettings.preset("accurate", **changes)
    if not accurate.has_network:  # what is changed leaves it out
        return accurate
    words = sum(map(len, sentences))
    if words <= ACCURATE_WORDS:
        listener.message("preset accurate: features and a network (--preset fast: features alone)")
        return accurate
    if accurate.network.members > 1:  # somebody asks for several
        return accurate
    fast = TrainingSettings.preset("fast", **changes)
    if fast.has_network:  # somebody asks for one
        return accurate
    listener.message(
        f"preset fast: features alone, as with {words:,} words a network takes more than an hour to train"
        " (--preset accurate: with one)"
    )
    return fast
