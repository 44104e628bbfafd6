"""What `headwise doubt` found, drawn: how probable the annotation is, and what a parser would have."""

from __future__ import annotations

import math
from dataclasses import replace

from headwise.display.drawing import Arc, Drawing
from headwise.treebank import Sentence
from headwise.treebank.probabilities import DOUBT, MODEL_HEAD, MODEL_LABEL, ConfidenceError


def with_doubts(drawing: Drawing, sentence: Sentence) -> Drawing:
    """The drawing with the doubts and the model's arcs that MISC has; the same where it has none.

    The doubt about an annotated arc is −log of its probability. In a sentence where some word has no head,
    doubts are about heads alone, and say nothing of the arcs that are there.
    """
    if sentence.format != "conllu":
        return drawing
    fields = [dict(item.partition("=")[::2] for item in misc.split("|")) for misc in sentence.misc]
    if not any(DOUBT in field or MODEL_HEAD in field for field in fields):
        return drawing
    annotated = len(drawing.arcs) == len(drawing.words)
    try:
        arcs = tuple(
            replace(arc, confidence=math.exp(-float(fields[arc.modifier - 1][DOUBT])))
            if annotated and arc.confidence is None and DOUBT in fields[arc.modifier - 1]
            else arc
            for arc in drawing.arcs
        )
        model = tuple(
            Arc(int(field[MODEL_HEAD]), m, field.get(MODEL_LABEL, "_").replace("_", ""))
            for m, field in enumerate(fields, 1)
            if MODEL_HEAD in field
        )
        if any(not 0 <= arc.head <= len(fields) or arc.head == arc.modifier for arc in model):
            raise ValueError("there is no such head")
    except (ValueError, OverflowError) as error:
        raise ConfidenceError(f"{sentence.source}: doubts in MISC that cannot be drawn: {error}") from error
    return replace(drawing, arcs=arcs, corrections=model, corrector="model")
