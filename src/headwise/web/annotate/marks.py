"""What a person has decided, as a CoNLL-U file says it: a key in MISC beside each such word.

Annotated=Yes      its head and its label
Annotated=Head     its head; the label is a suggestion
Annotated=Label    its label; the head is a suggestion

HEAD and DEPREL of all other words are suggestions of a parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headwise.base.errors import HeadwiseError
from headwise.components.parser.constraints import Constraints
from headwise.treebank import Sentence
from headwise.treebank.probabilities import with_items, without_items

MARK = "Annotated"
_BOTH, _HEAD, _LABEL = "Yes", "Head", "Label"


class MarkError(HeadwiseError):
    """A mark that does not say what it should."""


@dataclass(frozen=True)
class Decision:
    """What is decided of one word."""

    head: int | None = None
    """0 is the root; None where it is open."""
    label: str | None = None

    @property
    def is_whole(self) -> bool:
        return self.head is not None and self.label is not None

    @property
    def is_open(self) -> bool:
        """Whether nothing is decided."""
        return self.head is None and self.label is None

    @property
    def mark(self) -> str | None:
        """The value of the key in MISC; None where there is none."""
        if self.is_whole:
            return _BOTH
        return _HEAD if self.head is not None else _LABEL if self.label is not None else None


OPEN = Decision()


def decisions_of(sentence: Sentence) -> list[Decision]:
    """What the marks of a sentence say is decided, word by word."""
    if sentence.format != "conllu":
        return [OPEN] * len(sentence)
    return [_decision(sentence, m) for m in range(1, len(sentence) + 1)]


def _decision(sentence: Sentence, m: int) -> Decision:
    mark = _mark_of(sentence.misc[m - 1])
    if mark is None:
        return OPEN
    if mark not in (_BOTH, _HEAD, _LABEL):
        raise MarkError(
            f"{sentence.file}:{sentence.line_of(m)}: {MARK}={mark} in MISC means nothing. "
            f"Write {MARK}={_BOTH}, {MARK}={_HEAD} or {MARK}={_LABEL}."
        )
    head = int(sentence.heads[m - 1]) if mark != _LABEL else None
    label = sentence.labels[m - 1] if mark != _HEAD else None
    if head == -1 or label == "_":
        missing = "head" if head == -1 else "label"
        raise MarkError(
            f"{sentence.file}:{sentence.line_of(m)}: the word is marked {MARK}={mark} and has no {missing}. "
            "Give it one, or remove the mark."
        )
    return Decision(head, label)


def _mark_of(misc: str) -> str | None:
    for item in misc.split("|"):
        key, _, value = item.partition("=")
        if key == MARK:
            return value
    return None


def annotation_of(sentence: Sentence) -> list[Decision]:
    """Decisions of a sentence without marks: every head and label that is there."""
    return [
        Decision(None if head < 0 else int(head), None if label == "_" else label)
        for head, label in zip(sentence.heads.tolist(), sentence.labels, strict=True)
    ]


def constraints_of(decisions: Sequence[Decision]) -> Constraints:
    """Trees that have all that is decided."""
    return Constraints(
        heads=[-1 if decision.head is None else decision.head for decision in decisions],
        labels=[decision.label for decision in decisions],
    )


def with_decisions(
    sentence: Sentence, decisions: Sequence[Decision], heads: Sequence[int], labels: Sequence[str]
) -> Sentence:
    """The sentence with this tree and the marks of these decisions, every other byte as it was."""
    misc = [_marked(field, decision.mark) for field, decision in zip(sentence.misc, decisions, strict=True)]
    return sentence.with_tree(np.asarray(heads, np.int32), list(labels), misc)


def _marked(misc: str, mark: str | None) -> str:
    if mark is None:
        return without_items(misc, {MARK}) if _mark_of(misc) is not None else misc
    return with_items(misc, [f"{MARK}={mark}"])


def only_annotated(sentence: Sentence) -> Sentence:
    """The sentence with what is decided and nothing else: what a parser may learn from it."""
    decisions = decisions_of(sentence)
    heads = [-1 if decision.head is None else decision.head for decision in decisions]
    return sentence.with_tree(heads, [decision.label or "_" for decision in decisions])
