"""Which tree a parser gives for the scores of a sentence."""

from __future__ import annotations

from enum import StrEnum


class Decoder(StrEnum):
    """The tree that is wanted."""

    map = "map"
    """The best one: most probable, where the model gives probabilities."""
    minimum_risk = "minimum-risk"
    """The one with the most words expected to be attached right (Smith and Smith 2007, section 4). It needs
    the probabilities of arcs: scores that are not log-probabilities (MIRA, perceptron) make poor ones."""
    max_z = "max-z"
    """Of models with latent labels z: the best tree with the best z. Their ``map`` sums over z."""
