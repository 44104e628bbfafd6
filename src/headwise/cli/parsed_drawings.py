"""Drawings of what a parser makes of its input: its trees, how sure it is, and what else it thought of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwise.cli.choices import ParseInput
from headwise.cli.inputs import Given, Reading

if TYPE_CHECKING:
    from headwise.display import Drawing
    from headwise.display.drawing import Alternatives
    from headwise.parser.parse import Parse
    from headwise.parser.parser import Parser
    from headwise.parser.pipeline import Pipeline

LEAST_PROBABLE = 0.02
"""Other heads are shown from this probability on …"""
MOST_ALTERNATIVES = 4
"""… and at most so many."""


def parsed_drawings(
    given: list[Given], model: Pipeline | Parser, format: ParseInput, k_best: int, alternatives: bool
) -> Iterator[tuple[Drawing, ...]]:
    """A row for each sentence: its tree, or its k most probable ones."""
    from headwise.parser.pipeline import Pipeline

    parser = model.parser if isinstance(model, Pipeline) else model
    reading = Reading(model, format)
    for one in given:
        sentences, _ = reading.sentences_of(one)
        if k_best > 1:
            rows = parser.pipe_k_best(sentences, k_best)
        else:
            rows = ([parse] for parse in parser.pipe(sentences, batch_size=32, confidence=alternatives))
        for row in rows:
            others = other_heads(parser, row[0]) if alternatives else None
            yield tuple(
                parse.drawing(alternatives=others, caption=_caption(parse) if k_best > 1 else None)
                for parse in row
            )


def other_heads(parser: Parser, parse: Parse) -> Alternatives:
    """The heads that each word of a sentence might have, the most probable first."""
    arcs = parser.arc_probabilities(parse.sentence)
    ranked = (
        sorted(((h, float(p)) for h, p in enumerate(arcs[:, m])), key=lambda pair: -pair[1])
        for m in range(1, len(parse) + 1)
    )
    return [[pair for pair in word[: MOST_ALTERNATIVES + 1] if pair[1] >= LEAST_PROBABLE] for word in ranked]


def _caption(parse: Parse) -> str:
    probability = "" if parse.log_prob is None else f" ({math.exp(parse.log_prob):.0%})"
    return f"{parse.sentence.sent_id or ''} tree {parse.rank}{probability}".lstrip()
