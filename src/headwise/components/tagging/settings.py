"""What a user can choose about a tagger, with defaults that hold for any treebank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from headwise.base.fields import check_fields, setting
from headwise.base.limits import BITS, COUNT, NOT_NEGATIVE, POSITIVE, SEED, AtMost, Within
from headwise.components.scoring.word_settings import MOST_CLUSTERINGS

Learner = Literal["mira", "perceptron", "log-linear"]


@dataclass(frozen=True)
class TaggerSettings:
    """Settings of a training run. Nothing here depends on the language."""

    learner: Learner = setting(
        "mira",
        "Large-margin (mira), averaged perceptron, or the log-linear model by stochastic gradient ascent.",
    )
    epochs: int = setting(10, "Passes over the training data.", COUNT)
    lemmas: bool = setting(True, "Learn lemmas as well, where the treebank has them.")
    frequent: int = setting(
        20,
        "A word seen this often has only the tags it was seen with; a rarer one may have those of its"
        " ending.",
        COUNT,
    )
    forgetting: float = setting(
        2.0,
        "While learning, a word seen n times passes for a new one at a rate of forgetting/(forgetting + n).",
        NOT_NEGATIVE,
    )
    aggressiveness: float = setting(
        0.02, "MIRA's C: the longest step that a single sentence may cause.", POSITIVE
    )
    rate: float = setting(
        0.1,
        "The first step of the log-linear learner; by the last epoch it has fallen to a quarter.",
        POSITIVE,
    )
    bits: int = setting(
        21,
        "The weight table of the tags has 2**bits entries of 4 bytes; that of the lemmas a quarter of them.",
        Within(BITS.least + 2, BITS.most),
    )
    clusters: tuple[str, ...] = setting(
        (),
        "Files of word clusters (`headwise.words.clusters`), for features that ask for them.",
        AtMost(MOST_CLUSTERINGS, "files"),
    )
    seed: int = setting(1, "The order of sentences, and what is forgotten, come from it.", SEED)
    threads: int = setting(
        1,
        "Threads that tag the development set; learning itself is one step after the other.",
        Within(0, 1024),
    )
    templates: tuple[str, ...] | None = setting(None, "Feature templates of tags. None: the built-in table.")

    def __post_init__(self) -> None:
        check_fields(self)
