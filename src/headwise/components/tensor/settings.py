"""What a user can choose about a tensor (`headwise.components.tensor.config`, docs/tensor.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from headwise.base.fields import Flag, setting
from headwise.base.limits import COUNT, NOT_NEGATIVE, POSITIVE, SHARE, Within, of_core

Start = Literal["features", "random"]
RANK = of_core("tensor.rank")
"""Of a tensor that there is."""
USUAL_RANK = 50
"""Where somebody wants a tensor and does not say of which rank."""
FEATURES = "Parts and features"


@dataclass(frozen=True)
class Tensor:
    """A low-rank tensor that scores arcs beside features (Lei et al. 2014), learned together with them."""

    rank: int = setting(
        0,
        "How many dimensions a tensor beside the features of arcs maps words to; 0: there is no tensor.",
        Within(0, RANK.most),
        option="--tensor-rank",
        panel=FEATURES,
        flags=(
            Flag(
                "--tensor",
                USUAL_RANK,
                f"Learn a tensor of rank {USUAL_RANK} beside the features of arcs (docs/tensor.md).",
            ),
        ),
    )
    share: float | None = setting(
        None, "The share of features (γ); 1 − γ is that of the tensor. None: by order.", SHARE
    )
    aggressiveness: float | None = setting(None, "C of mira with a tensor. None: by order.", POSITIVE)
    start: Start = setting(
        "features", "It starts from the weights of features after an epoch, decomposed, or from noise."
    )
    at_least: int = setting(
        1, "Features of words that occur less often in the training data are left out.", COUNT
    )
    step: float = setting(0.02, "Of learners that follow a gradient: the step of the tensor.", POSITIVE)
    damping: float = setting(
        1.0, "The damping of that step (`headwise.learning.settings.GradientSteps`).", NOT_NEGATIVE
    )
    labels: bool = setting(
        False,
        "Labels are features of arcs too, so that the tensor scores them over the finished tree.",
        option="--tensor-labels",
        panel=FEATURES,
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        if settings.network.alone:
            return "there are no features, but a network alone"
        return "there is no tensor" if name not in ("rank", "") and not self.rank else None
