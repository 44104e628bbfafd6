"""Latent dependency clusters: how many, and which decoder (Smith and Smith 2007, section 5)?

    python benchmarks/latent.py -o latent.md
    python benchmarks/latent.py Danish --clusters 1 4 --quick

First order, unlabelled, log-linear: every arc has one of K labels that no treebank names; training sums over
them. The table has the accuracy of the best tree summed over labels (map), of the minimum-risk tree and of
the best tree with its best labels (max-z). With one cluster nothing is hidden. With -o, runs are kept beside
the table and not repeated, as in learners.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from attachment import percent
from corpus import Corpus
from decoder_runs import Runs
from headwise.training import TrainingSettings
from report import Report, Row, Table, command_line, machine

TREEBANKS = ("UD_Gothic-PROIEL", "CoNLLX_Danish-DDT")
CLUSTERS = (1, 2, 4, 8)
DECODERS = ("map", "minimum-risk", "max-z")
SENTENCES = 1000
QUICK = {"train": 150, "others": 60}
QUICK_EPOCHS = 2


def rows(corpus: Corpus, settings: list[TrainingSettings], runs: Runs) -> list[Row]:
    result = []
    for one in settings:
        found = runs.run(corpus, one, DECODERS)
        row = {"Treebank": corpus.name, "K": str(one.latent.clusters)}
        row |= {f"{decoder}, dev": f"{percent(found.dev[decoder].uas):.2f}" for decoder in DECODERS}
        row |= {decoder: f"{percent(found.test[decoder].uas):.2f}" for decoder in DECODERS}
        result.append(row | {"Train CPU s": f"{found.train_cpu_seconds:.0f}"})
    return result


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    epochs = QUICK_EPOCHS if options.quick else TrainingSettings.epochs
    report = Report(options.output)
    runs = Runs(options.output.with_suffix(".jsonl") if options.output else None)
    facts = {
        "training": f"first order, unlabelled, at most {options.sentences:,} sentences drawn at random,"
        f" best of {epochs} epochs on dev, seed {options.seed}; UAS in per cent, on test or dev",
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    settings = [
        TrainingSettings.preset(
            "first",
            learner="log-linear",
            labels="latent",
            latent__clusters=k,
            epochs=epochs,
            seed=options.seed,
        )
        for k in options.clusters
    ]
    found: list[Row] = []
    for name in options.treebanks:
        corpus = Corpus.load(name).with_dev().sample(options.sentences, options.seed)
        found += rows(corpus.shortened(**QUICK) if options.quick else corpus, settings, runs)
        report.draft(Table("Latent clusters", facts, found))
    report.add(Table("Latent clusters", facts, found))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS, help=f"default: {', '.join(TREEBANKS)}")
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument("--clusters", nargs="+", type=int, default=CLUSTERS, help="the numbers of clusters")
    parser.add_argument("--sentences", type=int, default=SENTENCES, help="at most so many to train on")
    parser.add_argument("--quick", action="store_true", help="little data, few epochs: to see it work")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
