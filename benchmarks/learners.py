"""Learners, kinds of trees and decoders against each other: the tables of the papers on our treebanks.

    python benchmarks/learners.py -o learners.md
    python benchmarks/learners.py Danish Gothic --quick       # a try, in a minute or two
    python benchmarks/learners.py --sentences 1500 -o learners.md

First order. Three tables over all treebanks, on test:

    learners   Koo (2010), Table 4.2: unlabelled accuracy by learner, projective and non-projective training
    chosen     Koo (2010), Table 4.3: the better of the two by dev, with tests against the perceptron over all
               sentences; labelled accuracy too
    decoders   Smith and Smith (2007), Table 1: the best tree (map) and the minimum-risk tree of each model

Labels are chosen over the finished tree by a model of their own, so that one run gives unlabelled and
labelled figures of the same trees. Where a treebank has no development set, the first 10,000 words of its
training set (a tenth at most) are held out for it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from corpus import Corpus
from experiment import cpu_seconds, note, score
from headwise import Parser
from headwise.evaluation import judge
from headwise.evaluation.comparison import sentence_counts
from headwise.evaluation.significance import SentenceCounts, permutation_test, sign_test
from headwise.learning import TrainingSettings
from headwise.treebank import Sentence
from report import Report, Row, Table, command_line, machine

TREEBANKS = (
    "CoNLLX_Danish-DDT",
    "CoNLLX_Dutch-Alpino",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Swedish-Talbanken05",
    "UD_Gothic-PROIEL",
    "UD_Basque-BDT",
)
LEARNERS: dict[str, dict[str, Any]] = {
    "perceptron": {"learner": "perceptron"},
    "MIRA": {"learner": "mira"},
    "max-margin EG": {"learner": "max-margin", "optimizer": "eg"},
    "log-linear": {"learner": "log-linear"},
}
TREES = {"p": "projective", "np": "nonprojective"}
DECODERS = ("map", "minimum-risk")
BASELINE = "perceptron"
QUICK = {"train": 150, "others": 60}
QUICK_EPOCHS = 2


@dataclass(frozen=True)
class Run:
    """One trained parser: what it says of dev and test by each decoder."""

    dev: dict[str, float]
    """UAS in percent, by decoder."""
    test: dict[str, list[Sentence]]
    train_cpu_seconds: float


Runs = dict[tuple[str, str], Run]
"""By learner and kind of trees."""


def run(corpus: Corpus, settings: TrainingSettings) -> Run:
    note(f"{corpus.name}: {settings.learner} {settings.optimizer} {settings.trees}")
    parser, seconds = cpu_seconds(lambda: Parser.train(corpus.train, corpus.dev, settings=settings))

    def parsed(sentences: Iterable[Sentence], decoder: str) -> list[Sentence]:
        return [parse.to_sentence() for parse in parser.pipe(sentences, decoder=decoder)]

    return Run(
        dev={d: uas(corpus, corpus.dev, parsed(corpus.dev, d)) for d in DECODERS},
        test={d: parsed(corpus.test, d) for d in DECODERS},
        train_cpu_seconds=seconds,
    )


def uas(corpus: Corpus, gold: list[Sentence], parsed: list[Sentence]) -> float:
    return 100 * score(gold, parsed, [corpus.protocol])[corpus.protocol].uas.f1


def las(corpus: Corpus, gold: list[Sentence], parsed: list[Sentence]) -> float:
    return 100 * score(gold, parsed, [corpus.protocol])[corpus.protocol].las.f1


@dataclass
class Study:
    """What is known so far, treebank by treebank."""

    facts: dict[str, Any]
    corpora: dict[str, Corpus]
    runs: dict[str, Runs]

    def add(self, corpus: Corpus, settings: TrainingSettings, **changes: Any) -> None:
        self.corpora[corpus.name] = corpus
        self.runs[corpus.name] = {}
        for learner, options in LEARNERS.items():
            for short, trees in TREES.items():
                chosen = TrainingSettings(**{**settings.__dict__, **options, "trees": trees, **changes})
                self.runs[corpus.name][learner, short] = run(corpus, chosen)

    def tables(self) -> list[Table]:
        splits = [
            f"{c.name}: {c.describe_split('test')}; protocol {c.protocol}" for c in self.corpora.values()
        ]
        facts = {**self.facts, "treebanks": splits}
        return [
            Table("UAS by learner and training (Koo 2010, Table 4.2)", facts, self.learner_rows()),
            Table("The better training by dev (Koo 2010, Table 4.3)", self.facts, self.chosen_rows()),
            Table("UAS by decoder (Smith and Smith 2007, Table 1)", self.facts, self.decoder_rows()),
        ]

    def learner_rows(self) -> list[Row]:
        rows = [
            {"Treebank": name}
            | {f"{learner} {short}": f"{self._uas(name, one):.2f}" for (learner, short), one in runs.items()}
            for name, runs in self.runs.items()
        ]
        return [*rows, _average(rows)] if len(rows) > 1 else rows

    def chosen_rows(self) -> list[Row]:
        """With the sign test of the thesis (4.6.2, footnote 2) over the sentences of all treebanks."""
        baseline = self._counts(BASELINE)
        rows = []
        for learner in LEARNERS:
            best = {name: self._better(name, learner) for name in self.runs}
            row: Row = {"Learner": learner}
            row |= {name.split("_")[-1]: f"{self._uas(name, one):.2f}" for name, one in best.items()}
            row["UAS"] = f"{fmean(self._uas(name, one) for name, one in best.items()):.2f}"
            row["LAS"] = f"{fmean(self._las(name, one) for name, one in best.items()):.2f}"
            row["Train CPU s"] = f"{sum(one.train_cpu_seconds for one in best.values()):,.0f}"
            if learner == BASELINE:
                row |= {"better : worse": "", "p (sign)": "", "p (permutation)": ""}
            else:
                counts = self._counts(learner)
                signs, permutation = sign_test(counts, baseline), permutation_test(counts, baseline)
                row["better : worse"] = f"{signs.first_better} : {signs.second_better}"
                row["p (sign)"] = f"{signs.p_value:.4f}"
                row["p (permutation)"] = f"{permutation.p_value:.4f}"
            rows.append(row)
        return rows

    def decoder_rows(self) -> list[Row]:
        rows = []
        for learner in LEARNERS:
            for decoder in DECODERS:
                row: Row = {"Learner": learner, "Decoder": decoder}
                figures = [
                    self._uas(name, self._better(name, learner), decoder=decoder) for name in self.runs
                ]
                names = (name.split("_")[-1] for name in self.runs)
                row |= {name: f"{figure:.2f}" for name, figure in zip(names, figures, strict=True)}
                rows.append(row | {"average": f"{fmean(figures):.2f}"})
        return rows

    def _better(self, name: str, learner: str) -> Run:
        return max((self.runs[name][learner, short] for short in TREES), key=lambda one: one.dev["map"])

    def _uas(self, name: str, one: Run, decoder: str = "map") -> float:
        return uas(self.corpora[name], self.corpora[name].test, one.test[decoder])

    def _las(self, name: str, one: Run) -> float:
        return las(self.corpora[name], self.corpora[name].test, one.test["map"])

    def _counts(self, learner: str) -> SentenceCounts:
        """Words attached right, sentence by sentence, over all treebanks."""
        found = []
        for name, corpus in self.corpora.items():
            parsed = self._better(name, learner).test["map"]
            judgement = judge(corpus.test, parsed, corpus.protocol, multiple_roots=True)
            found.append(sentence_counts(judgement, judgement.uas))
        return SentenceCounts(*(np.concatenate(parts) for parts in zip(*map(_fields, found), strict=True)))


def _fields(counts: SentenceCounts) -> tuple[Any, Any, Any]:
    return counts.correct, counts.gold, counts.system


def _average(rows: list[Row]) -> Row:
    columns = [column for column in rows[0] if column != "Treebank"]
    return {"Treebank": "average"} | {c: f"{fmean(float(row[c]) for row in rows):.2f}" for c in columns}


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    epochs = options.epochs or (QUICK_EPOCHS if options.quick else TrainingSettings.epochs)
    settings = TrainingSettings.preset("first", epochs=epochs, seed=options.seed)
    facts = {
        "training": f"first order, best of {epochs} epochs on dev, seed {options.seed}",
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    report, study = Report(options.output), Study(facts, {}, {})
    changes = {} if options.regularization is None else {"regularization": options.regularization}
    for name in options.treebanks:
        corpus = Corpus.load(name).with_dev()
        if options.sentences:
            corpus = corpus.sample(options.sentences, options.seed)
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        study.add(corpus, settings, **changes)
        report.draft(*study.tables())
    for table in study.tables():
        report.add(table)


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS, help=f"default: {', '.join(TREEBANKS)}")
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument("--quick", action="store_true", help="little data, few epochs: to see it work")
    parser.add_argument("--sentences", type=int, help="at most so many training sentences, drawn at random")
    parser.add_argument("--epochs", type=int, help="default: that of `headwise train`")
    parser.add_argument("--regularization", type=float, help="C of exponentiated gradient")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
