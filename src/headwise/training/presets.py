"""What presets stand for: those to choose from, and those that experiments start from."""

from __future__ import annotations

from typing import Any

from headwise.components.whole_tree.families import FAMILIES

SECOND_ORDER = {"factorization": "carreras", "pruning": {"threshold": 1e-3}}

CHOICES: dict[str, dict[str, Any]] = {
    "fast": SECOND_ORDER,
    "accurate": {"factorization": "model1", "network": {"use": True}},
}
"""The presets that there are to choose from."""
EXPERIMENTS: dict[str, dict[str, Any]] = {
    "first": {"factorization": "arc"},
    "second": SECOND_ORDER,
    "third": {"factorization": "model1"},
    "full": {
        "factorization": "model2",
        "epochs": 15,
        "arc_bits": 23,
        "pruning": {"threshold": 3e-5, "heads": 16},
        "runs": 3,
        "whole_tree": {"families": FAMILIES},
        "network": {"use": True},
    },
    "network": {"factorization": "arc", "network": {"use": True, "alone": True}},
}
"""What tables of papers and experiments start from: features alone of first, second and third order, all that
features can do, a network alone. `TrainingSettings.preset` takes these names, too."""
PRESETS = CHOICES | EXPERIMENTS
"""What a preset stands for; whatever is set beside it wins."""
