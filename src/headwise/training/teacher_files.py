"""Files that networks learn from beside the treebank, looked at before any work is done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from headwise.base.errors import HeadwiseError
from headwise.components.network.pretrained import Pretrained
from headwise.model import ModelFile
from headwise.model.stored import require
from headwise.training.settings import TrainingSettings

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser
    from headwise.pipeline.pipeline import Pipeline


def check_what_networks_need(settings: TrainingSettings) -> None:
    """HeadwiseError where PyTorch, a device, a teacher or what raw text taught is missing."""
    if not settings.torch.use:
        return
    from headwise.training.neural.training import chosen_device

    chosen_device(settings.torch)
    for teacher in settings.teaching.teachers:
        load_teacher(teacher)
    if settings.torch.pretrained:
        require(ModelFile.open(settings.torch.pretrained), Pretrained.KIND)


def load_teacher(path: str | Path) -> Pipeline | Parser:
    """A model with a network; HeadwiseError where it has none."""
    from headwise.pipeline.pipeline import load

    model = load(path)
    if model.parser.config.network is None:
        raise HeadwiseError(f"{path} cannot teach: it has no network.")
    return model
