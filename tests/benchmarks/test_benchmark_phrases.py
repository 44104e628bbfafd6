"""benchmarks/phrase_structure.py from end to end, on trees of a toy grammar."""

from __future__ import annotations

import random

from test_benchmark_experiments import rows_below

import phrase_structure
from figure_tables import printed_tables

NOUNS, VERBS = ("dog", "cat", "bird", "fish"), ("sees", "likes", "hears")


def toy_trees(count, seed):
    rng = random.Random(seed)

    def noun_phrase(depth=0):
        phrase = f"(NP (DT the) (NN {rng.choice(NOUNS)}))"
        if depth < 2 and rng.random() < 0.4:
            return f"(NP {phrase} (PP (IN with) {noun_phrase(depth + 1)}))"
        return phrase

    for _ in range(count):
        verb = f"(VBZ {rng.choice(VERBS)})"
        yield f"(S {noun_phrase()} (VP {verb} {noun_phrase()}) (. .))"


def test_it_fills_its_tables(tmp_path):
    for seed, (part, count) in enumerate({"train": 60, "dev": 8, "test": 8}.items()):
        (tmp_path / f"toy-{part}.ptb").write_text("\n".join(toy_trees(count, seed)) + "\n")
    output, toy = tmp_path / "phrases.md", str(tmp_path / "toy")
    phrase_structure.main(
        [toy, toy, "--jackknife", "2", "--tune", "0", "--sentences", "6", "--figure", "3", "-o", str(output)]
    )
    text = output.read_text()
    papers = ["paper (Penn)"]
    assert rows_below(text, "(Table 2)") == [toy] * 10 + papers * 3
    assert rows_below(text, "(Table 3)") == [toy] * 8 + papers * 2
    assert rows_below(text, "(Table 1)") == [toy] * 8 + papers * 2
    assert rows_below(text, "against Model 1") == [toy] * 4
    figure = next(table for table in printed_tables(text) if "Figure 5" in table.title)
    assert len(figure.text.splitlines()) == 2 + len(phrase_structure.LIMITS_OF_FIGURE_5)
