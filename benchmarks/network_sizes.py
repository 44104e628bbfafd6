"""How large a network should be, by the size of the treebank: the rule of `headwise.components.network.size`.

    python benchmarks/network_sizes.py -o sizes.md                            # on a CPU: hours
    python benchmarks/network_sizes.py Greek-GDT --words 10000 --sizes 64 128
    python benchmarks/network_sizes.py Greek-GDT --torch --sizes 256x2 400x3  # on a GPU: minutes
    python benchmarks/network_sizes.py Greek-GDT --quick                      # a try

Networks of several sizes are trained on a treebank, or on sentences of it that have about so many words,
drawn at random. Each is measured on the development set, alone and beside features of third order, where it
counts as much as that set likes best. The treebank decides how often all of them read it. Layers are those
that the trainer takes where none are named. Training and speeds are processor time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from corpus import Corpus
from experiment import cpu_seconds, note, score
from headwise import Parser
from headwise.components.network.size import NetworkSize, native_size, torch_size
from headwise.components.network.weight import with_best_weight
from headwise.learning import Listener
from headwise.training import TrainingSettings, train_parser
from headwise.training.members import joined
from headwise.training.train import dev_scores
from options import benchmark_options
from report import Report, Table, command_line, machine

TREEBANKS = (
    "UD_Turkish-IMST",
    "UD_Greek-GDT",
    "UD_French-Sequoia",
    "UD_Basque-BDT",
    "UD_Chinese-GSD",
    "UD_English-EWT",
)
NATIVE_SIZES = ("64", "128", "192", "256")
TORCH_SIZES = ("128x2", "256x2", "256x3", "400x3")
BESIDE = 0.3
"""How much a network counts beside features, to begin with."""
QUICK_WORDS = 300


def cut(corpus: Corpus, words: int | None) -> Corpus:
    """Of training sentences, as many as have about so many words; None: all."""
    if words is None or words >= corpus.words:
        return corpus
    return corpus.sample(max(2, round(len(corpus.train) * words / corpus.words)), seed=1)


def parsed_size(text: str, usual: NetworkSize) -> NetworkSize:
    """``WIDTH`` or ``WIDTHxLAYERS``."""
    width, _, layers = text.partition("x")
    return replace(usual, width=int(width), layers=int(layers or usual.layers))


def network_settings(size: NetworkSize, *, torch: bool, seed: int) -> TrainingSettings:
    if not torch:
        own = {"width": size.width, "epochs": size.epochs}
        return TrainingSettings.preset("network", network=own, seed=seed, calibrate=False)
    # What follows the layers is as wide as they are, as in the core's networks, but no wider than usual.
    usual = TrainingSettings().torch
    widths = {name: min(size.width, getattr(usual, name)) for name in ("vectors", "arcs", "labels")}
    shape: dict[str, Any] = {"width": size.width, "layers": size.layers, "epochs": size.epochs, **widths}
    return TrainingSettings.preset("network", torch={"use": True, **shape}, seed=seed, calibrate=False)


def accuracy(corpus: Corpus, parser: Parser) -> tuple[str, float]:
    """UAS / LAS on the development set, and tokens for each second."""
    parses, seconds = cpu_seconds(lambda: list(parser.pipe(corpus.dev)))
    scores = score(corpus.dev, [parse.to_sentence() for parse in parses], [corpus.protocol])[corpus.protocol]
    speed = sum(map(len, corpus.dev)) / seconds
    return f"{100 * scores.uas.f1:.2f} / {100 * scores.las.f1:.2f}", speed


def beside(features: Parser, network: Parser, corpus: Corpus) -> Parser:
    """Both, with the weight that the development set likes best."""
    evaluate = partial(dev_scores, sentences=corpus.dev, threads=1)
    weighed, _ = with_best_weight(
        joined([features, network], weight=BESIDE), evaluate, Listener(message=note)
    )
    return weighed


@dataclass(frozen=True)
class Measured:
    """A network of one size."""

    alone: tuple[str, float]
    """UAS / LAS, and tokens for each second."""
    with_third: tuple[str, float] | None
    train_seconds: float


def measured(
    corpus: Corpus, features: Parser | None, size: NetworkSize, options: argparse.Namespace, seed: int
) -> Measured:
    note(f"{corpus.name}, {corpus.words:,} words: {size}, seed {seed}")
    settings = network_settings(size, torch=options.torch, seed=seed)
    network, seconds = cpu_seconds(lambda: train_parser(corpus.train, corpus.dev, settings))
    alone = accuracy(corpus, network)
    return Measured(alone, accuracy(corpus, beside(features, network, corpus)) if features else None, seconds)


def tables(
    found: Mapping[tuple[str, int, int], Mapping[str, Measured]], facts: dict[str, str]
) -> list[Table]:
    """Rows are samples of treebanks, columns sizes."""

    def table(title: str, cell: Callable[[Measured], str]) -> Table:
        return Table(
            title,
            facts,
            [
                {
                    "treebank": name.removeprefix("UD_"),
                    "words": f"{words:,}",
                    "seed": str(seed),
                    **{size: cell(one) for size, one in sizes.items()},
                }
                for (name, words, seed), sizes in found.items()
            ],
        )

    made = [table("Networks alone", lambda one: one.alone[0])]
    if all(one.with_third for sizes in found.values() for one in sizes.values()):
        made.append(table("Beside features", lambda one: one.with_third[0] if one.with_third else ""))
        made.append(
            table(
                "Tokens/s beside features", lambda one: f"{one.with_third[1]:,.0f}" if one.with_third else ""
            )
        )
    made.append(table("Tokens/s alone", lambda one: f"{one.alone[1]:,.0f}"))
    made.append(table("Training", lambda one: f"{one.train_seconds:,.0f} s"))
    return made


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report, found = Report(options.output), dict[tuple[str, int, int], dict[str, Measured]]()
    facts = {"measured with": machine(), "command": command_line(__file__, arguments)}
    sizes = options.sizes or (TORCH_SIZES if options.torch else NATIVE_SIZES)
    for name in options.treebanks:
        for words in [QUICK_WORDS] if options.quick else options.words or [None]:
            corpus = cut(Corpus.load(name).with_dev(), words)
            usual = (
                torch_size(corpus.words) if options.torch else native_size(len(corpus.train), corpus.words)
            )
            if options.quick or options.epochs:
                usual = replace(usual, epochs=1 if options.quick else options.epochs)
            features = None
            if not options.alone:
                settings = TrainingSettings.preset("third", calibrate=False)
                features = train_parser(corpus.train, corpus.dev, settings)
            for seed in options.seeds:
                own = found.setdefault((corpus.name, corpus.words, seed), {})
                for text in sizes:
                    own[text] = measured(corpus, features, parsed_size(text, usual), options, seed)
                report.draft(tables(found, facts)[0])
    for table in tables(found, facts):
        report.add(table)


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, treebanks=TREEBANKS, default_epochs="by the size of the treebank")
    parser.add_argument("--words", nargs="+", type=int, help="of the treebank; default: all")
    parser.add_argument("--sizes", nargs="+", help="WIDTH or WIDTHxLAYERS")
    parser.add_argument("--torch", action="store_true", help="trained by PyTorch")
    parser.add_argument("--alone", action="store_true", help="without features")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
