"""Which tree a parser gives for the scores of a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from headwise.trees.factorizations import PROJECTIVE_ONLY

if TYPE_CHECKING:
    from headwise.components.parser.config import ParserConfig


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
    projective = "projective"
    """The best one without crossing arcs, also where the model's trees may have some: exact at any order."""
    max_z = "max-z"
    """Of models with latent labels z: the best tree with the best z. Their ``map`` sums over z."""

    @property
    def is_random(self) -> bool:
        """Whether the tree depends on a seed."""
        return self in (Decoder.climb, Decoder.sample)

    def why_not(self, config: ParserConfig) -> str | None:
        """Why this decoder does not suit a parser, and what to do; None where it does.

        The one place that says so: parsers ask it before they parse, and commands before they read.
        """
        return next(
            (rule.says(self) for rule in RULES if self in rule.decoders and rule.forbids(config)), None
        )


@dataclass(frozen=True)
class Rule:
    """Parsers that some decoders are not for."""

    decoders: tuple[Decoder, ...]
    forbids: Callable[[ParserConfig], bool]
    reason: str

    def says(self, decoder: Decoder) -> str:
        return f"the decoder {decoder.value!r} {self.reason}"


RULES = (
    Rule(
        (Decoder.minimum_risk,),
        lambda config: not config.has_exact_probabilities,
        "needs probabilities, which non-projective trees of higher order do not have. Train with "
        "--factorization arc or --trees projective, or decode with 'map'.",
    ),
    Rule(
        (Decoder.minimum_risk, Decoder.exact_ilp),
        lambda config: config.has_whole_tree_features,
        "knows nothing of features of whole trees, which this model has. Decode with 'map', or train "
        "without: --whole-tree none.",
    ),
    Rule(
        (Decoder.dual, Decoder.exact_ilp),
        lambda config: config.factorization in PROJECTIVE_ONLY,
        "takes parts apart that this factorization has not: its trees are found by a dynamic program. "
        "Decode with 'map'.",
    ),
    Rule(
        (Decoder.dual, Decoder.exact_ilp),
        lambda config: config.has_labels_in_chart,
        "takes parts apart, and this parser tells labels apart inside one chart. Decode with 'map'.",
    ),
    Rule(
        (Decoder.max_z,),
        lambda config: config.label_mode != "latent",
        "is for models with latent labels; decode with 'map'.",
    ),
    Rule(
        (Decoder.climb, Decoder.sample),
        lambda config: config.projective or not config.has_larger_parts,
        "is for trees of higher order whose arcs may cross; of others the best is found for certain. "
        "Decode with 'map', or train with --trees nonprojective and a factorization above arc.",
    ),
)
"""Which decoder goes with which trees and parts."""
