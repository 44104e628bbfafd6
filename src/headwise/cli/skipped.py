"""Telling the user about the sentences that a command passed over, and about files that have none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from headwise.base.messages import tell

if TYPE_CHECKING:
    from headwise.base.errors import HeadwiseError
    from headwise.treebank import Sentence


def report_skipped(skipped: Sequence[HeadwiseError], shown: int = 10) -> None:
    """Say on standard error where the broken sentences are, what is wrong, and how many there were."""
    for error in skipped[:shown]:
        tell(f"skipped {error}")
    if len(skipped) > shown:
        tell(f"… and {len(skipped) - shown:,} more")
    if skipped:
        sentences = "sentence" if len(skipped) == 1 else "sentences"
        tell(f"{len(skipped):,} broken {sentences} skipped")


def refuse_empty(files: Iterable[Path | None], sentences: Iterable[Sequence[Sentence]]) -> None:
    """Of the files that were named, those without a sentence are no treebanks to learn from."""
    from headwise.base.errors import HeadwiseError

    for file, found in zip(filter(None, files), sentences, strict=True):
        if not found:
            raise HeadwiseError(f"{file} has no sentences to train on, or to judge by; name another file.")
