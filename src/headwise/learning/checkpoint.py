"""The state of an unfinished training run, so that a killed run can go on where its last epoch ended."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from headwise.errors import HeadwiseError
from headwise.learning.settings import TrainingSettings
from headwise.model import Tensors, read_model, write_model

KIND = "training state"
_NOT_THE_RESULT = ("threads", "epochs")
"""Settings that may differ when a run is resumed: they do not change what one epoch computes."""


@dataclass(frozen=True)
class Progress:
    """Where a run stands after a whole epoch."""

    epoch: int
    best_epoch: int
    best_score: float
    history: list[dict[str, Any]]


@dataclass(frozen=True)
class Checkpoint:
    """A file beside the model that holds the state of the run."""

    path: Path
    fingerprint: str

    @classmethod
    def beside(cls, model: str | Path, settings: TrainingSettings, data: bytes) -> Checkpoint:
        """The checkpoint of a run, told apart from other runs by its settings and a digest of its data."""
        chosen = {name: value for name, value in asdict(settings).items() if name not in _NOT_THE_RESULT}
        digest = hashlib.sha256(json.dumps(chosen, sort_keys=True).encode() + data).hexdigest()
        return cls(Path(f"{model}.state"), digest)

    def write(self, progress: Progress, tensors: Tensors) -> None:
        write_model(self.path, KIND, {"fingerprint": self.fingerprint, **asdict(progress)}, tensors)

    def read(self) -> tuple[Progress, Tensors] | None:
        """The saved state; None when there is none. An error when it belongs to another run."""
        if not self.path.exists():
            return None
        config, tensors = read_model(self.path, KIND)
        if config.pop("fingerprint") != self.fingerprint:
            raise HeadwiseError(
                f"{self.path} belongs to a run with other settings or data. "
                "Resume with the same ones, or remove the file to start anew."
            )
        return Progress(**config), tensors

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
