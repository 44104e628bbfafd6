"""How fast a treebank is read and written on one core, and how much memory streaming takes.

    python benchmarks/read_speed.py TREEBANK [--megabytes 200]

The treebank is decompressed first and repeated up to the size asked for, so that reading is measured and not
decompression or start-up. Each time is the best of three.
"""

from __future__ import annotations

import argparse
import io
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from headwise.treebank import Treebank, read, write
from headwise.treebank.files import read_chunks
from headwise.treebank.reading import Validate


def best_of_three(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("treebank", type=Path, help="a CoNLL-U or CoNLL-X file, also .gz or .xz")
    parser.add_argument("--megabytes", type=int, default=200, help="size to repeat it to")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / options.treebank.name.removesuffix(".xz").removesuffix(".gz")
        with path.open("wb") as file:
            while file.tell() < options.megabytes * 1_000_000:
                file.writelines(read_chunks(options.treebank))
        size = path.stat().st_size / 1e6

        def stream(validate: Validate) -> int:
            # One malformed tree should not keep a treebank from being measured.
            return sum(len(sentence) for sentence in read(path, validate=validate, on_error="skip"))

        before = peak_megabytes()
        words = stream("columns")
        print(f"{options.treebank}, repeated to {size:,.0f} MB, {words:,} words")
        print(f"peak memory: {before:.0f} MB before reading, {peak_megabytes():.0f} MB after streaming")

        checks: tuple[Validate, ...] = ("columns", "tree")
        for validate in checks:
            seconds = best_of_three(partial(stream, validate))
            rates = f"{words / seconds:12,.0f} words/s  {size / seconds:6,.0f} MB/s"
            print(f"read, checking {validate:7}: {rates}")

    treebank = Treebank.load(options.treebank, validate="columns")
    seconds = best_of_three(lambda: write(treebank, io.BytesIO()))
    print(f"write                 : {treebank.words / seconds:12,.0f} words/s")
    trees = [(sentence, sentence.heads[::-1].copy(), sentence.labels[::-1]) for sentence in treebank]
    seconds = best_of_three(lambda: write((s.with_tree(h, r) for s, h, r in trees), io.BytesIO()))
    print(f"write with new trees  : {treebank.words / seconds:12,.0f} words/s")


if __name__ == "__main__":
    main()
