"""What do labels inside the search, parts of five words and positions change?

    python benchmarks/variants.py -o variants.md
    python benchmarks/variants.py Greek-GDT --tables labels --quick

Three tables a treebank:

    labels      labels over the finished tree and inside the search (Carreras 2007; Koo 2010, 5.5.2)
    parts       grand-tri-siblings and great-grand-siblings (Koo 2010, B.5.2 and B.5.3) beside Models 1 and 2
    positions   parts told apart by position (Koo 2010, B.1.3)

Projective trees, MIRA, labels without rules, at most so many sentences drawn at random; nothing is chosen on
the development set, on which the figures are. p is that of a permutation test against the row above that is
the plain one.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from corpus import Corpus
from experiment import Measured, train_and_measure
from headwise.evaluation import compare
from headwise.training import TrainingSettings
from options import benchmark_options
from report import Report, Row, Table, command_line, machine

TREEBANKS = ("UD_English-EWT", "UD_Greek-GDT", "UD_Chinese-GSD")
SENTENCES = 1500
QUICK = {"train": 150, "others": 60}
QUICK_EPOCHS = 2

BASE: dict[str, Any] = {"preset": "third", "trees": "projective", "rules": ()}
"""Rules are for labels over the finished tree alone."""

Changes = dict[str, Any]
TABLES: dict[str, dict[str, tuple[Changes, str | None]]] = {
    "labels": {
        f"{preset}, {where}": ({"preset": preset, "labels": labels}, base and f"{preset}, {base}")
        for preset in ("first", "second", "third")
        for labels, where, base in (
            ("separate", "after the tree", None),
            ("joint", "in the search", "after the tree"),
        )
    },
    "parts": {
        "Model 1": ({"factorization": "model1"}, None),
        "Model 2": ({"factorization": "model2"}, "Model 1"),
        "Grand-tri-siblings": ({"factorization": "grand_tri_sibling"}, "Model 1"),
        "Great-grand-siblings": ({"factorization": "great_grand_sibling"}, "Model 1"),
    },
    "positions": {
        f"{preset}, {'with' if positions else 'without'} positions": (
            {"preset": preset, "positions": positions},
            f"{preset}, without positions" if positions else None,
        )
        for preset in ("second", "third")
        for positions in (False, True)
    },
}
"""By name: settings, and the row that it is compared with."""


def rows(corpus: Corpus, table: str, epochs: int) -> list[Row]:
    """What each variant scores, how fast it is, and how far chance explains its difference from another."""
    done: dict[str, Measured] = {}
    result = []
    for name, (changes, base) in TABLES[table].items():
        settings = TrainingSettings.preset(**{**BASE, "epochs": epochs, **changes})
        run = done[name] = train_and_measure(replace(corpus, dev=[]), settings, corpus.dev, [corpus.protocol])
        row = {"Treebank": corpus.name, "": name}
        row |= {"UAS": f"{run.uas(corpus.protocol):.2f}", "LAS": f"{run.las(corpus.protocol):.2f}"}
        chance = {"UAS": "", "LAS": ""}
        if base is not None:
            for one in compare(
                corpus.dev, done[base].parsed, run.parsed, corpus.protocol, multiple_roots=True
            ):
                chance[one.name] = f"{one.permutation.p_value:.3f}"
        row |= {"p (UAS)": chance["UAS"], "p (LAS)": chance["LAS"]}
        row["Train CPU s"] = f"{run.train_cpu_seconds:.0f}"
        row["Words/CPU s"] = f"{run.tokens_per_cpu_second:,.0f}"
        result.append(row)
    return result


def main(arguments: list[str]) -> None:
    parser = benchmark_options(__doc__, treebanks=TREEBANKS, tables=list(TABLES))
    parser.add_argument(
        "--sentences", type=int, default=SENTENCES, help=f"to train on; default: {SENTENCES:,}"
    )
    options = parser.parse_args(arguments)
    epochs = options.epochs or (QUICK_EPOCHS if options.quick else TrainingSettings.epochs)
    report = Report(options.output)
    for table in options.tables:
        found = []
        for name in options.treebanks:
            corpus = Corpus.load(name).with_dev().sample(options.sentences, seed=1)
            found += rows(corpus.shortened(**QUICK) if options.quick else corpus, table, epochs)
        facts = {
            "training": f"at most {options.sentences:,} sentences, {epochs} epochs, the last is kept",
            "measured with": machine(),
            "command": command_line(__file__, arguments),
        }
        report.add(Table(table.capitalize(), facts, found))


if __name__ == "__main__":
    main(sys.argv[1:])
