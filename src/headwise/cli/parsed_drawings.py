"""Drawings of what a parser makes of its input: its trees, how sure it is, and what else it thought of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwise.cli.choices import ParseInput
from headwise.cli.inputs import Given, Reading

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser
    from headwise.display import Drawing
    from headwise.pipeline.pipeline import Pipeline


def parsed_drawings(
    given: list[Given], model: Pipeline | Parser, format: ParseInput, k_best: int, alternatives: bool
) -> Iterator[tuple[Drawing, ...]]:
    """A row for each sentence: its tree, or its k most probable ones."""
    from headwise.components.confidence.other_heads import other_heads
    from headwise.display.row import caption_of

    reading = Reading(model.tokenizer, format)
    k = k_best if k_best > 1 else None
    flow = model.flow(k=k, confidence=alternatives, batch_size=None if k else 32)
    for one in given:
        for row in flow.rows(reading.sentences_of(one)[0]):
            shows_others = alternatives and not row[0].left_out
            others = other_heads(model.parser, row[0].sentence) if shows_others else None
            yield tuple(
                parse.drawing(alternatives=others, caption=caption_of(parse) if k else None) for parse in row
            )
