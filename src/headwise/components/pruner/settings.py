"""What a user can choose about pruning (`headwise.components.parser.config.PrunerConfig`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwise.base.fields import setting
from headwise.base.limits import BITS, COUNT, of_core

THRESHOLD, MOST_HEADS = of_core("pruner.threshold"), of_core("pruner.most_heads")
FEATURES = "Parts and features"


@dataclass(frozen=True)
class Pruning:
    """Above first order: which arcs larger parts are made of."""

    threshold: float = setting(
        1e-4,
        "Heads at least this fraction as likely as the best one are considered.",
        THRESHOLD,
        option="--prune-threshold",
        panel=FEATURES,
    )
    heads: int = setting(
        10,
        "At most so many heads a word are considered.",
        MOST_HEADS,
        option="--prune-heads",
        panel=FEATURES,
    )
    epochs: int = setting(2, "Passes over the data that train the pruner.", COUNT)
    bits: int = setting(20, "The weight table of the pruner has 2**bits entries.", BITS)

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        return None if settings.has_larger_parts else "there are no parts above arcs"
