"""What rounding the weights of a pipeline saves, and what it costs on a development set.

    python benchmarks/compression.py EWT --train 2000 -o compression.md
    python benchmarks/compression.py EWT --model pipeline.hw            # of a model that is there
    python benchmarks/compression.py EWT --quick                        # a try

A pipeline is trained (or read) and compressed by several steps, as `headwise compress --step` does. Each file
is scored from raw text and on gold tokens: F1 of the UD scorer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from corpus import Corpus
from experiment import note
from headwise import Pipeline
from headwise.model.bundled import model_path
from headwise.model.compression import compress_model
from headwise.treebank import Sentence
from options import benchmark_options
from pipeline import scores_of
from report import Report, Row, Table, command_line, machine

DEFAULT = 0.25
STEPS = (DEFAULT, 0.5, 1.0, 2.0, 4.0)
SHOWN = {"raw text": ("upos", "uas", "las"), "gold tokens": ("upos", "uas", "las")}
QUICK = {"train": 60, "others": 15}


def trained(corpus: Corpus, options: argparse.Namespace) -> Pipeline:
    note(f"{corpus.name}: training on {len(corpus.train):,} sentences")
    epochs = {"epochs": options.epochs} if options.epochs else {}
    return Pipeline.train(
        corpus.train, preset=options.preset, jackknife=options.jackknife, calibrate=False, **epochs
    )


def rows_of(model: Path, gold: list[Sentence], folder: Path) -> list[Row]:
    rows = [_row("none", model, "", gold)]
    for step in STEPS:
        small = folder / f"{step}.hw"
        done = compress_model(model, small, coarseness=step)
        name = f"{step:g} (default)" if step == DEFAULT else f"{step:g}"
        rows.append(_row(name, small, f"{100 * done.zeros / done.weights:.0f} %", gold))
    return rows


def _row(step: str, file: Path, zeros: str, gold: list[Sentence]) -> Row:
    note(f"  step {step}")
    scores = scores_of(Pipeline.load(file), gold)
    return {
        "step": step,
        "file": f"{file.stat().st_size / 1e6:.1f} MB",
        "weights that are zero": zeros,
    } | {
        f"{title}: {measure.upper()}": scores[title][measure]
        for title, measures in SHOWN.items()
        for measure in measures
    }


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    for name in options.treebanks:
        corpus = Corpus.load(name).with_dev()
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        if options.train:
            corpus = corpus.sample(options.train, seed=1)
        facts = {
            "model": options.model or f"preset {options.preset}, {len(corpus.train):,} sentences",
            "measured on": f"dev, {len(corpus.dev):,} sentences",
            "measured with": machine(),
            "command": command_line(__file__, arguments),
        }
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "pipeline.hw"
            if options.model:
                model = model_path(options.model)
            else:
                trained(corpus, options).save(model)
            rows = rows_of(model, corpus.dev, Path(folder))
        report.add(Table(f"{corpus.name}: steps of compression", facts, rows))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__)
    parser.add_argument("--model", help="a pipeline, by name or file; default: one is trained")
    parser.add_argument("--train", type=int, help="train on a sample of so many sentences; default: all")
    parser.add_argument("--preset", default="second", choices=("first", "second", "third"))
    parser.add_argument("--jackknife", type=int, default=4, help="taggers of the training data; default: 4")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
