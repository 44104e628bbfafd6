"""What a user can choose about a reranker (`headwise.components.reranker.reranker`)."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.base.fields import check_fields, setting
from headwise.base.limits import BITS, COUNT, POSITIVE, SEED, Among, AtLeast, of_core
from headwise.components.whole_tree.families import ALL

K = of_core("reranker.k")


@dataclass(frozen=True)
class RerankerSettings:
    """How a reranker is trained."""

    k: int = setting(50, "Trees of the parser to choose from.", K, option="-k")
    folds: int = setting(
        10,
        "Parsers that have not seen the sentence make the lists to learn from.",
        AtLeast(2),
        option="--folds",
    )
    epochs: int = setting(10, "Passes over the lists.", COUNT)
    aggressiveness: float = setting(0.01, "MIRA's C: the longest step that a sentence may cause.", POSITIVE)
    families: tuple[str, ...] = setting(ALL, "Features of whole trees.", Among(ALL, "family"))
    bits: int = setting(21, "The weight table has 2**bits entries.", BITS)
    seed: int = setting(1, "Same seed: the same trees.", SEED)

    def __post_init__(self) -> None:
        check_fields(self)
