"""What the checks of settings say in Python's names, in those of the options that somebody typed."""

from __future__ import annotations

import re

OF_SETTINGS = {
    "network.members": "--networks",
    "network.width": "--network-width",
    "network.bits": "--network-bits",
    "network.weight": "--network-weight",
    "network.alone": "--preset network",
    "torch.use": "--torch",
    "torch.encoder": "--encoder",
    "torch.pretrained": "--pretrained",
    "torch.epochs": "--torch-epochs",
    "torch.width": "--torch-width",
    "torch.layers": "--torch-layers",
    "tensor.rank": "--tensor-rank",
    "tensor.labels": "--tensor-labels",
    "pruning.threshold": "--prune-threshold",
    "pruning.heads": "--prune-heads",
    "gradient.step": "--step",
    "gradient.cost": "--cost",
    "latent.clusters": "--clusters",
    "words.clusters": "--word-clusters",
    "words.frequent": "--frequent-words",
    "words.ignore": "--without-column",
    "whole_tree.families": "--whole-tree",
    "teaching.unlabelled": "--unlabelled",
}
"""Settings that have an option of another name."""
OF_VALUES = {
    "network=True": "--network",
    "network=False": "--no-network",
    "torch=True": "--torch",
    "torch=False": "no --torch",
    "tensor=True": "--tensor",
    "averaged=False": "--no-averaging",
    "families=()": "--whole-tree none",
}
ALIKE = "preset|trees|labels|learner|optimizer|factorization|regularization|epochs|cutoff|positions|roles"
"""Settings that are called as their options are."""


def as_typed(message: str) -> str:
    """A message about settings, for somebody who typed options."""
    for setting, option in (OF_SETTINGS | OF_VALUES).items():
        message = re.sub(rf"(?<![\w.]){re.escape(setting)}(?![\w.]\w)", option, message)
    message = re.sub(rf"\b({ALIKE})='([\w-]+)'", r"--\1 \2", message)
    return re.sub(rf"^({ALIKE})(?= is )", r"--\1", message)
