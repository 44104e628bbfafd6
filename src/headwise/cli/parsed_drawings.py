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
    from headwise.pipeline.pipeline import Pipeline

    parser = model.parser if isinstance(model, Pipeline) else model
    reading = Reading(model, format)
    for one in given:
        sentences, _ = reading.sentences_of(one)
        if k_best > 1:
            rows = parser.pipe_k_best(sentences, k_best)
        else:
            rows = ([parse] for parse in parser.pipe(sentences, batch_size=32, confidence=alternatives))
        for row in rows:
            others = other_heads(parser, row[0].sentence) if alternatives else None
            yield tuple(
                parse.drawing(alternatives=others, caption=caption_of(parse) if k_best > 1 else None)
                for parse in row
            )
