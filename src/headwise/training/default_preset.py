"""The preset of callers who name none: the most accurate one whose training time is bearable.

What decides is the number of training words, never a clock: the same treebank gives the same model anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwise.base.fields import SettingError
from headwise.learning.choices import ACCURATE_WORDS, LABELS_IN_SEARCH, Preset
from headwise.learning.loop import Listener
from headwise.training.settings import PRESETS, TrainingSettings
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
        return named_preset(preset, **changes)
    if features_alone:
        listener.message("preset accurate without its network: what is asked for is done with features alone")
        return TrainingSettings.preset("third", **changes)
    accurate = TrainingSettings.preset("accurate", **changes)
    if not accurate.has_network:  # what is changed leaves it out
        if not _says_whether(changes):
            listener.message(
                "preset accurate without its network, for which --{} {} leaves no place".format(
                    *_what_excludes(accurate)
                )
            )
        return accurate
    words = sum(map(len, sentences))
    if words <= ACCURATE_WORDS:
        listener.message("preset accurate: features and a network (--preset fast: features alone)")
        return accurate
    if _says_what_kind(accurate) or TrainingSettings.preset("fast", **changes).has_network:
        listener.message(
            f"preset accurate, as a network is asked for: with {words:,} words that takes more than an hour"
            " on a CPU"
        )
        return accurate
    fast = TrainingSettings.preset("fast", **changes)
    listener.message(
        f"preset fast: features alone, as with {words:,} words a network takes more than an hour to train"
        " (--preset accurate: with one)"
    )
    return fast


def named_preset(preset: Preset, **changes: Any) -> TrainingSettings:
    """The settings of a preset that somebody asks for by name; ValueError where it would lose its network.

    Who says so (``network=False``) has it without.
    """
    settings = TrainingSettings.preset(preset, **changes)
    if "network" in PRESETS[preset] and not settings.has_network and not _says_whether(changes):
        name, value = _what_excludes(settings)
        what = f"`{name}={value!r}`"
        raise SettingError(
            f"`preset={preset!r}` has a network, for which {what} leaves no place: `preset='fast'`, or"
            f" `network=False`, or no {what}"
        )
    return settings


def _what_excludes(settings: TrainingSettings) -> tuple[str, str]:
    """The setting, and its value, that a network beside features cannot be had with."""
    if settings.labels in LABELS_IN_SEARCH:
        return "labels", settings.labels
    return "factorization", settings.factorization


def _says_what_kind(accurate: TrainingSettings) -> bool:
    """Whether changes of the preset say how wide its network is to be, or how many there are to be."""
    return accurate.network != TrainingSettings.preset("accurate").network


def _says_whether(changes: Mapping[str, Any]) -> bool:
    """Whether these changes say if there is to be a network."""
    network = changes.get("network", {})
    return "network__use" in changes or not isinstance(network, Mapping) or "use" in network
