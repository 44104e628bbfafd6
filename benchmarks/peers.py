"""Headwise beside other parsers for the CPU, trained and measured on the same data in the same run. Slow.

    pip install ufal.udpipe spacy                            # peers are optional
    python benchmarks/peers.py Greek-GDT EWT -o peers.md
    python benchmarks/peers.py Greek-GDT --quick             # a try: little data, few iterations

Every parser gets gold words and sentences; the table says what else it sees (spaCy no tags). Peers are
trained with their defaults unless an option says otherwise, Headwise with its presets. Everything runs in
this process, and time is processor time, without reading and writing files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, get_args

from corpus import Corpus
from experiment import cpu_seconds, note, score, train_and_measure
from headwise.evaluation import Scores
from headwise.training import TrainingSettings
from headwise.training.settings import Preset
from headwise.treebank import Sentence
from peer_spacy import SpaCy
from peer_udpipe import UDPipe
from report import Report, Row, Table, command_line, machine

QUICK = {"train": 300, "others": 100}
QUICK_EPOCHS = 2


class Peer(Protocol):
    """Another parser; what it wants as input and gives as output is its own business."""

    name: str
    inputs: str
    """What it sees of a sentence."""

    def train(self, corpus: Corpus) -> None: ...
    def prepare(self, sentences: list[Sentence]) -> list[Any]: ...
    def parse(self, prepared: list[Any]) -> list[Any]:
        """The part that is timed."""

    def tree(self, parsed: Any) -> tuple[Any, list[str]]:
        """The heads and labels it found for a sentence."""


def peer_row(peer: Peer, corpus: Corpus) -> Row:
    note(f"{corpus.name}, {len(corpus.train):,} sentences: {peer.name}")
    _, training = cpu_seconds(partial(peer.train, corpus))
    seconds = []
    for _ in range(3):
        prepared = peer.prepare(corpus.test)
        parses, spent = cpu_seconds(partial(peer.parse, prepared))
        seconds.append(spent)
    parsed = [
        sentence.with_tree(*peer.tree(parse)) for sentence, parse in zip(corpus.test, parses, strict=True)
    ]
    scores = score(corpus.test, parsed, ["ud"])["ud"]
    return row(peer.name, peer.inputs, scores, sum(map(len, parsed)) / min(seconds), training)


def headwise_row(preset: Preset, corpus: Corpus, epochs: int | None, seed: int) -> Row:
    changes = {} if epochs is None else {"epochs": epochs}
    settings = TrainingSettings.preset(preset, seed=seed, **changes)
    run = train_and_measure(corpus, settings, corpus.test, ["ud"])
    inputs = "words, gold lemmas, all tags and features"
    return row(
        f"Headwise {preset}", inputs, run.scores["ud"], run.tokens_per_cpu_second, run.train_cpu_seconds
    )


def row(name: str, inputs: str, scores: Scores, speed: float, training: float) -> Row:
    return {
        "Parser": name,
        "Sees": inputs,
        "UAS": f"{100 * scores.uas.f1:.2f}",
        "LAS": f"{100 * scores.las.f1:.2f}",
        "Tokens/CPU s": f"{speed:,.0f}",
        "Train CPU s": f"{training:,.1f}",
    }


def installed_peers(options: argparse.Namespace) -> tuple[list[Peer], list[str]]:
    """The peers that can be used here, and the packages of those that cannot."""
    udpipe_options = options.udpipe or ("iterations=2" if options.quick else "")
    steps = options.spacy_steps or (200 if options.quick else None)
    makers: dict[str, Callable[[], Peer]] = {
        UDPipe.package: lambda: UDPipe(udpipe_options),
        SpaCy.package: lambda: SpaCy(steps),
    }
    peers, missing = [], []
    for package, make in makers.items():
        try:
            peers.append(make())
        except ModuleNotFoundError as error:
            # Only the peer itself may be missing; a broken installation of it is an error.
            if error.name not in (package, package.partition(".")[0]):
                raise
            missing.append(package)
    return peers, missing


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    peers, missing = installed_peers(options)
    epochs = options.epochs or (QUICK_EPOCHS if options.quick else None)
    for name in options.treebanks:
        corpus = Corpus.load(name)
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        rows = [headwise_row(preset, corpus, epochs, options.seed) for preset in options.presets]
        rows += [peer_row(peer, corpus) for peer in peers]
        facts = {
            "treebank": corpus.name,
            "split": corpus.describe_split("test"),
            "protocol": "ud; gold words and sentences",
            "training": f"Headwise: best of {epochs or 'the preset’s'} epochs on dev, seed {options.seed}",
            "not installed": ", ".join(missing) or "none",
            "measured with": machine(),
            "command": command_line(__file__, arguments),
        }
        report.add(Table(f"{corpus.name}: Headwise and its peers", facts, rows))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebanks", nargs="+", help="names (or folders) of treebanks")
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument(
        "--presets", nargs="+", choices=get_args(Preset), default=["first", "second", "third"]
    )
    parser.add_argument("--epochs", type=int, help="of Headwise; default: the preset's")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--udpipe", metavar="OPTIONS", help="as for UDPipe's --parser: iterations=20;…")
    parser.add_argument("--spacy-steps", type=int, help="at most so many; default: spaCy's own limits")
    parser.add_argument("--quick", action="store_true", help="little data, few iterations: to see it work")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
