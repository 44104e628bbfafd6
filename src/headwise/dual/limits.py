"""How long to search, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from headwise._native import dual as native

StepRule = Literal["polyak", "decreasing", "halving"]


@dataclass(frozen=True)
class Limits:
    """Limits of a search by dual decomposition. The defaults are those of the parser."""

    iterations: int = 20000
    """Of all runs together: the first, and those of the halves that branching makes."""
    step: StepRule = "polyak"
    """``polyak`` steps by the gap to the best solution known; ``decreasing`` as Koo et al. (2010), A.1;
    ``halving`` as Rush et al. (2010), appendix B: half a step whenever the bound has risen."""
    eliminate: bool = True
    """Rule variables out that no better solution can have on."""
    branch: bool = True
    """Split the problem where the bound stops falling; without choices (see Problem) it never is."""
    patience: int = 20
    """How many iterations the bound may stand still before the problem is split."""
    tolerance: float = 1e-10
    """Scores that differ by less than this share count as equal."""
    centred: bool = True
    """Move each copy of a variable by how much it differs from their mean; else each against that of the
    first subproblem, a tree's where trees are searched, as Koo et al. (2010) do."""
    tree_share: float = 0.5
    """Of trees: how much of the scores of arcs the tree has to begin with (A.2 of the paper, which has
    0.001)."""

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise ValueError(f"iterations is {self.iterations}, must be at least 1")
        if self.patience < 1:
            raise ValueError(f"patience is {self.patience}, must be at least 1")
        if not 0 <= self.tree_share <= 1:
            raise ValueError(f"tree_share is {self.tree_share}, must be from 0 to 1")
        if self.step not in ("polyak", "decreasing", "halving"):
            raise ValueError(f"step is {self.step!r}, must be one of: polyak, decreasing, halving")

    def to_native(self) -> native.Limits:
        return native.Limits(
            iterations=self.iterations,
            step=self.step,
            tolerance=self.tolerance,
            eliminate=self.eliminate,
            branch=self.branch,
            patience=self.patience,
            centred=self.centred,
            tree_share=self.tree_share,
        )


KOO_2010 = Limits(
    iterations=5000, step="decreasing", eliminate=False, branch=False, centred=False, tree_share=0.001
)
"""The algorithm of Koo et al. (2010) to the letter: Figures 1 and 2, with A.1 and A.2."""
RUSH_2010 = Limits(iterations=50, step="halving", eliminate=False, branch=False)
"""That of Rush et al. (2010): its steps, 0.5 · 2^−η (appendix B), and 50 iterations."""
