"""What a network in bytes costs and gains: one model, its network in 32 bits and in 8.

    python benchmarks/network_bits.py EWT model.hw                # on the development set
    python benchmarks/network_bits.py EWT model.hw --test
    python benchmarks/network_bits.py Greek --sentences 1200      # a new model, of the preset third

The model holds floats (`headwise train --network --network-bits 32`). Speeds are tokens for each second of
processor time, on one thread, the best of three runs that alternate, without reading and writing files.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from pathlib import Path
from typing import cast

from headwise import Parser
from headwise.evaluation import ProtocolName, Score, compare
from headwise.treebank import Sentence, read
from shared_data import Split, find_treebank

ROUNDS = 3


def trained(split: Split, sentences: int) -> Parser:
    """A parser of third order with a network in floats."""
    chosen = list(islice(read(split.train), sentences))
    return Parser.train(chosen, preset="third", network=True, network__bits=32, calibrate=False)


def measure(parser: Parser, gold: list[Sentence], protocol: ProtocolName) -> list[str]:
    """A row: UAS and LAS in 32 bits and in 8, the p-value of LAS, tokens a second."""
    parsers = {bits: parser.with_network_bits(bits) for bits in (32, 8)}
    seconds = {bits: [0.0] * ROUNDS for bits in parsers}
    parsed: dict[int, list[Sentence]] = {}
    for number in range(ROUNDS):
        for bits, own in parsers.items():
            started = time.process_time()
            parses = list(own.pipe(gold))
            seconds[bits][number] = time.process_time() - started
            parsed[bits] = [parse.to_sentence() for parse in parses]
    rows = {row.name: row for row in compare(gold, parsed[32], parsed[8], protocol, multiple_roots=True)}
    words = sum(map(len, gold))
    return [
        _both(rows["UAS"].first, rows["LAS"].first),
        _both(rows["UAS"].second, rows["LAS"].second),
        f"{rows['LAS'].permutation.p_value:.2f}",
        *(f"{words / min(seconds[bits]):,.0f}" for bits in parsers),
    ]


def _both(uas: Score, las: Score) -> str:
    return f"{100 * uas.f1:.2f} / {100 * las.f1:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebank", help="(part of) the name of a treebank, or its folder")
    parser.add_argument("model", nargs="?", type=Path, help="a parser with a network in floats")
    parser.add_argument("--sentences", type=int, default=1200, help="otherwise: of a new model")
    parser.add_argument("--test", action="store_true", help="parse the test set, not the development set")
    chosen = parser.parse_args()
    split = find_treebank(chosen.treebank)
    model = Parser.load(chosen.model) if chosen.model else trained(split, chosen.sentences)
    if model.config.network is None or model.config.network.bits != 32:
        raise SystemExit(f"{chosen.model} has no network in floats")
    file = split.test if chosen.test or split.dev is None else split.dev
    cells = measure(model, list(read(file)), cast(ProtocolName, split.protocol))
    print("| | 32 bits | 8 bits | p | tokens/s | |\n|---|--:|--:|--:|--:|--:|")
    print(f"| {' | '.join([split.name, *cells])} |")


if __name__ == "__main__":
    main()
