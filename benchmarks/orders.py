"""What larger parts, pruning and more training data are worth: the tables of the papers on our treebanks.

    python benchmarks/orders.py Greek-GDT French-Sequoia -o orders.md
    python benchmarks/orders.py Greek-GDT --quick            # a try, in a minute or two
    python benchmarks/orders.py EWT --tables curve -o curve.md

Four tables a treebank:

    pruning    the shape of Koo (2010), Table 5.1: how hard to prune
    orders     Koo (2010), Table 5.3: orders of factorization, and features left out
    carreras   Carreras (2007), Table 2: siblings, grandchildren, both
    curve      accuracy by the number of training sentences, with a plot beside the file of -o

As in the papers, the figures are of the development set, on which the best epoch was chosen as well: read
them against each other, and take those for comparison with other parsers from presets.py. Where a treebank
has no development set, the first 10,000 words of its training set (a tenth at most) are held out for it.
No parser here guesses roles, so that parts are compared with parts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus import Corpus
from experiment import Measured, train_and_measure
from headwise.evaluation import ProtocolName
from headwise.training import TrainingSettings
from headwise.training.settings import PRESETS
from line_plot import Series, line_plot
from report import Report, Row, Table, command_line, machine

EVERY_HEAD = 1_000_000
"""As a limit of heads a word: none, so that the threshold alone prunes, as in the thesis."""

PRUNING: dict[str, dict[str, Any]] = {
    "0.0001": {"pruning__threshold": 1e-4, "pruning__heads": EVERY_HEAD},
    "0.001": {"pruning__threshold": 1e-3, "pruning__heads": EVERY_HEAD},
    "0.01": {"pruning__threshold": 1e-2, "pruning__heads": EVERY_HEAD},
    "preset third": {},
}

ORDERS: dict[str, dict[str, Any]] = {
    "First order": {"factorization": "arc"},
    "Siblings": {"factorization": "sibling"},
    "Model 0": {"factorization": "model0"},
    "Carreras (2007)": {"factorization": "carreras"},
    "Model 1": {"factorization": "model1"},
    "Model 1, no third-order features": {"factorization": "model1", "without": ("grand_sibling",)},
    "Model 2": {"factorization": "model2"},
    "Model 2, no third-order features": {
        "factorization": "model2",
        "without": ("grand_sibling", "tri_sibling"),
    },
    "Model 2, no grandchildren": {"factorization": "model2", "without": ("grandchild", "grand_sibling")},
}

CARRERAS: dict[str, dict[str, Any]] = {
    "First order": {"factorization": "arc"},
    "Siblings only": {"factorization": "sibling"},
    "Grandchildren only": {"factorization": "carreras", "without": ("sibling",)},
    "Both": {"factorization": "carreras"},
}

CURVE: dict[str, dict[str, Any]] = {name: PRESETS[name] for name in ("first", "second", "third")}

SIZES = (400, 1000, 2000, 4000, 8000)
QUICK_SIZES = (75, 150)
QUICK = {"train": 300, "others": 100}
QUICK_EPOCHS = 2


@dataclass
class Runs:
    """The runs on one corpus; a run that several tables need is made once."""

    corpus: Corpus
    base: TrainingSettings
    protocol: ProtocolName
    _done: dict[tuple[int, TrainingSettings], Measured] = field(default_factory=dict)

    def measure(self, changes: dict[str, Any], sentences: int | None = None) -> Measured:
        """Train with changed settings (on a sample of so many sentences) and measure on dev."""
        size = min(sentences or len(self.corpus.train), len(self.corpus.train))
        settings = self.base.changed(**changes)
        if (size, settings) not in self._done:
            corpus = self.corpus.sample(size, settings.seed)
            self._done[size, settings] = train_and_measure(corpus, settings, corpus.dev, [self.protocol])
        return self._done[size, settings]

    def uas(self, run: Measured) -> str:
        return f"{run.uas(self.protocol):.2f}"

    def las(self, run: Measured) -> str:
        return f"{run.las(self.protocol):.2f}"


def pruning_rows(runs: Runs) -> list[Row]:
    """Koo (2010), Table 5.1; what survives is counted on dev, as the oracle is."""
    rows = []
    for name, limits in PRUNING.items():
        models = {n: runs.measure({"factorization": f"model{n}", **limits}) for n in (1, 2)}
        pruning = models[1].pruning
        assert pruning is not None, "models above first order have a pruner"
        rows.append(
            {
                "Threshold": name,
                "Heads/word": f"{pruning.heads_per_word:.2f}",
                "Oracle UAS": f"{pruning.oracle_uas:.2f}",
                **{f"UAS model {n}": runs.uas(run) for n, run in models.items()},
                **{f"Train CPU s, model {n}": f"{run.train_cpu_seconds:.1f}" for n, run in models.items()},
                **{f"Tokens/CPU s, model {n}": speed(run) for n, run in models.items()},
            }
        )
    return rows


def orders_rows(runs: Runs) -> list[Row]:
    """Koo (2010), Table 5.3, with the first order and siblings alone before it."""
    return [_accuracy_and_speed(runs, name, changes) for name, changes in ORDERS.items()]


def carreras_rows(runs: Runs) -> list[Row]:
    """Carreras (2007), Table 2: siblings are its ``ch``, grandchildren its ``cmi`` and ``cmo``."""
    return [_accuracy_and_speed(runs, name, changes) for name, changes in CARRERAS.items()]


def _accuracy_and_speed(runs: Runs, name: str, changes: dict[str, Any]) -> Row:
    run = runs.measure(changes)
    return {
        "Parser": name,
        "UAS": runs.uas(run),
        "LAS": runs.las(run),
        "Train CPU s": f"{run.train_cpu_seconds:.1f}",
        "Tokens/CPU s": speed(run),
    }


def speed(run: Measured) -> str:
    return f"{run.tokens_per_cpu_second:,.0f}"


def curve_runs(runs: Runs, sizes: tuple[int, ...]) -> dict[int, dict[str, Measured]]:
    """For each number of training sentences, the last of them all: a run of each order."""
    everything = len(runs.corpus.train)
    counts = [*sorted(size for size in sizes if size < everything), everything]
    return {n: {name: runs.measure(changes, n) for name, changes in CURVE.items()} for n in counts}


def curve_rows(runs: Runs, curve: dict[int, dict[str, Measured]]) -> list[Row]:
    return [
        {
            "Sentences": f"{size:,}",
            **{f"UAS {name}": runs.uas(run) for name, run in orders.items()},
            **{f"LAS {name}": runs.las(run) for name, run in orders.items()},
        }
        for size, orders in curve.items()
    ]


def curve_plot(runs: Runs, curve: dict[int, dict[str, Measured]]) -> str:
    series = [
        Series(f"{name} order", [(n, orders[name].las(runs.protocol)) for n, orders in curve.items()])
        for name in CURVE
    ]
    return line_plot(
        series,
        title=f"{runs.corpus.name}: accuracy by training size",
        x_label="training sentences",
        y_label=f"LAS on dev (protocol {runs.protocol})",
    )


TABLES: dict[str, tuple[str, Callable[[Runs], list[Row]]]] = {
    "pruning": ("pruning (Koo 2010, Table 5.1)", pruning_rows),
    "orders": ("orders of factorization (Koo 2010, Table 5.3)", orders_rows),
    "carreras": ("second-order parts (Carreras 2007, Table 2)", carreras_rows),
}


def report_corpus(
    report: Report, runs: Runs, tables: list[str], sizes: tuple[int, ...], command: str
) -> None:
    """The tables of one treebank, each with what is needed to repeat it."""
    corpus, settings = runs.corpus, runs.base
    facts = {
        "treebank": corpus.name,
        "split": corpus.describe_split("dev"),
        "protocol": runs.protocol,
        "training": f"{settings.learner}, best of {settings.epochs} epochs on dev, seed {settings.seed}",
        "measured with": machine(),
        "command": command,
    }
    for name in tables:
        if name == "curve":
            curve = curve_runs(runs, sizes)
            report.add(Table(f"{corpus.name}: learning curve", facts, curve_rows(runs, curve)))
            plot_name = f"{corpus.name}-curve"
            report.add_plot(curve_plot(runs, curve), plot_name, f"Learning curve of {corpus.name}")
        else:
            title, rows = TABLES[name]
            report.add(Table(f"{corpus.name}: {title}", facts, rows(runs)))


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    command = command_line(__file__, arguments)
    epochs = options.epochs or (QUICK_EPOCHS if options.quick else TrainingSettings.epochs)
    base = TrainingSettings(epochs=epochs, seed=options.seed, learner=options.learner, roles=False)
    sizes = tuple(options.sizes or (QUICK_SIZES if options.quick else SIZES))
    for name in options.treebanks:
        corpus = Corpus.load(name).with_dev()
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        runs = Runs(corpus, base, options.protocol or corpus.protocol)
        report_corpus(report, runs, options.tables, sizes, command)


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*TABLES, "curve"]
    parser.add_argument("treebanks", nargs="+", help="names (or folders) of treebanks")
    parser.add_argument("-o", "--output", type=Path, help="Markdown file; plots are written beside it")
    parser.add_argument("--tables", nargs="+", choices=names, default=names, help="default: all")
    parser.add_argument("--quick", action="store_true", help="little data, few epochs: to see it work")
    parser.add_argument("--epochs", type=int, help="default: that of `headwise train`")
    parser.add_argument("--learner", choices=["mira", "perceptron"], default="mira")
    parser.add_argument("--protocol", choices=["ud", "conllx", "all"], help="default: the treebank's own")
    parser.add_argument("--sizes", nargs="+", type=int, help=f"of the learning curve; default: {SIZES}")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
