"""Whether a setting changes anything beside the others: many are of a part that a parser may not have."""

from __future__ import annotations

from headwise.learning.choices import MARGIN_LEARNERS
from headwise.training.settings import TrainingSettings

OF_FEATURES = {
    "epochs",
    "aggressiveness",
    "averaged",
    "regularization",
    "cutoff",
    "arc_bits",
    "label_bits",
    "gradient",
    "eg",
    "sampling",
    "tensor",
}
"""Settings, and groups of them, of what a network alone does not learn."""


def why_without_effect(settings: TrainingSettings, name: str) -> str | None:
    """Why a setting, ``network__width``, is not read beside these others; None: as far as is known, it is."""
    group, _, setting = name.partition("__")
    network, torch = settings.network, settings.torch
    gradient = settings.learner not in MARGIN_LEARNERS
    reasons = {
        "there is no network": group == "network" and setting not in ("use", "") and not settings.has_network,
        "PyTorch trains the network, by settings of torch": (
            name in ("network", "network__use", "network__width", "network__epochs") and torch.use
        ),
        "there are no features to weigh the network against": name == "network__weight" and network.alone,
        "PyTorch trains no network": group in ("torch", "teaching")
        and setting not in ("use", "")
        and not torch.use,
        "the pretrained file decides it": (
            name in ("torch__width", "torch__layers") and torch.pretrained is not None
        ),
        "there are no features, but a network alone": group in OF_FEATURES and network.alone,
        "there are no parts above arcs": group == "pruning" and not settings.has_larger_parts,
        "there is no tensor": group == "tensor" and setting not in ("rank", "") and not settings.tensor.rank,
        "a tensor has its own": name == "aggressiveness" and settings.tensor.rank > 0,
        f"the learner {settings.learner} has no longest step": (
            name == "aggressiveness" and (gradient or settings.learner == "perceptron")
        ),
        f"the learner {settings.learner} follows no gradient": group == "gradient" and not gradient,
        "the optimizer online is without it": name == "regularization" and settings.optimizer == "online",
        f"the optimizer {settings.optimizer} is another": (
            group == "eg" and not settings.optimizer.startswith("eg")
        ),
        f"the learner {settings.learner} takes no samples": (
            group == "sampling" and settings.learner != "samplerank"
        ),
        "there are no latent labels": group == "latent" and settings.labels != "latent",
        "there are no features of whole trees": (
            group == "whole_tree" and setting != "families" and not settings.whole_tree.families
        ),
        "there are no clusters of words": (
            name in ("words__contours", "words__bits") and not settings.words.clusters
        ),
        "there are no vectors of words": name == "words__vector_words" and settings.words.vectors is None,
        "no tree depends on it": name in ("threads", "calibrate"),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)
