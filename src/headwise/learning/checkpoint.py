"""The state of an unfinished training run, so that a killed run can go on where its last epoch ended."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from headwise.base.errors import HeadwiseError, ModelError
from headwise.base.limits import Within
from headwise.model import ModelFile, Tensors, write_model
from headwise.model.schema import from_json
from headwise.model.stored import require, unusable

if TYPE_CHECKING:
    from headwise.learning.loop import Listener

KIND = "training state"
NOTHING_TO_RESUME = "there is no unfinished run to resume: starting anew"
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
    """A file beside the model that holds the state of a step of the run."""

    path: Path
    fingerprint: str
    resume: bool = False
    """Whether the step goes on from a state that is there."""

    @classmethod
    def beside(
        cls, output: str | Path, settings: Mapping[str, Any], data: bytes = b"", *, resume: bool = False
    ) -> Checkpoint:
        """The checkpoint of a run, told apart from other runs by its settings and a digest of its data."""
        chosen = {name: value for name, value in settings.items() if name not in _NOT_THE_RESULT}
        digest = hashlib.sha256(json.dumps(chosen, sort_keys=True).encode() + data).hexdigest()
        return cls(Path(f"{output}.state"), digest, resume)

    def of(self, part: str) -> Checkpoint:
        """The state of a later step, in a file of its own."""
        return replace(self, path=self.path.with_suffix(f".{part}{self.path.suffix}"))

    def keep(self, progress: Progress, state: Callable[[], Tensors], listener: Listener) -> None:
        """Write the state; where that cannot be done, say so: the run is worth more than its state."""
        try:
            header = {"fingerprint": self.fingerprint, **asdict(progress)}
            write_model(self.path, KIND, header, state(), follow_links=False)
        except (ModelError, MemoryError) as failure:
            error = failure if str(failure) else "there is not enough memory."
            listener.message(f"the state of the run is not kept, so it cannot be resumed from here: {error}")

    def read(self) -> tuple[Progress, Tensors] | None:
        """The saved state; None when there is none to go on from. An error when it is another run's."""
        if not self.resume or not self.path.exists():
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


def say_what_is_resumed(states: Sequence[Checkpoint], listener: Listener) -> None:
    """Where a run is to go on from an unfinished one and there is none."""
    if states[0].resume and not any(state.path.exists() for state in states):
        listener.message(NOTHING_TO_RESUME)
