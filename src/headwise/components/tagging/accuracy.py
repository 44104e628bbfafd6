"""How many words got the right tag and lemma."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headwise.treebank import Sentence


@dataclass(frozen=True)
class TagScores:
    """Shares of words whose column is right; ``tags`` is UPOS, XPOS and FEATS all at once."""

    upos: float
    xpos: float
    feats: float
    tags: float
    lemmas: float

    @property
    def selection(self) -> float:
        return (self.upos + self.tags) / 2

    def measures(self) -> dict[str, float]:
        return {
            "upos": self.upos,
            "xpos": self.xpos,
            "feats": self.feats,
            "tags": self.tags,
            "lemmas": self.lemmas,
        }

    def __str__(self) -> str:
        return "dev " + " ".join(
            f"{'all tags' if name == 'tags' else name.upper()} {100 * share:.2f}"
            for name, share in self.measures().items()
        )


def tag_scores(gold: Iterable[Sentence], tagged: Iterable[Sentence]) -> TagScores:
    """Compare sentences of the same words."""
    words = 0
    right = dict.fromkeys(("upos", "xpos", "feats", "lemmas"), 0)
    all_right = 0
    for g, t in zip(gold, tagged, strict=True):
        words += len(g)
        hits = {
            name: [a == b for a, b in zip(getattr(g, name), getattr(t, name), strict=True)] for name in right
        }
        for name, column in hits.items():
            right[name] += sum(column)
        all_right += sum(map(all, zip(hits["upos"], hits["xpos"], hits["feats"], strict=True)))
    share = {name: count / max(1, words) for name, count in right.items()}
    return TagScores(share["upos"], share["xpos"], share["feats"], all_right / max(1, words), share["lemmas"])
