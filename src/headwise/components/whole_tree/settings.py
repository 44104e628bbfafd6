"""What a user can choose about features of whole trees (`headwise.components.whole_tree.config`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from headwise.base.fields import setting
from headwise.base.limits import COUNT, POSITIVE, Among, AtLeast, of_core
from headwise.components.whole_tree.families import ALL


@dataclass(frozen=True)
class WholeTreeFeatures:
    """Above first order: features of whole trees.

    Trees are then searched by climbing from the best tree of the other parts.
    """

    families: tuple[str, ...] = setting(
        (),
        "Family of features of whole trees (valency, crossing …; docs/whole-tree.md), or none; may be"
        " repeated.",
        Among(ALL, "family"),
        option="--whole-tree",
        panel="Parts and features",
        metavar="FAMILY",
    )
    learning: Literal["stacked", "joint"] = setting(
        "stacked",
        "They are learned on top of parsers that have not seen the sentence (stacked), or together with all"
        " other features, in one pass (joint).",
    )
    folds: int = setting(3, "Of stacked: so many parsers, each of which leaves one part out.", AtLeast(2))
    fold_epochs: int = setting(5, "Passes over the data of each of these parsers.", COUNT)
    epochs: int = setting(3, "Passes over the data that learn features of whole trees.", COUNT)
    aggressiveness: float = setting(0.003, "C of mira in these passes.", POSITIVE)
    bits: int = setting(21, "Their weight table has 2**bits entries.", of_core("whole_tree.bits"))
    restarts: int = setting(
        0, "Where arcs may cross, climb from so many random trees too.", of_core("whole_tree.restarts")
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        return "there are no features of whole trees" if name != "families" and not self.families else None
