"""How time and memory of `headwise cluster` grow with text and clusters: modern English, one core.

    python benchmarks/cluster_speed.py -o speed.md

Each run is a process of its own. From 7 million words on, words that occur once are left out.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from experiment import note
from headwise.words.clusters import brown_clusters, count_words
from report import Report, Row, Table, command_line, machine
from shared_data import DATA
from text_vectors import first_words

RUNS = ((2, 100), (2, 200), (2, 400), (2, 1000), (7, 1000), (14, 1000))
"""Million words, and clusters."""
COLUMNS = (
    "million words",
    "clusters",
    "different words",
    "bits",
    "reading, s",
    "clustering, s",
    "peak MB",
)


def measured(text: Path, clusters: int, least_often: int) -> tuple[str, ...]:
    """Processor seconds of one run, and what it takes and finds."""
    started = time.process_time()
    counter = count_words([text])
    bigrams = counter.bigrams(least_often)
    read = time.process_time()
    run = brown_clusters(bigrams, clusters)
    done = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{counter.words / 1e6:.1f}",
        f"{clusters:,}",
        f"{len(bigrams.words):,}",
        f"{run.information:.4f}",
        f"{read - started:.1f}",
        f"{done - read:.1f}",
        f"{peak:.0f}",
    )


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--one"]:
        print("\t".join(measured(Path(arguments[1]), int(arguments[2]), int(arguments[3]))))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument("--text", type=Path, default=DATA / "text" / "en-modern.txt.xz")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for millions, clusters in RUNS:
            text = first_words(options.text, millions * 1_000_000, Path(folder))
            one = ["--one", str(text), str(clusters), "1" if millions <= 2 else "2"]
            out = subprocess.run([sys.executable, __file__, *one], check=True, capture_output=True, text=True)
            rows.append(dict(zip(COLUMNS, out.stdout.strip().split("\t"), strict=True)))
            note(out.stdout.strip())
    facts = {"measured with": machine(), "command": command_line(__file__, arguments)}
    Report(options.output).add(Table("Time and memory of `headwise cluster`", facts, rows))


if __name__ == "__main__":
    main(sys.argv[1:])
