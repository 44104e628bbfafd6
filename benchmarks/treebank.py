"""Train and measure on a treebank, by the commands a user would run.

    python -m benchmarks.treebank EWT                       # a name under $HEADWISE_DATA/treebanks
    python -m benchmarks.treebank EWT Danish -- --epochs 5  # what follows -- goes to `headwise train`

Prints accuracy under each protocol, training time, parsing speed with one thread and with all, start-up
time, peak memory and model size. Speeds are of the whole command (start-up, reading and writing included,
the file is parsed REPEAT times over to make start-up small) and the best of three; "tokens/CPU s" counts
processor time, for machines that do other things as well.
"""

from __future__ import annotations

import argparse
import lzma
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring.commands import Run, headwise, run, scores
from benchmarks.measuring.data import Split, find_treebank
from headwise.treebank import read

REPEAT = 8


def plain_copy(source: Path, folder: Path) -> Path:
    """The file without compression, so that speed is the parser's."""
    target = folder / source.name.removesuffix(".xz")
    data = source.read_bytes()
    target.write_bytes(lzma.decompress(data) if source.suffix == ".xz" else data)
    return target


def best_of(times: int, command: list[str | Path]) -> Run:
    return min((run(command) for _ in range(times)), key=lambda r: r.seconds)


def measure(
    split: Split, options: list[str], folder: Path, python: str | Path = sys.executable
) -> dict[str, str]:
    """One row of the table."""
    tool = headwise(python)
    model, parsed = folder / "model.hw", folder / "parsed.conll"
    dev: list[str | Path] = ["--dev", split.dev] if split.dev else []
    training = run([*tool, "train", split.train, *dev, "-o", model, *options])
    test = plain_copy(split.test, folder)
    once = best_of(1, [*tool, "parse", test, "-m", model, "-o", parsed])
    sentences = list(read(test, validate="columns"))
    words = sum(map(len, sentences))
    many = folder / f"many{test.suffix}"
    many.write_bytes(test.read_bytes() * REPEAT)
    one = best_of(3, [*tool, "parse", many, "-m", model, "-o", os.devnull])
    cores = best_of(3, [*tool, "parse", many, "-m", model, "-o", os.devnull, "--threads", "0"])
    first = folder / f"first{test.suffix}"
    first.write_bytes(sentences[0].to_bytes())
    start = best_of(3, [*tool, "parse", first, "-m", model, "-o", os.devnull])
    row = {"treebank": split.name}
    for protocol in ("ud", "conllx", "all"):
        accuracy = scores(split.test, parsed, protocol)
        row[f"UAS {protocol}"] = f"{accuracy['uas']:.2f}"
        row[f"LAS {protocol}"] = f"{accuracy['las']:.2f}"
    row |= {
        "train s": f"{training.seconds:.0f}",
        "train CPU s": f"{training.cpu_seconds:.0f}",
        "train MB": f"{training.peak_bytes / 1e6:.0f}",
        "sentences/s": f"{REPEAT * len(sentences) / one.seconds:,.0f}",
        "tokens/s": f"{REPEAT * words / one.seconds:,.0f}",
        "tokens/CPU s": f"{REPEAT * words / one.cpu_seconds:,.0f}",
        f"tokens/s, {os.cpu_count()} threads": f"{REPEAT * words / cores.seconds:,.0f}",
        "start s": f"{start.seconds:.2f}",
        "parse MB": f"{once.peak_bytes / 1e6:.0f}",
        "model MB": f"{model.stat().st_size / 1e6:.1f}",
    }
    return row


def print_table(rows: list[dict[str, str]]) -> None:
    """One line a measure, one column a row: readable for one treebank and for a dozen."""
    width = max(len(name) for name in rows[0])
    widths = [max(len(value) for value in row.values()) for row in rows]
    for name in rows[0]:
        print(
            f"{name:{width}}  " + "  ".join(f"{row[name]:>{w}}" for row, w in zip(rows, widths, strict=True))
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebanks", nargs="+", help="names (or folders) of treebanks")
    ours, _, theirs = _split_at_dashes(sys.argv[1:])
    rows = []
    for name in parser.parse_args(ours).treebanks:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(find_treebank(name), theirs, Path(folder)))
    print_table(rows)


def _split_at_dashes(arguments: list[str]) -> tuple[list[str], str, list[str]]:
    if "--" not in arguments:
        return arguments, "", []
    at = arguments.index("--")
    return arguments[:at], "--", arguments[at + 1 :]


if __name__ == "__main__":
    main()
