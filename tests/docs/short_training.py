"""Training made short: what a page shows is run with small tables and few epochs."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import is_dataclass, replace
from typing import Any
from unittest import mock

BITS = 14
"""Of a table, at most."""

LIMITS: dict[str, dict[str, int]] = {
    "": {"epochs": 2, "runs": 2, "arc_bits": BITS, "label_bits": BITS},
    "pruning": {"bits": BITS, "epochs": 1},
    "network": {"width": 16, "epochs": 1},
    "torch": {"layers": 1, "vectors": 16, "arcs": 16, "labels": 16},
    "whole_tree": {"bits": BITS, "epochs": 1, "fold_epochs": 1, "folds": 2},
}
"""What settings of a parser are at most, group by group."""


def train_briefly() -> ExitStack:
    """From here on every training in this process is short; close what is returned to end that."""
    from headwise.components.tagging.settings import TaggerSettings
    from headwise.components.text.settings import TokenizerSettings
    from headwise.training.settings import TrainingSettings

    patches = ExitStack()
    for settings, limits in (
        (TrainingSettings, LIMITS),
        (TaggerSettings, {"": {"bits": BITS, "epochs": 3}}),
        (TokenizerSettings, {"": {"bits": BITS, "epochs": 4}}),
    ):
        patches.enter_context(mock.patch.object(settings, "__post_init__", _limited(settings, limits)))
    return patches


def _limited(settings: Any, limits: dict[str, dict[str, int]]) -> Any:
    own = settings.__post_init__

    def checked(self: Any) -> None:
        own(self)
        for group, most in limits.items():
            part = getattr(self, group) if group else self
            if group in ("network", "torch") and self.torch.pretrained:  # which decides their size
                most = {name: limit for name, limit in most.items() if name not in ("width", "layers")}
            less = {name: min(getattr(part, name) or limit, limit) for name, limit in most.items()}
            if is_dataclass(part) and group:
                object.__setattr__(self, group, replace(part, **less))
            else:
                for name, value in less.items():
                    object.__setattr__(self, name, value)

    return checked
