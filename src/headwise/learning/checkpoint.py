"""The state of an unfinished training run, so that a killed run can go on where its last epoch ended."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from headwise.base.errors import HeadwiseError
from headwise.model import ModelFile, Tensors, write_model
from headwise.model.schema import Within, from_json
from headwise.model.stored import require, unusable

KIND = "training state"
_NOT_THE_RESULT = ("threads", "epochs")
"""Settings that may differ when a run is resumed: they do not change what one epoch computes."""


@dataclass(frozen=True)
class Progress:
    """Where a run stands after a whole epoch."""

    epoch: Annotated[int, Within(1, 1 << 31)]
    best_epoch: Annotated[int, Within(0, 1 << 31)]
    best_score: float
    history: list[dict[str, Any]]


@dataclass(frozen=True)
class _Saved(Progress):
    """The header of the file."""

    fingerprint: str


@dataclass(frozen=True)
class Checkpoint:
    """A file beside the model that holds the state of the run."""

    path: Path
    fingerprint: str

    @classmethod
    def beside(cls, output: str | Path, settings: Mapping[str, Any], data: bytes) -> Checkpoint:
        """The checkpoint of a run, told apart from other runs by its settings and a digest of its data."""
        chosen = {name: value for name, value in settings.items() if name not in _NOT_THE_RESULT}
        digest = hashlib.sha256(json.dumps(chosen, sort_keys=True).encode() + data).hexdigest()
        return cls(Path(f"{output}.state"), digest)

    def of(self, part: str) -> Checkpoint:
        """The state of something that is learned after the parser, in a file of its own."""
        return Checkpoint(self.path.with_suffix(f".{part}{self.path.suffix}"), self.fingerprint)

    def write(self, progress: Progress, tensors: Tensors) -> None:
        write_model(self.path, KIND, {"fingerprint": self.fingerprint, **asdict(progress)}, tensors)

    def read(self) -> tuple[Progress, Tensors] | None:
        """The saved state; None when there is none. An error when it belongs to another run."""
        if not self.path.exists():
            return None
        file = ModelFile.open(self.path)
        require(file, KIND)
        with self.damaged():
            saved, tensors = from_json(_Saved, file.config), file.all_tensors()
        if saved.fingerprint != self.fingerprint:
            raise HeadwiseError(
                f"{self.path} belongs to a run with other settings or data. "
                "Resume with the same ones, or remove the file to start anew."
            )
        return Progress(saved.epoch, saved.best_epoch, saved.best_score, saved.history), tensors

    def damaged(self) -> AbstractContextManager[None]:
        """Whatever of the saved state does not fit the run is a ModelError."""
        return unusable(KIND, self.path, "Remove it to start anew.")

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
