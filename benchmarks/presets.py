"""What each preset costs and what it brings, on test sets of treebanks of many kinds.

    python benchmarks/presets.py -o presets.md
    python benchmarks/presets.py EWT Greek-GDT --presets first third --seeds 1 2 3
    python benchmarks/presets.py UD_Gothic --presets third --no-roles
    python benchmarks/presets.py UD_Gothic --presets second third --network
    python benchmarks/presets.py EWT --presets network third --torch
    python benchmarks/presets.py Greek-GDT --quick           # a try

The best epoch is chosen on the development set where a treebank has one (else the last is kept), and the
figures are of the test set, with gold words and tags. Three tables: every treebank, the average over
treebanks, and for each preset and the one before it whether chance would explain the difference (two-sided
paired permutation test over sentences). With several seeds, figures are means, ± their standard deviation;
p-values are given seed by seed. The file of -o is brought up to date after every treebank.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, get_args

from corpus import Corpus
from experiment import Measured, train_and_measure
from headwise.evaluation import ProtocolName, compare
from headwise.training import TrainingSettings
from headwise.training.settings import Preset, Trees
from options import benchmark_options
from report import Report, Row, Table, command_line, machine

TREEBANKS = (
    "UD_English-EWT",
    "UD_English-GUM",
    "UD_French-Sequoia",
    "UD_Turkish-IMST",
    "UD_Greek-GDT",
    "UD_Basque-BDT",
    "UD_Gothic-PROIEL",
    "UD_Chinese-GSD",
    "CoNLLX_Danish-DDT",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Swedish-Talbanken05",
    "CoNLLX_Dutch-Alpino",
)
DEFAULT_PRESETS: tuple[Preset, ...] = ("first", "second", "third")
PROTOCOLS: tuple[ProtocolName, ...] = ("ud", "conllx")
QUICK = {"train": 300, "others": 100}
QUICK_EPOCHS = 2

Runs = dict[Preset, list[Measured]]
"""For each preset, one run a seed."""


@dataclass(frozen=True)
class Figure:
    """A column: what is measured, and how it is written."""

    name: str
    of: Callable[[Measured], float]
    form: str


FIGURES = (
    Figure("UAS ud", lambda run: run.uas("ud"), ".2f"),
    Figure("LAS ud", lambda run: run.las("ud"), ".2f"),
    Figure("UAS conllx", lambda run: run.uas("conllx"), ".2f"),
    Figure("LAS conllx", lambda run: run.las("conllx"), ".2f"),
    Figure("Train CPU s", lambda run: run.train_cpu_seconds, ",.1f"),
    Figure("Tokens/CPU s", lambda run: run.tokens_per_cpu_second, ",.0f"),
)


def run_presets(
    corpus: Corpus,
    presets: Sequence[Preset],
    seeds: Sequence[int],
    changes: Mapping[str, Any],
) -> Runs:
    return {
        preset: [
            train_and_measure(
                corpus, TrainingSettings.preset(preset, seed=seed, **changes), corpus.test, PROTOCOLS
            )
            for seed in seeds
        ]
        for preset in presets
    }


def treebank_rows(name: str, runs: Runs) -> list[Row]:
    return [
        {"Treebank": name, "Preset": str(preset)}
        | {figure.name: mean([figure.of(run) for run in of_seeds], figure.form) for figure in FIGURES}
        for preset, of_seeds in runs.items()
    ]


def average_rows(all_runs: dict[str, Runs]) -> list[Row]:
    """Over treebanks, each with the same weight."""
    rows = []
    for preset in next(iter(all_runs.values())):
        row: Row = {"Preset": preset}
        for figure in FIGURES:
            of_treebanks = [statistics.fmean(map(figure.of, runs[preset])) for runs in all_runs.values()]
            row[figure.name] = format(statistics.fmean(of_treebanks), figure.form)
        rows.append(row)
    return rows


def significance_rows(corpus: Corpus, runs: Runs) -> list[Row]:
    """Each preset against the one before it, seed by seed, under the treebank's own protocol."""
    rows = []
    for before, after in pairwise(runs):
        row: Row = {"Treebank": corpus.name, "Protocol": corpus.protocol, "Presets": f"{before} → {after}"}
        tests = [
            compare(corpus.test, new.parsed, old.parsed, corpus.protocol, multiple_roots=True)
            for old, new in zip(runs[before], runs[after], strict=True)
        ]
        for measure in ("UAS", "LAS"):
            found = [next(c for c in test if c.name == measure).permutation for test in tests]
            row[f"{measure} gain"] = mean([100 * f.difference for f in found], "+.2f")
            row[f"p ({measure})"] = ", ".join(f"{f.p_value:.4f}" for f in found)
        rows.append(row)
    return rows


def mean(values: Sequence[float], form: str) -> str:
    """The mean, and where there are several values their standard deviation."""
    text = format(statistics.fmean(values), form)
    return f"{text} ± {statistics.stdev(values):{form.lstrip('+')}}" if len(values) > 1 else text


@dataclass
class Comparison:
    """What is known so far, treebank by treebank."""

    facts: dict[str, str]
    """What holds for all of them."""
    splits: list[str] = field(default_factory=list)
    runs: dict[str, Runs] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    significance: list[Row] = field(default_factory=list)

    def add(self, corpus: Corpus, runs: Runs) -> None:
        self.splits.append(f"{corpus.name}: {corpus.describe_split('test')}")
        self.runs[corpus.name] = runs
        self.rows += treebank_rows(corpus.name, runs)
        self.significance += significance_rows(corpus, runs)

    def tables(self) -> list[Table]:
        facts: dict[str, str | list[str]] = {"treebanks": self.splits, **self.facts}
        tables = [
            Table("Presets by treebank", facts, self.rows),
            Table("Presets, average over treebanks", facts, average_rows(self.runs)),
        ]
        if self.significance:  # there are at least two presets
            tables.append(Table("Is the larger preset better?", facts, self.significance))
        return tables


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    epochs = options.epochs or (QUICK_EPOCHS if options.quick else None)
    seeds = ", ".join(map(str, options.seeds))
    comparison = Comparison(
        {
            "protocols": "named in the tables; gold words and tags",
            "training": f"best of {epochs or 'the preset’s'} epochs on dev, seeds {seeds}",
            "measured with": machine(),
            "command": command_line(__file__, arguments),
        }
    )
    changes = {
        "trees": options.trees,
        "epochs": epochs,
        "roles": options.roles,
        "network": options.network,
        "torch": options.torch,
    }
    chosen = {name: value for name, value in changes.items() if value is not None}
    for name in options.treebanks:
        corpus = Corpus.load(name)
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        comparison.add(corpus, run_presets(corpus, options.presets, options.seeds, chosen))
        report.draft(*comparison.tables())
    for table in comparison.tables():
        report.add(table)


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, treebanks=TREEBANKS)
    parser.add_argument("--presets", nargs="+", choices=get_args(Preset), default=list(DEFAULT_PRESETS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--trees", choices=get_args(Trees), default="auto")
    parser.add_argument("--roles", action=argparse.BooleanOptionalAction, help="default: the preset's")
    parser.add_argument("--network", action=argparse.BooleanOptionalAction, help="default: the preset's")
    parser.add_argument("--torch", action="store_const", const=True, help="let PyTorch train the network")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
