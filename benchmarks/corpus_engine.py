"""What parsing a corpus costs beside parsing itself: workers, memory, Ray.

    python benchmarks/corpus_engine.py speed --megabytes 20 -o speed.md    # headwise parse, one worker, two
    python benchmarks/corpus_engine.py speed --megabytes 20 --ray          # … and two on a local Ray cluster
    python benchmarks/corpus_engine.py memory --megabytes 50 500 -m small.hw

Text is English, a paragraph a line, from $HEADWISE_DATA/text (or --text), unpacked into a temporary folder.
The runs alternate, so that a busy machine slows all of them. Processor seconds are those of all processes of
a run but of Ray, which are not its children; "shards" is the time from the beginning of the first shard to
the end of the last, without the start of processes, the model and the cluster. Memory is the most at any
time, where pages that processes share count once for all of them (PSS).
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from experiment import note
from headwise.treebank.files import read_chunks
from measure import Run, headwise, run
from report import Report, Row, Table, command_line, machine
from shared_data import DATA

PARSE = "`headwise parse`"
ONE_WORKER, TWO_WORKERS = "`headwise corpus`, one worker", "`headwise corpus`, two workers"
ON_RAY = "`headwise corpus --ray local`, two workers"
FOLDERS = {ONE_WORKER: "one", TWO_WORKERS: "two", ON_RAY: "ray"}


def sample(sources: list[Path], megabytes: float, path: Path) -> Path:
    """The first megabytes of some text, over and over where there is not enough of it."""
    wanted = int(megabytes * 1e6)
    with path.open("wb") as file:
        for source in cycle(sources):
            for chunk in read_chunks(source):
                file.write(chunk[: wanted - file.tell()])
                if file.tell() >= wanted:
                    return path
    raise AssertionError


def corpus(text: Path, out: Path, *options: str) -> Run:
    shutil.rmtree(out, ignore_errors=True)
    return run([*headwise(), "corpus", text, "-o", out, "--from", "paragraphs", *options])


def log_of(out: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (out / "_headwise" / "log.jsonl").read_text().splitlines()]


def speed(arguments: argparse.Namespace, folder: Path) -> Table:
    text = sample(arguments.text, arguments.megabytes, folder / "text.txt")
    plain = folder / "plain.txt"  # the same paragraphs, as headwise parse reads them
    plain.write_bytes(text.read_bytes().replace(b"\n", b"\n\n"))
    model, shard = ["-m", arguments.model], ["--shard-size", arguments.shard_size]
    to = ["--to", arguments.to]
    ways = {
        PARSE: lambda: run([*headwise(), "parse", plain, *model, "-o", folder / "parsed.conllu"]),
        ONE_WORKER: lambda: corpus(text, folder / FOLDERS[ONE_WORKER], *model, *shard, *to, "--workers", "1"),
        TWO_WORKERS: lambda: corpus(
            text, folder / FOLDERS[TWO_WORKERS], *model, *shard, *to, "--workers", "2"
        ),
    }
    if arguments.ray:
        local = ["--ray", "local", "--workers", "2"]
        ways[ON_RAY] = lambda: corpus(text, folder / FOLDERS[ON_RAY], *model, *shard, *to, *local)
    runs: dict[str, list[Run]] = {name: [] for name in ways}
    spans: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(arguments.rounds):
        for name, way in ways.items():
            runs[name].append(way())
            if name != PARSE:
                spans[name].append(shard_seconds(folder / FOLDERS[name]))
            seconds, cpu = runs[name][-1].seconds, runs[name][-1].cpu_seconds
            note(f"round {number + 1}, {name}: {seconds:.1f} s, processors {cpu:.1f} s")
    log = log_of(folder / FOLDERS[TWO_WORKERS])
    words = int(sum(entry["words"] for entry in log if entry["event"] == "shard"))
    rows = [speed_row(name, found, spans[name], runs[PARSE], words) for name, found in runs.items()]
    facts = {"text": f"{arguments.megabytes:g} MB, {words:,} words; medians of {arguments.rounds} rounds"}
    return Table("Speed of workers", facts, rows)


def speed_row(name: str, found: list[Run], spans: list[float], parse: list[Run], words: int) -> Row:
    wall, cpu = median(found, "seconds"), median(found, "cpu_seconds")
    against = statistics.median(a.cpu_seconds / b.cpu_seconds for a, b in zip(found, parse, strict=True))
    is_counted = name != ON_RAY
    return {
        "run": name,
        "seconds": f"{wall:.1f}",
        "shards": f"{statistics.median(spans):.1f}" if spans else "",
        "words a second": f"{words / wall:,.0f}",
        "processor seconds": f"{cpu:.1f}" if is_counted else "",
        "of parsing": f"× {against:.2f}" if is_counted else "",
    }


def shard_seconds(out: Path) -> float:
    """From the beginning of the first shard to the end of the last."""
    shards = [entry for entry in log_of(out) if entry["event"] == "shard"]
    begin = min(entry["time"] - entry["seconds"] for entry in shards)
    return max(entry["time"] for entry in shards) - begin


def median(runs: list[Run], field: str) -> float:
    return statistics.median(getattr(one, field) for one in runs)


class Memory(threading.Thread):
    """Looks at the memory of the processes of a run, twice a second."""

    def __init__(self, out: Path) -> None:
        super().__init__(daemon=True)
        self.out, self.peaks, self.ended = out, {"driver": 0, "reader": 0, "worker": 0, "all": 0}, False

    def run(self) -> None:
        while not self.ended:
            time.sleep(0.5)
            self.look()

    def look(self) -> None:
        family = [path for path in Path("/proc").glob("[0-9]*") if self._is_ours(path)]
        if not family:
            return
        by_start = sorted(family, key=started)
        sizes = [pss(path) for path in by_start]
        for name, size in zip(["driver", "reader", *["worker"] * len(sizes)], sizes, strict=False):
            self.peaks[name] = max(self.peaks[name], size)
        self.peaks["all"] = max(self.peaks["all"], sum(sizes))

    def _is_ours(self, path: Path) -> bool:
        try:
            command = (path / "cmdline").read_bytes()
        except OSError:
            return False
        return b"\0corpus\0" in command and str(self.out).encode() in command


def started(process: Path) -> int:
    """When a process began; the driver is first, then its reader, then workers."""
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return 0


def pss(process: Path) -> int:
    """Proportional set size: pages that n processes share count a n-th for each."""
    try:
        lines = (process / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def memory(arguments: argparse.Namespace, folder: Path) -> Table:
    rows: list[Row] = []
    for megabytes in arguments.megabytes:
        text = sample(arguments.text, megabytes, folder / "text.txt")
        for to in arguments.to:
            watcher = Memory(folder / "out")
            watcher.start()
            done = corpus(
                text,
                folder / "out",
                *("-m", arguments.model, "--to", to, "--workers", "2", "--shard-size", arguments.shard_size),
            )
            watcher.ended = True
            watcher.join()
            peaks = {name: peak / 1e6 for name, peak in watcher.peaks.items()}
            note(f"{megabytes:g} MB to {to}: {peaks}; {done.seconds:.0f} s")
            rows.append(
                {
                    "text": f"{megabytes:g} MB to {to}",
                    "driver": f"{peaks['driver']:.0f} MB",
                    "reader and workers, each at most": f"{max(peaks['reader'], peaks['worker']):.0f} MB",
                    "all processes": f"{peaks['all']:.0f} MB",
                }
            )
    return Table("Memory of two workers", {}, rows)


def main(given: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = [DATA / "text" / "en-modern.txt.xz", DATA / "text" / "en.txt.xz"]
    parser.set_defaults(text=default)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("speed")
    one.add_argument("--megabytes", type=float, default=20)
    one.add_argument("--rounds", type=int, default=3)
    one.add_argument("--ray", action="store_true")
    one.add_argument("--to", default="conllu")
    one.set_defaults(do=speed)
    two = commands.add_parser("memory")
    two.add_argument("--megabytes", type=float, nargs="+", default=[5, 50])
    two.add_argument("--to", nargs="+", default=["conllu"])
    two.set_defaults(do=memory)
    for command in (one, two):
        command.add_argument("-m", "--model", default="en")
        command.add_argument("--shard-size", default="4MB")
        command.add_argument("--text", type=Path, nargs="+", default=default)
        command.add_argument("-o", "--output", type=Path, help="Markdown file")
    arguments = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        table = arguments.do(arguments, Path(folder))
    facts = {**table.facts, "measured with": machine(), "command": command_line(__file__, given)}
    Report(arguments.output).add(replace(table, facts=facts))


if __name__ == "__main__":
    main(sys.argv[1:])
