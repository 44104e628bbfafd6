"""benchmarks/annotation.py from end to end, on a toy language."""

from __future__ import annotations

from test_benchmark_experiments import rows_below

import annotation
from headwise import Parser
from toy_language import SMALL, toy_treebank


def test_every_order_has_a_row(treebank_folder, tmp_path):
    output = tmp_path / "annotation.md"
    annotation.main([str(treebank_folder), "--quick", "--epochs", "1", "--oracle", "-o", str(output)])
    rows = len(annotation.STRATEGIES) + 1
    assert rows_below(output.read_text(), "Annotation with a parser") == ["Toy"] * rows


def test_counts():
    """Without parsing again, every wrong word up to the goal is changed once, whatever the order."""
    parser = Parser.train(toy_treebank(8, seed=1), **{**SMALL, "epochs": 1})
    gold = toy_treebank(30, seed=2)
    words = sum(map(len, gold))
    counts = [annotation.annotate(gold, parser, strategy) for strategy in annotation.STRATEGIES]
    missing = -int(-annotation.TARGET * words // 1) - round(counts[0].start * words)
    assert missing > 10
    assert counts[0].changed == counts[2].changed == missing
    assert all(count.changed <= count.set <= 2 * count.changed for count in counts)
    assert all(count.changed <= count.looked_at <= words for count in counts)
    assert counts[3].looked_at < counts[0].looked_at
    best = annotation.annotate(gold, parser, annotation.ORACLE)
    assert best.looked_at == best.changed <= min(count.changed for count in counts)
