"""Learners, kinds of trees and decoders against each other: the tables of the papers on our treebanks.

    python benchmarks/learners.py -o learners.md
    python benchmarks/learners.py Danish Gothic --quick       # a try, in a minute or two
    python benchmarks/learners.py --sentences 1500 -o learners.md

First order. Four tables over all treebanks, on test:

    learners   Koo (2010), Table 4.2: unlabelled accuracy by learner, projective and non-projective training;
               and the same labelled
    chosen     Koo (2010), Table 4.3: the better of the two by dev, with tests against the perceptron over all
               sentences; labelled accuracy too
    decoders   Smith and Smith (2007), Table 1: the best tree (map) and the minimum-risk tree of each model

Labels are chosen over the finished tree by a model of their own, so that one run gives unlabelled and
labelled figures of the same trees. Where a treebank has no development set, the first 10,000 words of its
training set (a tenth at most) are held out for it. With -o, runs are kept beside the tables (learners.jsonl):
the same command goes on where it was killed. Delete that file after a change of the program.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from attachment import joined, percent
from corpus import Corpus
from decoder_runs import Run, Runs
from headwise.evaluation.significance import SentenceCounts, permutation_test, sign_test
from headwise.training import TrainingSettings
from report import Report, Row, Table, command_line, machine

TREEBANKS = (
    "UD_Gothic-PROIEL",
    "CoNLLX_Danish-DDT",
    "UD_Basque-BDT",
    "CoNLLX_Swedish-Talbanken05",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Dutch-Alpino",
)
LEARNERS: dict[str, dict[str, Any]] = {
    "perceptron": {"learner": "perceptron"},
    "MIRA": {"learner": "mira"},
    "max-margin EG": {"learner": "max-margin", "optimizer": "eg"},
    "log-linear": {"learner": "log-linear", "gradient__cost": 0.0},
    "softmax-margin": {"learner": "log-linear"},
}
"""The last is what `--learner log-linear` does unless told otherwise: it has a cost while learning."""
TREES = {"p": "projective", "np": "nonprojective"}
DECODERS = ("map", "minimum-risk")
BASELINE = "perceptron"
NOT_COMPARED = {"better : worse": "", "p (sign)": "", "p (permutation)": ""}
Measure = Literal["uas", "las"]
QUICK = {"train": 150, "others": 60}
QUICK_EPOCHS = 2


@dataclass
class Study:
    """What is known so far, treebank by treebank."""

    facts: dict[str, Any]
    trainer: Runs
    corpora: dict[str, Corpus] = field(default_factory=dict)
    runs: dict[str, dict[tuple[str, str], Run]] = field(default_factory=dict)
    """By treebank; then by learner and kind of trees."""

    def add(self, corpus: Corpus, settings: TrainingSettings, **changes: Any) -> None:
        runs = {}
        for learner, options in LEARNERS.items():
            for short, trees in TREES.items():
                chosen = settings.changed(**{**options, "trees": trees, **changes})
                runs[learner, short] = self.trainer.run(corpus, chosen, DECODERS)
        self.corpora[corpus.name], self.runs[corpus.name] = corpus, runs

    def tables(self) -> list[Table]:
        splits = [
            f"{c.name}: {c.describe_split('test')}; protocol {c.protocol}" for c in self.corpora.values()
        ]
        facts = {**self.facts, "treebanks": splits}
        return [
            Table("UAS by learner and training (Koo 2010, Table 4.2)", facts, self.learner_rows("uas")),
            Table("LAS by learner and training", self.facts, self.learner_rows("las")),
            Table("The better training by dev (Koo 2010, Table 4.3)", self.facts, self.chosen_rows()),
            Table("UAS by decoder (Smith and Smith 2007, Table 1)", self.facts, self.decoder_rows()),
        ]

    def learner_rows(self, measure: Measure) -> list[Row]:
        rows = [
            {"Treebank": name}
            | {f"{learner} {short}": _score(one, measure) for (learner, short), one in runs.items()}
            for name, runs in self.runs.items()
        ]
        return [*rows, _average(rows)] if len(rows) > 1 else rows

    def chosen_rows(self) -> list[Row]:
        """With the sign test of the thesis (4.6.2, footnote 2) over the sentences of all treebanks."""
        baseline = self._chosen(BASELINE)
        rows = []
        for learner in LEARNERS:
            best = self._chosen(learner)
            row: Row = {"Learner": learner, **self._by_treebank(best, "map")}
            row |= _against(best, baseline) if learner != BASELINE else NOT_COMPARED
            row["LAS"] = f"{fmean(percent(one.test['map'].las) for one in best):.2f}"
            labelled = permutation_test(_joined(best, "las"), _joined(baseline, "las"))
            row["p of LAS"] = f"{labelled.p_value:.4f}" if learner != BASELINE else ""
            row["Train CPU s"] = f"{sum(one.train_cpu_seconds for one in best):,.0f}"
            rows.append(row)
        return rows

    def decoder_rows(self) -> list[Row]:
        """With tests of minimum-risk trees against the best trees of the same model."""
        rows = []
        for learner in LEARNERS:
            best = self._chosen(learner)
            for decoder in DECODERS:
                row: Row = {"Learner": learner, "Decoder": decoder, **self._by_treebank(best, decoder)}
                rows.append(row | (_against(best, best, decoder) if decoder != "map" else NOT_COMPARED))
        return rows

    def _chosen(self, learner: str) -> list[Run]:
        """The better kind of trees by dev, for each treebank."""
        return [
            max((runs[learner, short] for short in TREES), key=lambda one: percent(one.dev["map"].uas))
            for runs in self.runs.values()
        ]

    def _by_treebank(self, best: list[Run], decoder: str) -> Row:
        names = (name.split("_")[-1].split("-")[0] for name in self.runs)
        figures = {name: _score(one, "uas", decoder) for name, one in zip(names, best, strict=True)}
        return {**figures, "UAS": f"{fmean(map(float, figures.values())):.2f}"}


def _score(one: Run, measure: Measure, decoder: str = "map") -> str:
    return f"{percent(getattr(one.test[decoder], measure)):.2f}"


def _joined(runs: list[Run], measure: Measure, decoder: str = "map") -> SentenceCounts:
    """Words attached right, sentence by sentence, over all treebanks."""
    return joined([getattr(one.test[decoder], measure) for one in runs])


def _against(runs: list[Run], baseline: list[Run], decoder: str = "map") -> Row:
    """Tests of the unlabelled trees that a decoder finds against the best trees of a baseline."""
    pair = _joined(runs, "uas", decoder), _joined(baseline, "uas")
    signs, permutation = sign_test(*pair), permutation_test(*pair)
    return {
        "better : worse": f"{signs.first_better} : {signs.second_better}",
        "p (sign)": f"{signs.p_value:.4f}",
        "p (permutation)": f"{permutation.p_value:.4f}",
    }


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
    report = Report(options.output)
    study = Study(facts, Runs(options.output.with_suffix(".jsonl") if options.output else None))
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
