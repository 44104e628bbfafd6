"""What is drawn: the words of a sentence and the arcs between them, whatever the medium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from headwise.treebank import Sentence

Heads = Sequence[int] | npt.NDArray[np.integer]
Alternatives = Sequence[Sequence[tuple[int, float]]]
"""For each word, other heads it might have, each with its probability."""


UNSURE = 0.5
"""An arc less probable than this is marked as unsure."""


class Verdict(StrEnum):
    """What is wrong with an arc, next to gold."""

    wrong_head = "wrong-head"
    wrong_label = "wrong-label"


@dataclass(frozen=True)
class Word:
    form: str
    tag: str = ""


@dataclass(frozen=True)
class Arc:
    """An arc from a head to its modifier, both numbered from 1; head 0 is the root."""

    head: int
    modifier: int
    label: str = ""
    confidence: float | None = None
    verdict: Verdict | None = None

    @property
    def span(self) -> tuple[int, int]:
        """The two words that it joins, in the order of the sentence."""
        return min(self.head, self.modifier), max(self.head, self.modifier)

    @property
    def from_root(self) -> bool:
        return self.head == 0

    @property
    def is_unsure(self) -> bool:
        return self.confidence is not None and self.confidence < UNSURE


@dataclass(frozen=True)
class Drawing:
    """A tree to be drawn by `to_text`, `to_svg` or `to_html`; made by `draw` and `compare`."""

    words: tuple[Word, ...]
    arcs: tuple[Arc, ...]
    """At most one for each word; a word without a head has none."""
    corrections: tuple[Arc, ...] = ()
    """Gold's arcs for the words whose arcs are not right."""
    alternatives: tuple[tuple[Arc, ...], ...] = ()
    """For each word its other possible heads, the likeliest first; empty when not known."""
    caption: str = ""
    text: str = ""
    """The sentence as running text."""


def draw(
    sentence: Sentence,
    heads: Heads | None = None,
    labels: Sequence[str] | None = None,
    *,
    confidence: Sequence[float] | npt.NDArray[np.floating] | None = None,
    alternatives: Alternatives | None = None,
    caption: str | None = None,
) -> Drawing:
    """The drawing of a sentence with its own tree, or with the heads and labels given.

    Args:
        confidence: for each word, the probability of its arc.
        alternatives: for each word, other heads and their probabilities; the head that is drawn may be
            among them and is left out.
        caption: the name of the drawing; by default the sentence's sent_id.
    """
    n = len(sentence)
    heads = sentence.heads.tolist() if heads is None else [int(head) for head in heads]
    labels = sentence.labels if labels is None else labels
    for name, column in (
        ("heads", heads),
        ("labels", labels),
        ("confidence", confidence),
        ("alternatives", alternatives),
    ):
        if column is not None and len(column) != n:
            raise ValueError(f"{name} must have one entry for each of the {n} words, not {len(column)}")
    probabilities = [None] * n if confidence is None else [float(p) for p in confidence]
    arcs = [
        Arc(_checked(head, m, n), m, _filled(label), probability)
        for m, (head, label, probability) in enumerate(zip(heads, labels, probabilities, strict=True), 1)
        if head >= 0
    ]
    return Drawing(
        words=tuple(Word(*word) for word in zip(sentence.forms, _tags(sentence), strict=True)),
        arcs=tuple(arcs),
        alternatives=tuple(
            _other_heads(m, heads[m - 1], choices, n) for m, choices in enumerate(alternatives or (), 1)
        ),
        caption=(sentence.sent_id or "") if caption is None else caption,
        text=sentence.text or " ".join(sentence.forms),
    )


def _checked(head: int, modifier: int, n: int) -> int:
    if head > n or head == modifier:
        raise ValueError(f"word {modifier} cannot have head {head}: heads are 0…{n}, and not the word itself")
    return head


def _tags(sentence: Sentence) -> list[str]:
    """The coarse tags, or the fine ones where the file has no coarse ones."""
    return [_filled(upos) or _filled(xpos) for upos, xpos in zip(sentence.upos, sentence.xpos, strict=True)]


def _filled(field: str) -> str:
    return "" if field == "_" else field


def _other_heads(modifier: int, head: int, choices: Sequence[tuple[int, float]], n: int) -> tuple[Arc, ...]:
    others = [
        Arc(_checked(other, modifier, n), modifier, confidence=float(p))
        for other, p in choices
        if other != head
    ]
    return tuple(sorted(others, key=lambda arc: -(arc.confidence or 0.0)))
