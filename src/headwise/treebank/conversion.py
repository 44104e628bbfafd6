"""From one treebank format to the other, and what gets lost on the way."""

from __future__ import annotations

from dataclasses import dataclass, fields

from headwise._native.treebank import Sentence
from headwise.treebank.reading import Format


@dataclass
class Losses:
    """How much a conversion left out, because the other format has no place for it."""

    comments: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    deps: int = 0
    misc: int = 0
    phead: int = 0
    pdeprel: int = 0

    def __iadd__(self, other: Losses) -> Losses:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def __str__(self) -> str:
        names = {
            "deps": "DEPS fields",
            "misc": "MISC fields",
            "phead": "PHEAD fields",
            "pdeprel": "PDEPREL fields",
        }
        counts = ((names.get(f.name, f.name.replace("_", " ")), getattr(self, f.name)) for f in fields(self))
        return ", ".join(f"{count:,} {name}" for name, count in counts if count) or "nothing"


def conversion_losses(sentence: Sentence, format: Format) -> Losses:
    """What `to_conllu` or `to_conllx` leaves out of this sentence."""
    if sentence.format == format:
        return Losses()
    last_two = (_filled(sentence.deps), _filled(sentence.misc))
    if format == "conllu":
        return Losses(phead=last_two[0], pdeprel=last_two[1])
    tokens = sentence.tokens
    return Losses(
        comments=len(sentence.comments),
        multiword_tokens=sum(token.is_multiword for token in tokens),
        empty_nodes=sum(token.is_empty for token in tokens),
        deps=last_two[0],
        misc=last_two[1],
    )


def convert(sentence: Sentence, format: Format) -> Sentence:
    """The sentence in the format named; itself where it has that format already."""
    return sentence.to_conllu() if format == "conllu" else sentence.to_conllx()


def _filled(column: list[str]) -> int:
    return sum(field != "_" for field in column)
