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
    dual = "dual"
    """The best one, by dual decomposition (Koo et al. 2010): what `map` is for trees whose arcs may cross;
    where they may not, an alternative to the dynamic program."""
    exact_ilp = "exact-ilp"
    """The best one on every sentence: what dual decomposition leaves open is closed by an integer program."""
    max_z = "max-z"
    """Of models with latent labels z: the best tree with the best z. Their ``map`` sums over z."""
