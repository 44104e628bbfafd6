"""Telling the user what became of the tags that treebank files have already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.messages import tell

if TYPE_CHECKING:
    from headwise.components.parser.flow import Flow


def report_tags(flow: Flow, of_text: int) -> None:
    """Say it, where there were such files; ``of_text`` sentences were of running text."""
    counts = flow.tags
    tagged = counts.found - of_text
    if counts.kept:
        added = f", and added tags to {_count(tagged)} without" if tagged > 0 else ""
        tell(f"kept the tags of {_count(counts.kept)}{added} (--retag replaces all by the model's)")
    elif tagged > 0:
        tell(f"tagged {_count(tagged)}")
    if counts.strange > counts.words / 2:
        tell(
            f"{counts.strange:,} of {counts.words:,} tags are none that the model knows, so its trees are "
            "hardly more than guesses; parse with --retag"
        )


def _count(sentences: int) -> str:
    return "1 sentence" if sentences == 1 else f"{sentences:,} sentences"
