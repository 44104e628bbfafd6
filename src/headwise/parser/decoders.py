"""Which tree a parser gives for the scores of a sentence."""

from __future__ import annotations

from enum import StrEnum

DEFAULT_SEED = 1


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
    climb = "climb"
    """The best one that greedy climbs from random trees reach (Zhang et al. 2014), without a proof: for trees
    of higher order whose arcs may cross."""
    sample = "sample"
    """The best one of a chain of samples at a falling temperature; as `climb`."""
    exact_ilp = "exact-ilp"
    """The best one on every sentence: what dual decomposition leaves open is closed by an integer program."""
    max_z = "max-z"
    """Of models with latent labels z: the best tree with the best z. Their ``map`` sums over z."""

    @property
    def is_random(self) -> bool:
        """Whether the tree depends on a seed."""
        return self in (Decoder.climb, Decoder.sample)
