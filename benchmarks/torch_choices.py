"""What matters of a network that PyTorch trains: choices against each other, on the development set.

    python benchmarks/torch_choices.py EWT -o choices.md           # on a GPU: half an hour
    python benchmarks/torch_choices.py EWT --quick                 # a try

The network alone, without features, parsed natively; the best epoch is chosen on the development set too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from corpus import Corpus
from experiment import train_and_measure
from headwise.training import TrainingSettings
from options import benchmark_options
from report import Report, Row, Table, command_line, machine

PLAIN: dict[str, object] = {"recurrent_dropout": 0.0}
PIECES = {**PLAIN, "pieces": 5}
CHOICES: dict[str, Mapping[str, object]] = {
    "three layers of 400": PLAIN,
    "… and pieces of up to five characters": PIECES,
    "… and pieces, and 256 wide": {**PIECES, "width": 256},
    "… and pieces, and two layers": {**PIECES, "layers": 2},
    "… and pieces, and a quarter left out, not a third": {**PIECES, "dropout": 0.25},
    "… and pieces, and the likelihood of trees": {**PIECES, "loss": "trees"},
    "recurrent dropout 0.33": {"recurrent_dropout": 0.33},
    "recurrent dropout 0.5": {"recurrent_dropout": 0.5},
    "recurrent dropout 0.33, 0.4 between layers": {"recurrent_dropout": 0.33, "dropout": 0.4},
    "recurrent dropout 0.33, pieces of up to four characters": {"recurrent_dropout": 0.33, "pieces": 4},
}
QUICK = {"train": 40, "others": 10}
SMALL = {"width": 16, "vectors": 8, "arcs": 8, "labels": 8, "layers": 1}


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    facts = {"measured with": machine(), "command": command_line(__file__, arguments)}
    small = SMALL if options.quick else {}
    for name in options.treebanks:
        corpus = Corpus.load(name).with_dev()
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        rows: list[Row] = []
        for choice, changes in CHOICES.items():
            torch = {"use": True, "epochs": options.epochs, **changes, **small}
            settings = TrainingSettings.preset("network", torch=torch, seed=options.seed)
            found = train_and_measure(corpus, settings, corpus.dev, (corpus.protocol,))
            uas, las = found.uas(corpus.protocol), found.las(corpus.protocol)
            rows.append({"network": choice, "UAS": f"{uas:.2f}", "LAS": f"{las:.2f}"})
            report.draft(Table(f"{corpus.name}: choices", facts, rows))
        report.add(Table(f"{corpus.name}: choices", facts, rows))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, epochs=60)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
