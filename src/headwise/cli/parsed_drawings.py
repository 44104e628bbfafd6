"""Drawings of what a parser makes of its input: its trees, how sure it is, and what else it thought of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwise.cli.choices import ParseInput
from headwise.cli.inputs import Given, sentences_of

if TYPE_CHECKING:
    from headwise.display import Drawing
    from headwise.display.drawing import Alternatives
    from headwise.parser import Parse, Parser
    from headwise.pipeline import Pipeline

LEAST_PROBABLE = 0.02
"""Other heads are shown from this probability on …"""
MOST_ALTERNATIVES = 4
"""… and at most so many."""


def parsed_drawings(
    given: list[Given], model: Pipeline | Parser, format: ParseInput, *, alternatives: bool
) -> Iterator[tuple[Drawing, ...]]:
    """A row for each sentence: its drawing, with probabilities and other heads where they are asked for."""
    from headwise.pipeline import Pipeline

    parser = model.parser if isinstance(model, Pipeline) else model
    for one in given:
        sentences, _ = sentences_of(one, model, format)
        for parse in parser.pipe(sentences, batch_size=32):
            if alternatives:
                confidence, others = probabilities(parser, parse)
                yield (parse.drawing(confidence=confidence, alternatives=others),)
            else:
                yield (parse.drawing(),)


def probabilities(parser: Parser, parse: Parse) -> tuple[list[float], Alternatives]:
    """The probability of each arc of a parse, and the other heads that each word might have."""
    arcs = parser.distribution(parse.sentence).marginals().arcs
    confidence = [float(arcs[head, m]) for m, head in enumerate(parse.heads.tolist(), 1)]
    others = []
    for m, head in enumerate(parse.heads.tolist(), 1):
        ranked = sorted(((float(p), h) for h, p in enumerate(arcs[:, m]) if h != head), reverse=True)
        others.append([(h, p) for p, h in ranked[:MOST_ALTERNATIVES] if p >= LEAST_PROBABLE])
    return confidence, others
