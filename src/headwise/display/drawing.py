"""What is drawn: the words of a sentence and the arcs between them, whatever the medium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.trees import Solution, Tree

Heads = Sequence[int] | npt.NDArray[np.integer]
Alternatives = Sequence[Sequence[tuple[int, float]]]
"""For each word, other heads it might have, each with its probability."""
Corrector = Literal["gold", "model"]


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
    mark: str = ""
    """What the word is called where somebody looked for it; "" for the others."""


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
    """Arcs of someone else for words about which they differ …"""
    corrector: Corrector = "gold"
    """… who is this."""
    alternatives: tuple[tuple[Arc, ...], ...] = ()
    """For each word its other possible heads, the likeliest first; empty when not known."""
    caption: str = ""
    text: str = ""
    """The sentence as running text."""

    def _repr_html_(self) -> str:
        """The tree as a notebook shows it."""
        from headwise.display.html import to_notebook

        return to_notebook(self)


def draw(
    sentence: Sentence | Sequence[str],
    heads: Heads | Tree | Solution | None = None,
    labels: Sequence[str] | None = None,
    *,
    confidence: Sequence[float] | npt.NDArray[np.floating] | None = None,
    alternatives: Alternatives | None = None,
    caption: str | None = None,
) -> Drawing:
    """The drawing of a sentence with its own tree, or with the heads and labels given.

    Args:
        sentence: a sentence, or its words.
        heads: for each word the number of its head; or a tree of `headwise.trees`.
        confidence: for each word, the probability of its arc.
        alternatives: for each word, other heads and their probabilities; the head that is drawn may be
            among them and is left out.
        caption: the name of the drawing; by default the sentence's sent_id.
    """
    if not isinstance(sentence, Sentence):
        sentence = Sentence.from_words(list(sentence))
    n = len(sentence)
    heads, labels = _tree(sentence, heads, labels)
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


def _tree(sentence: Sentence, heads: Any, labels: Sequence[str] | None) -> tuple[list[int], Sequence[str]]:
    """What is given, else the sentence's own. Labels of the tree library are numbers."""
    if heads is None:
        return sentence.heads.tolist(), sentence.labels if labels is None else labels
    tree = getattr(heads, "tree", heads)  # of a solution
    if labels is None and getattr(tree, "labels", None) is not None:
        labels = [str(label) for label in tree.labels]
    heads = [int(head) for head in getattr(tree, "heads", tree)]
    return heads, sentence.labels if labels is None else labels


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
