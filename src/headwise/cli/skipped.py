"""Telling the user about the sentences that a command passed over."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwise.errors import TreebankError


def report_skipped(skipped: Sequence[TreebankError], shown: int = 10) -> None:
    """Say on standard error where the broken sentences are, what is wrong, and how many there were."""
    for error in skipped[:shown]:
        print(f"headwise: skipped {error}", file=sys.stderr)
    if len(skipped) > shown:
        print(f"headwise: … and {len(skipped) - shown:,} more", file=sys.stderr)
    if skipped:
        sentences = "sentence" if len(skipped) == 1 else "sentences"
        print(f"headwise: {len(skipped):,} broken {sentences} skipped", file=sys.stderr)
