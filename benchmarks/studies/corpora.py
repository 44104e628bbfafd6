"""What parsing a corpus costs beside parsing itself: workers, memory, Ray; reading, spaCy.

Text is English, a paragraph a line, unpacked into a temporary folder. Runs alternate, so that a busy
machine slows all of them. Processor seconds are those of all processes of a run but Ray's, which are not
its children; "shards" is the time from the beginning of the first shard to the end of the last, without the
start of processes, the model and the cluster. Memory is the most at any time, where pages that processes
share count once for all of them (PSS).
"""

from __future__ import annotations

import io
import json
import shutil
import tempfile
import threading
import time
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.engine import PARSING, TEXT, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.commands import Run, headwise, run
from benchmarks.measuring.data import data, find_treebank
from benchmarks.measuring.speed import in_turn, processor_seconds
from headwise.components.text.raw_text import raw_text
from headwise.treebank import Treebank, read, write
from headwise.treebank.files import read_chunks

PARSE = "`headwise parse`"
ONE_WORKER, TWO_WORKERS = "`headwise corpus`, one worker", "`headwise corpus`, two workers"
ON_RAY = "`headwise corpus --ray local`, two workers"
OPTIONS = {ONE_WORKER: ["--workers", "1"], TWO_WORKERS: ["--workers", "2"]} | {
    ON_RAY: ["--ray", "local", "--workers", "2"]
}

DEPENDS = (
    "src/headwise/corpus",
    "src/headwise/components/parser",
    "native/parsing",
    "native/tagging",
    "native/text",
)
SENTENCES_A_TEXT = 20


def sample(megabytes: float, path: Path) -> Path:
    """The first megabytes of some text, over and over where there is not enough of it."""
    wanted = int(megabytes * 1e6)
    with path.open("wb") as file:
        for source in cycle([data() / "text" / "en-modern.txt.xz"]):
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


def speed(megabytes: float, rounds: int, ray: bool, shard_size: str = "2MB") -> Result:
    """`headwise parse`, one worker, two, and two on a local Ray cluster, in turn."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        text = sample(megabytes, folder / "text.txt")
        plain = folder / "plain.txt"  # the same paragraphs, as headwise parse reads them
        plain.write_bytes(text.read_bytes().replace(b"\n", b"\n\n"))
        out = folder / "out"
        shard = ["-m", "en", "--shard-size", shard_size, "--to", "conllu"]
        runs: dict[str, list[Run]] = {PARSE: []} | {name: [] for name in OPTIONS if ray or name != ON_RAY}
        spans: dict[str, list[float]] = {name: [] for name in runs}
        words = 0
        for _ in range(rounds):
            runs[PARSE].append(run([*headwise(), "parse", plain, "-m", "en", "-o", folder / "parsed.conllu"]))
            for name in list(runs)[1:]:
                runs[name].append(corpus(text, out, *shard, *OPTIONS[name]))
                spans[name].append(shard_seconds(out))
                words = int(sum(entry["words"] for entry in log_of(out) if entry["event"] == "shard"))
    ways: dict[str, Any] = {
        name: {
            "seconds": median(one.seconds for one in found),
            "shards": median(spans[name]) if spans[name] else None,
            "cpu_seconds": median(one.cpu_seconds for one in found) if name != ON_RAY else None,
        }
        for name, found in runs.items()
    }
    return {"words": words, "ways": ways}


def shard_seconds(out: Path) -> float:
    """From the beginning of the first shard to the end of the last."""
    shards = [entry for entry in log_of(out) if entry["event"] == "shard"]
    begin = min(entry["time"] - entry["seconds"] for entry in shards)
    return max(entry["time"] for entry in shards) - begin


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


def memory(megabytes: float, to: str, shard_size: str = "1MB") -> Result:
    """The peaks of two workers, in megabytes."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        watcher = Memory(folder / "out")
        watcher.start()
        options = ("-m", "en", "--to", to, "--workers", "2", "--shard-size", shard_size)
        corpus(sample(megabytes, folder / "text.txt"), folder / "out", *options)
        watcher.ended = True
        watcher.join()
    return {name: peak / 1e6 for name, peak in watcher.peaks.items()}


def reading(treebank: str, megabytes: int) -> Result:
    """Reading and writing on one core, a treebank repeated up to a size; and what streaming takes."""
    source = find_treebank(treebank).train
    result: Result = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / source.name.removesuffix(".xz").removesuffix(".gz")
        with path.open("wb") as file:
            while file.tell() < megabytes * 1_000_000:
                file.writelines(read_chunks(source))
        for validate in ("columns", "tree"):
            # One malformed tree should not keep a treebank from being measured.
            stream = partial(read, path, validate=validate, on_error="skip")  # type: ignore[arg-type]
            words, seconds = processor_seconds(lambda stream=stream: sum(map(len, stream())))
            result[f"read, checking {validate}"] = words / seconds
    whole = Treebank.load(source, validate="columns")
    _, seconds = processor_seconds(lambda: write(whole, io.BytesIO()))
    result["write"] = whole.words / seconds
    trees = [(sentence, sentence.heads[::-1].copy(), sentence.labels[::-1]) for sentence in whole]
    _, seconds = processor_seconds(lambda: write((s.with_tree(h, r) for s, h, r in trees), io.BytesIO()))
    return result | {"write with new trees": whole.words / seconds}


def in_spacy(measured: int | None = None) -> Result:
    """What spaCy around the pipeline costs: each text once, ways in turn; words a second."""
    import spacy

    import headwise as package
    import headwise.spacy as ours

    gold = list(read(find_treebank("UD_English-EWT").test))[:measured]
    texts = [raw_text(gold[i : i + SENTENCES_A_TEXT]) for i in range(0, len(gold), SENTENCES_A_TEXT)]
    blank = spacy.blank("en")
    blank.add_pipe("headwise")
    pipes = {
        "by itself": package.load("en").pipe,
        "in spaCy": ours.load("en").pipe,
        "on spaCy's tokens": blank.pipe,
        "with probabilities": ours.load("en", confidence=True).pipe,
    }
    seconds = in_turn({n: lambda text, pipe=pipe: list(pipe([text])) for n, pipe in pipes.items()}, texts)
    return {name: sum(map(len, gold)) / sum(spent) for name, spent in seconds.items()}


def tasks(scale: Scale) -> dict[str, Task]:
    size = 1.0 if scale.is_full else 0.02
    found = {
        "speed": Task("studies.corpora:speed", DEPENDS, "ray", megabytes=20 * size, rounds=2, ray=True),
        "speed without Ray": Task("studies.corpora:speed", DEPENDS, megabytes=20 * size, rounds=2, ray=False),
        "reading": Task(
            "studies.corpora:reading", ("native/treebank",), treebank="EWT", megabytes=int(200 * size)
        ),
        "spaCy": Task(
            "studies.corpora:in_spacy",
            ("src/headwise/spacy", *PARSING, *TEXT),
            "spacy",
            measured=scale.measured,
        ),
    }
    for to in ("conllu", "parquet"):
        for megabytes in (2, 8):
            found[f"memory {megabytes} MB to {to}"] = Task(
                "studies.corpora:memory", DEPENDS, megabytes=megabytes * size, to=to
            )
    return found


def speed_rows(found: Found) -> list[Row]:
    result = found.get("speed") or found["speed without Ray"]
    rows = []
    for name, one in result["ways"].items():
        row = {"run": name, "seconds": shown(one["seconds"], 1), "shards": shown(one["shards"], 1)}
        row["words a second"] = shown(result["words"] / one["seconds"], 0)
        rows.append(row | {"processor seconds": shown(one["cpu_seconds"], 1)})
    return rows


def memory_rows(found: Found) -> list[Row]:
    rows = []
    for name, peaks in found.named("memory ").items():
        worker = max(peaks["reader"], peaks["worker"])
        row = {"text": name, "driver": f"{peaks['driver']:.0f} MB"}
        row["reader and workers, each at most"] = f"{worker:.0f} MB"
        rows.append(row | {"all processes": f"{peaks['all']:.0f} MB"})
    return rows


STUDY = Study(
    "corpora",
    "What do workers, Ray, reading and spaCy cost beside parsing; how much memory?",
    tasks,
    {"corpus-speed": speed_rows, "corpus-memory": memory_rows},
    padded=False,
)
