"""What spaCy around the pipeline costs: processor seconds on the raw text of a test set, runs alternating.

python benchmarks/spacy_pipeline.py            # needs the extra spacy
"""

from __future__ import annotations

from collections.abc import Callable

import spacy

import headwise
import headwise.spacy
from experiment import cpu_seconds
from headwise.components.text.raw_text import raw_text
from headwise.treebank import read
from shared_data import find_treebank

ROUNDS = 3
SENTENCES_A_TEXT = 20


def main() -> None:
    gold = list(read(find_treebank("UD_English-EWT").test))
    texts = [raw_text(gold[i : i + SENTENCES_A_TEXT]) for i in range(0, len(gold), SENTENCES_A_TEXT)]
    blank = spacy.blank("en")
    blank.add_pipe("headwise")
    ways: dict[str, Callable[..., object]] = {
        "by itself": headwise.load("en").pipe,
        "in spaCy": headwise.spacy.load("en").pipe,
        "on spaCy's tokens": blank.pipe,
        "with probabilities": headwise.spacy.load("en", confidence=True).pipe,
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, pipe in ways.items():
            seconds[name].append(cpu_seconds(lambda pipe=pipe: list(pipe(texts)))[1])
    print(f"{sum(map(len, gold)):,} words; processor seconds, the best of {ROUNDS}")
    for name, spent in seconds.items():
        print(f"{name:20} {min(spent):.2f}")


if __name__ == "__main__":
    main()
