"""The settings of a training run, as short as they can be said: a preset, and what differs from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SAID_ELSEWHERE = {
    "rules",
    "network.width",
    "network.bits",
    "network.members",
    "torch.layers",
}
"""What was asked for where the model says what there is: a network may be made smaller, or be another's."""


def in_short(settings: Mapping[str, Any]) -> str:
    """The preset that is nearest, and the settings that differ from it."""
    import json
    from dataclasses import asdict

    from headwise.training import TrainingSettings
    from headwise.training.settings import CHOICES, OF_ANY_NETWORK

    chosen = dict(_flat(settings))
    for name in OF_ANY_NETWORK:  # older files say them twice
        of_torch = chosen.pop(f"torch.{name}", None)
        if chosen.get("torch.use") and of_torch is not None:
            chosen[f"network.{name}"] = of_torch
    differing = {}
    for name in CHOICES:
        own = dict(_flat(json.loads(json.dumps(asdict(TrainingSettings.preset(name))))))  # type: ignore[arg-type]
        differing[name] = [
            f"{setting}={value}"
            for setting, value in chosen.items()
            if setting not in SAID_ELSEWHERE and (setting not in own or own[setting] != value)
        ]
    nearest = min(differing, key=lambda name: len(differing[name]))  # of equals the first
    return ", ".join([f"preset {nearest}", *differing[nearest]])


def _flat(settings: Mapping[str, Any], group: str = "") -> Iterator[tuple[str, Any]]:
    """Settings by their whole names: ``pruning.threshold``."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{group}{name}.")
        else:
            yield f"{group}{name}", value
