"""What a user can choose about a network that learns from others."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.learning.setting_checks import not_negative


@dataclass(frozen=True)
class Teaching:
    """Networks that a network of PyTorch learns from (`headwise.training.neural.teachers`)."""

    teachers: tuple[str, ...] = ()
    """Model files. How likely their networks hold heads, labels and tags is what is learned, and the first
    one's vectors are what the network starts from; shortened, where it is to have shorter ones. Where
    ``settings.words`` names no clusters or vectors from raw text, those of the first one are taken."""
    share: float = 0.5
    """What they say counts so much beside what the treebank says, of words that have a head there."""
    unlabelled: str | None = None
    """Sentences that only the teachers know trees of. For a parser a treebank file, with tags of the kind
    that it will see; for a pipeline that, or raw text."""
    words: float = 1.0
    """In every pass, so many words of these are read for each word of the treebank."""

    def check(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError(f"teaching.share is {self.share}, must be between 0 and 1")
        not_negative(self, "teaching", "words")
        if self.unlabelled and not self.teachers:
            raise ValueError("teaching.unlabelled needs teachers, who know trees of these sentences")
