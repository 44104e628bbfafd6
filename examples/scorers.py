"""A parser with scorers of one's own: `docs/constraints.md` explains them.

python examples/scorers.py "She announced a program to promote safety in trucks and vans."
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

import headwise
from headwise.pipeline import Pipeline
from headwise.treebank import Sentence

Scores = Iterator[npt.NDArray[np.float64]]


def no_verb_under_a_noun(sentences: Sequence[Sentence]) -> Scores:
    """Forbids arcs between two tags."""
    for sentence in sentences:
        tags = ["ROOT", *sentence.upos]
        yield np.array([[-np.inf if (h, m) == ("NOUN", "VERB") else 0.0 for m in tags] for h in tags])


def near_heads(sentences: Sequence[Sentence]) -> Scores:
    """Scores of one's own: half a point off for every word that an arc spans."""
    for sentence in sentences:
        position = np.arange(len(sentence) + 1)
        yield -0.5 * np.abs(position[:, None] - position)


def main(text: str) -> None:
    nlp = headwise.load("en")
    assert isinstance(nlp, Pipeline)
    tagged = list(nlp.tag(nlp.read([text])))
    for scorers in ([], [no_verb_under_a_noun], [near_heads]):
        print("with", ", ".join(scorer.__name__ for scorer in scorers) or "the model alone")
        for parse in nlp.parser.with_scorers(*scorers).pipe(tagged):
            for word, (form, head, label) in enumerate(
                zip(parse.sentence.forms, parse.heads, parse.labels, strict=True), 1
            ):
                print(f"  {word:2} {form:12} {label:8} {head}")


if __name__ == "__main__":
    main(
        sys.argv[1] if len(sys.argv) > 1 else "She announced a program to promote safety in trucks and vans."
    )
