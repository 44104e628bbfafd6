"""A system's tree next to gold: which arcs are wrong, and what they should have been."""

from __future__ import annotations

from dataclasses import replace

from headwise.base.errors import HeadwiseError
from headwise.display.drawing import Arc, Drawing, Verdict


class DisplayError(HeadwiseError):
    """Something cannot be drawn as asked."""


def compare(system: Drawing, gold: Drawing) -> Drawing:
    """The system's drawing with its wrong arcs marked, and gold's arcs for those words as corrections."""
    ours, theirs = ([word.form for word in drawing.words] for drawing in (system, gold))
    if ours != theirs:
        raise DisplayError(_difference(ours, theirs, gold.caption))
    right = {arc.modifier: arc for arc in gold.arcs}
    judged = tuple(replace(arc, verdict=_verdict(arc, right.get(arc.modifier))) for arc in system.arcs)
    found = {arc.modifier for arc in judged if arc.verdict is None}
    missed = tuple(arc for arc in gold.arcs if arc.modifier not in found)
    return replace(system, arcs=judged, corrections=missed)


def _verdict(arc: Arc, gold: Arc | None) -> Verdict | None:
    if gold is None:  # gold does not say
        return None
    if arc.head != gold.head:
        return Verdict.wrong_head
    return None if arc.label == gold.label else Verdict.wrong_label


def _difference(system: list[str], gold: list[str], caption: str) -> str:
    where = f"sentence {caption}: " if caption else ""
    remedy = "compare files with the same sentences and words, in the same order"
    for m, (ours, theirs) in enumerate(zip(system, gold, strict=False), 1):
        if ours != theirs:
            return f"{where}word {m} is {ours!r}, but {theirs!r} in gold; {remedy}"
    return f"{where}{len(system)} words, but {len(gold)} in gold; {remedy}"
