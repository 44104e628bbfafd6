"""Exponentiated gradient on the dual, epoch by epoch.

Koo's thesis, section 4.4.2, Figure 4-2 and Appendix A; Collins et al. (2008). The algorithm is in
native/learning/exponentiated_gradient.hpp.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise.learning.loop import TrainedWeights
from headwise.model import Tensors


class EgTraining:
    """A trainer by exponentiated gradient as the training loop wants it.

    ``online`` moves one sentence after the other; otherwise all move at once at the end of an epoch. A
    step that would not lower the dual objective is not taken, but tried again at half the rate: that of the
    sentence, where Figure 4-2 has one rate for all, or that of the batch. Max-margin has steps towards single
    trees beside them.
    """

    def __init__(self, trainer: native.EgTrainer, *, online: bool) -> None:
        self.trainer, self.online = trainer, online
        self._epoch_begins = True

    def train(self, order: npt.NDArray[np.int64], threads: int = 1) -> Any:
        if self._epoch_begins:
            self.trainer.start_averaging()
            self._epoch_begins = False
        return self.trainer.train(order, threads, self.online)

    def after_epoch(self) -> Mapping[str, float]:
        """Both objectives, the gap between them and the rate."""
        self._epoch_begins = True
        if not self.online:
            self._step()
        primal, dual = self.trainer.objectives()
        rate = self.trainer.mean_rate if self.online else self.trainer.rate
        gap = max(0.0, primal + dual)  # below zero by rounding alone
        return {"primal": primal, "dual": -dual, "gap": gap, "rate": rate}

    def _step(self) -> None:
        for _ in range(60):
            if self.trainer.batch_step():
                return

    def averaged(self) -> TrainedWeights:
        return self.trainer.averaged()

    def state(self) -> Tensors:
        return self.trainer.state()

    def restore(self, state: Tensors) -> None:
        self.trainer.restore(state)
