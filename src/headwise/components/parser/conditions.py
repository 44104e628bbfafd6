"""What is wanted of sentences beside their trees: constraints, and scores of the caller's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from headwise._native import parsing as native
from headwise._native.trees import NoTreeError
from headwise.base.errors import HeadwiseError, SentenceTooLongError
from headwise.components.parser.constraints import Constraints, Mask, conflict, has_tree
from headwise.components.scoring.python_scorers import Added, PythonScorer, ask
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.config import ParserConfig

LONGEST = 1000
"""Longer sentences are parsed a stretch at a time, and stretches know nothing of conditions."""


class Conditions:
    """The conditions for a batch, as the core takes them, and what is done with them afterwards."""

    def __init__(
        self,
        batch: Sequence[Sentence],
        config: ParserConfig,
        constraints: Sequence[Constraints | None] | None = None,
        scorers: Sequence[PythonScorer] = (),
    ) -> None:
        self._batch, self._config, self._constraints, self._scorers = batch, config, constraints, scorers
        given = constraints or [None] * len(batch)
        added = ask(scorers, batch, len(config.labels)) if scorers else [Added() for _ in batch]
        self._allowed = [_allowed(s, c, own) for s, c, own in zip(batch, given, added, strict=True)]
        self._labels = [c.label_of(s) if c else None for s, c in zip(batch, given, strict=True)]
        if any(own.labels is not None for own in added) and config.label_mode != "separate":
            raise HeadwiseError("scores of labels need a parser that finds labels over the finished tree.")
        for sentence, *conditions in zip(batch, self._allowed, self._labels, added, strict=True):
            if len(sentence) > LONGEST and (
                scorers or any(condition is not None for condition in conditions[:2])
            ):
                raise SentenceTooLongError(
                    f"{sentence.source}: a sentence of {len(sentence)} words is too long for constraints "
                    f"and scorers ({LONGEST} at most). Split it."
                )
        self.native = self._to_native(added)

    def only(self, number: int) -> Conditions:
        """Those for one sentence of the batch."""
        own = self._constraints and [self._constraints[number]]
        return Conditions([self._batch[number]], self._config, own, self._scorers)

    def _to_native(self, added: Sequence[Added]) -> native.Conditions | None:
        numbers = {name: number for number, name in enumerate(self._config.labels)}
        lists: dict[str, list[Any]] = {
            "allowed": [None if mask is None else mask.astype(np.uint8).ravel() for mask in self._allowed],
            "labels": [
                None if own is None else np.array([numbers.get(x or "", -1) for x in own], np.int32)
                for own in self._labels
            ],
            "arc_scores": [
                None if own.arcs is None else np.where(np.isfinite(own.arcs), own.arcs, 0.0).ravel()
                for own in added
            ],
            "label_scores": [None if own.labels is None else own.labels.ravel() for own in added],
        }
        lists = {name: entries for name, entries in lists.items() if any(e is not None for e in entries)}
        return native.Conditions(**lists) if lists else None

    def explain(self, error: NoTreeError) -> HeadwiseError:
        """What is said where the core finds no tree: whose constraints conflict."""
        kind = {"projective": self._config.projective, "single_root": self._config.single_root}
        for sentence, allowed in zip(self._batch, self._allowed, strict=True):
            if allowed is not None and not has_tree(allowed, **kind):
                return conflict(sentence, allowed, **kind)
        return HeadwiseError(str(error))

    def keep_labels(self, number: int, labels: list[str]) -> list[str]:
        """The labels of a sentence with those that were known, be they known to the parser or not."""
        known = self._labels[number]
        if known is None:
            return labels
        return [found if own is None else own for own, found in zip(known, labels, strict=True)]


def _allowed(sentence: Sentence, constraints: Constraints | None, added: Added) -> Mask | None:
    allowed = constraints.allowed(sentence) if constraints else None
    if added.arcs is None or np.isfinite(added.arcs).all():
        return allowed
    scored = np.isfinite(added.arcs)
    return scored if allowed is None else allowed & scored
