"""What several networks in one parser bring, alone and beside features.

    python benchmarks/several_networks.py -o several.md                   # on a GPU: an hour
    python benchmarks/several_networks.py Danish --models models          # what is there is not trained again
    python benchmarks/several_networks.py Danish --quick                  # a try

Networks are trained by PyTorch, each with a seed of its own (TREEBANK.1.hw, TREEBANK.2.hw), and features
without one (TREEBANK.third.hw); then they are joined. Figures are of the test set, under the treebank's
protocol. Speeds are tokens for each second of processor time, on one thread, without reading and writing
files. How much networks count beside features is the same everywhere: `--weight`, than which none
did better on EWT's development set.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, get_args

from corpus import Corpus
from experiment import note
from headwise import Parser
from headwise.evaluation import evaluate
from headwise.training import TrainingSettings, train_parser
from headwise.training.members import joined
from options import add_models_option, benchmark_options
from report import Report, Row, Table, command_line, machine

TREEBANKS = (
    "UD_English-EWT",
    "CoNLLX_Dutch-Alpino",
    "CoNLLX_Swedish-Talbanken05",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Danish-DDT",
)
NETWORK: dict[str, object] = {
    "width": 288,
    "layers": 3,
    "vectors": 160,
    "arcs": 320,
    "labels": 160,
    "batch": 5000,
}
"""Two of these take about as long as one of three layers of 400."""
WORDS = 24_000_000
"""That a network reads in training."""
Features = Literal["first", "second", "third"]
QUICK = {"train": 40, "others": 10}
SMALL = {"width": 16, "layers": 1, "vectors": 8, "arcs": 8, "labels": 8}


def kept(path: Path, train: Callable[[], Parser]) -> Parser:
    """The parser of a file, which is trained where it is not there yet."""
    if not path.exists():
        note(f"training {path.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        train().save(path)
    return Parser.load(path)


def network(corpus: Corpus, seed: int, quick: bool) -> Parser:
    epochs = 1 if quick else max(1, round(WORDS / sum(map(len, corpus.train))))
    torch = {"use": True, "epochs": epochs, **NETWORK, **(SMALL if quick else {})}
    settings = TrainingSettings.preset("network", torch=torch, seed=seed, calibrate=False)
    return train_parser(corpus.train, corpus.dev or None, settings)


def features(corpus: Corpus, preset: Features) -> Parser:
    return train_parser(corpus.train, corpus.dev or None, TrainingSettings.preset(preset, calibrate=False))


def parsers(corpus: Corpus, options: argparse.Namespace, models: Path) -> Iterator[tuple[str, Parser]]:
    networks = [
        kept(models / f"{corpus.name}.{seed}.hw", partial(network, corpus, seed, options.quick))
        for seed in range(1, options.networks + 1)
    ]
    yield "one network", networks[0]
    yield f"{options.networks} networks", joined(networks)
    for preset in options.features:
        own = kept(models / f"{corpus.name}.{preset}.hw", partial(features, corpus, preset))
        yield preset, own
        yield f"{preset} + one", joined([own, networks[0]], weight=options.weight)
        yield f"{preset} + {options.networks}", joined([own, *networks], weight=options.weight)


def measured(parser: Parser, corpus: Corpus) -> tuple[str, str]:
    """UAS / LAS, and tokens a second."""
    started = time.process_time()
    found = [parse.to_sentence() for parse in parser.pipe(corpus.test)]
    seconds = time.process_time() - started
    scores = evaluate(corpus.test, found, corpus.protocol, multiple_roots=True)
    speed = sum(map(len, corpus.test)) / seconds
    return f"{100 * scores.uas.f1:.2f} / {100 * scores.las.f1:.2f}", f"{speed:,.0f}"


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    facts = {"measured with": machine(), "command": command_line(__file__, arguments)}
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        for name in options.treebanks:
            corpus = Corpus.load(name)
            if options.quick:
                corpus = corpus.shortened(**QUICK)
            found = {
                what: measured(parser, corpus)
                for what, parser in parsers(corpus, options, options.models or Path(folder))
            }
            accuracies = {what: accuracy for what, (accuracy, _) in found.items()}
            speeds = {f"tokens/s: {what}": speed for what, (_, speed) in found.items()}
            rows.append({"treebank": corpus.name, **accuracies, **speeds})
            report.draft(Table("Several networks", facts, rows))
    report.add(Table("Several networks", facts, rows))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, treebanks=TREEBANKS)
    add_models_option(parser)
    parser.add_argument("--networks", type=int, default=2)
    parser.add_argument(
        "--features", nargs="+", choices=get_args(Features), default=["third"], help="default: third"
    )
    parser.add_argument("--weight", type=float, default=0.4, help="of networks beside features")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
