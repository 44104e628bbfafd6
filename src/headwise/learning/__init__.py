"""How weights are learned, whatever of: the loop over a treebank, its states, folds, batch optimizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.learning.loop import DevScores as DevScores
    from headwise.learning.loop import EpochReport as EpochReport
    from headwise.learning.loop import Listener as Listener

_HOMES = {
    "DevScores": "headwise.learning.loop",
    "EpochReport": "headwise.learning.loop",
    "Listener": "headwise.learning.loop",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
