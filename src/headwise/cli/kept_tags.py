"""Tags that a treebank has already are kept; a tagger fills in where there are none."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from headwise.base.messages import tell

if TYPE_CHECKING:
    from headwise.pipeline.pipeline import Pipeline
    from headwise.treebank import Sentence


def has_tags(sentence: Sentence) -> bool:
    """Whether every word has a part of speech, universal or of the treebank's own."""
    return "_" not in sentence.upos or "_" not in sentence.xpos


class KeptTags:
    """What happened to the tags of treebank files."""

    def __init__(self, retag: bool = False) -> None:
        self._retag = retag
        self._kept = self._tagged = self._strange = self._words = 0

    def tag(
        self,
        sentences: Iterable[Sentence],
        pipeline: Pipeline,
        *,
        threads: int,
        confidence: bool = False,
        proofs: deque[bool] | None = None,
    ) -> Iterator[Sentence]:
        """The sentences, in order: as they are where they have tags, else with those of the pipeline.

        ``confidence`` and ``proofs`` as in `Pipeline.tag`; there is nothing to prove of tags that are kept.
        """
        noted = proofs if pipeline.joint_tags is not None else None
        known = frozenset(pipeline.parser.config.tags)
        for is_kept, run in groupby(sentences, lambda one: not self._retag and has_tags(one)):
            if is_kept:
                for sentence in run:
                    self._kept += 1
                    self._words += len(sentence)
                    self._strange += sum(tag not in known for tag in sentence.upos)
                    if noted is not None:
                        noted.append(True)
                    yield sentence
            else:
                for sentence in pipeline.tag(run, threads=threads, confidence=confidence, proofs=noted):
                    self._tagged += 1
                    yield sentence

    def report(self) -> None:
        """Say it, where there were such files."""
        if self._kept:
            added = f", and added tags to {_count(self._tagged)} without" if self._tagged else ""
            tell(f"kept the tags of {_count(self._kept)}{added} (--retag replaces all by the model's)")
        elif self._tagged:
            tell(f"tagged {_count(self._tagged)}")
        if self._strange > self._words / 2:
            tell(
                f"{self._strange:,} of {self._words:,} tags are none that the model knows, so its trees are "
                "hardly more than guesses; parse with --retag"
            )


def _count(sentences: int) -> str:
    return "1 sentence" if sentences == 1 else f"{sentences:,} sentences"
