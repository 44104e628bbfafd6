"""Paragraphs as people type them: all in lower case, or all in capitals.

Whole ones, so that it is punctuation and words that tell where sentences end, and not how the next
one begins. What `headwise.treebank.rewriting` does besides, leaving out the full stop, would teach that
sentences end anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from headwise.components.text.raw_text import Paragraph

WAYS: tuple[Callable[[str], str], ...] = (str.lower, str.upper)


def retyped(paragraphs: Iterable[Paragraph], share: float, seed: int) -> Iterator[Paragraph]:
    """The paragraphs, of which such a share, drawn at random, is in lower case or in capitals."""
    rng = random.Random(seed)
    for paragraph in paragraphs:
        if rng.random() < share:
            yield replace(paragraph, text=_of_same_length(rng.choice(WAYS), paragraph.text))
        else:
            yield paragraph


def _of_same_length(way: Callable[[str], str], text: str) -> str:
    """Each character stays one, as there is a boundary for each: the capital of "ß" would be two."""
    new = way(text)
    if len(new) == len(text):
        return new
    return "".join(c if len(way(c)) != 1 else way(c) for c in text)
