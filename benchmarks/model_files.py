"""Parsers in files side by side: accuracy with gold tags, and speed.

    python benchmarks/model_files.py EWT teacher.hw student.hw -o report.md

Scores are UAS / LAS on the development set and on the test set, under the treebank's protocol. Speeds are
tokens of the test set for each second of processor time, on one thread, the best of three runs that
alternate, without reading and writing files.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import cast

from headwise import Parser
from headwise.evaluation import ProtocolName, evaluate
from headwise.treebank import Sentence, read
from report import Report, Row, Table, command_line, machine
from shared_data import find_treebank

ROUNDS = 3


def scores(parser: Parser, gold: list[Sentence], protocol: ProtocolName) -> str:
    found = evaluate(
        gold, [parse.to_sentence() for parse in parser.pipe(gold)], protocol, multiple_roots=True
    )
    return f"{100 * found.uas.f1:.2f} / {100 * found.las.f1:.2f}"


def speeds(parsers: list[Parser], gold: list[Sentence]) -> list[float]:
    """Tokens a second of each."""
    seconds = [[0.0] * ROUNDS for _ in parsers]
    for number in range(ROUNDS):
        for parser, own in zip(parsers, seconds, strict=True):
            started = time.process_time()
            for _ in parser.pipe(gold):
                pass
            own[number] = time.process_time() - started
    return [sum(map(len, gold)) / min(own) for own in seconds]


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("treebank", help="(part of) the name of a treebank, or its folder")
    arguments.add_argument("models", nargs="+", type=Path, help="files of parsers")
    arguments.add_argument("-o", "--output", type=Path, help="write the report there too")
    options = arguments.parse_args()
    split = find_treebank(options.treebank)
    protocol = cast(ProtocolName, split.protocol)
    sets = {name: list(read(file)) for name in ("dev", "test") if (file := getattr(split, name))}
    parsers = [Parser.load(model) for model in options.models]
    rows: list[Row] = [
        {"Model": model.stem, **{name: scores(parser, gold, protocol) for name, gold in sets.items()}}
        for model, parser in zip(options.models, parsers, strict=True)
    ]
    for model, row, speed in zip(options.models, rows, speeds(parsers, sets["test"]), strict=True):
        row |= {"tokens/s": f"{speed:,.0f}", "MB": f"{model.stat().st_size / 1e6:.1f}"}
    facts = {"command": command_line(__file__, sys.argv[1:]), "treebank": split.name, "machine": machine()}
    Report(options.output).add(Table("Parsers side by side", facts, rows))


if __name__ == "__main__":
    main()
