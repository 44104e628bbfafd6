"""What a user can choose about a network that learns from others (`headwise.training.neural.teachers`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwise.base.fields import setting
from headwise.base.limits import NOT_NEGATIVE, SHARE
from headwise.components.network.settings import BY_TORCH


@dataclass(frozen=True)
class Teaching:
    """Networks that a network of PyTorch learns from.

    How likely they hold heads, labels and tags is what is learned, and the first one's vectors are what the
    network starts from; shortened, where it is to have shorter ones. Where ``settings.words`` names no
    clusters or vectors from raw text, those of the first one are taken.
    """

    teachers: tuple[str, ...] = setting(
        (),
        "A model whose network this one learns from, how likely it holds heads and labels; may be repeated"
        " (docs/distillation.md).",
        option="--teacher",
        panel=BY_TORCH,
        metavar="MODEL|FILE",
    )
    share: float = setting(
        0.5,
        "What they say counts so much beside what the treebank says, of words that have a head there.",
        SHARE,
    )
    unlabelled: str | None = setting(
        None,
        "Sentences without trees to ask teachers about. For a parser a treebank file, with tags of the kind"
        " that it will see; for a pipeline that, or raw text.",
        option="--unlabelled",
        panel=BY_TORCH,
        metavar="FILE",
    )
    words: float = setting(
        1.0,
        "In every pass, so many words of these are read for each word of the treebank.",
        NOT_NEGATIVE,
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        return None if settings.torch.use else "PyTorch trains no network"
