"""Telling the user about the sentences that a command passed over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwise.cli.messages import tell

if TYPE_CHECKING:
    from headwise.errors import TreebankError


def report_skipped(skipped: Sequence[TreebankError], shown: int = 10) -> None:
    """Say on standard error where the broken sentences are, what is wrong, and how many there were."""
    for error in skipped[:shown]:
        tell(f"skipped {error}")
    if len(skipped) > shown:
        tell(f"… and {len(skipped) - shown:,} more")
    if skipped:
        sentences = "sentence" if len(skipped) == 1 else "sentences"
        tell(f"{len(skipped):,} broken {sentences} skipped")
