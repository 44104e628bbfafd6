"""Tokens a second, of first passes: nothing that was parsed before in the process counts.

Every pass is in a process of its own, and passes alternate between what is compared. A network keeps what it
made of recent sentences, so a second pass over a small test set would not run it at all.
"""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from benchmarks.engine import PARSING, Result
from benchmarks.engine.runner import note
from benchmarks.measuring.corpus import Corpus
from benchmarks.measuring.data import find_treebank
from benchmarks.measuring.texts import made
from headwise import Parser
from headwise.training import TrainingSettings
from headwise.treebank import read

WARMING = 50
"""Sentences of the training set that are parsed before: pages are mapped then, and tables made."""
ROUNDS = 5
Done = TypeVar("Done")


def first_passes(
    treebank: str, models: Mapping[str, Mapping[str, Any]], rounds: int = ROUNDS, part: str = "test"
) -> Result:
    """Parsers of one treebank against each other, each with its settings, or the path of its file."""
    name = find_treebank(treebank).name
    paths = {
        one: Path(settings["path"]) if "path" in settings else model_of(name, settings)
        for one, settings in models.items()
    }
    passes: dict[str, list[float]] = {one: [] for one in models}
    for number in range(rounds):
        for one, path in paths.items():
            passes[one].append(one_pass(path, name, part))
            note(f"round {number + 1}, {one}: {passes[one][-1]:,.0f} tokens/s")
    return {one: {"tokens_a_second": median(found), "passes": found} for one, found in passes.items()}


def one_pass(model: Path, treebank: str, part: str) -> float:
    """In a process of its own."""
    command = [sys.executable, "-m", "benchmarks.measuring.speed", str(model), treebank, part]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return float(told["words"]) / float(told["seconds"])


def model_of(treebank: str, settings: Mapping[str, Any]) -> Path:
    """A model of this commit, trained once."""
    own = {"seed": 1, "trees": "auto", **settings}
    text = json.dumps([treebank, own], sort_keys=True)
    name = f"models/{treebank}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.hw"
    return made(name, lambda path: _train(treebank, own, path), PARSING)


def _train(treebank: str, settings: Mapping[str, Any], path: Path) -> None:
    corpus = Corpus.load(treebank)
    preset, others = settings["preset"], {k: v for k, v in settings.items() if k != "preset"}
    chosen = TrainingSettings.preset(preset, **others)
    Parser.train(corpus.train, corpus.dev or None, settings=chosen).save(path)


def processor_seconds(work: Callable[[], Done]) -> tuple[Done, float]:
    """What some work returns, and the processor time of all threads of this process, the core's too."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    done = work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(ways: Mapping[str, Callable[[Any], object]], texts: Sequence[Any]) -> dict[str, list[float]]:
    """Processor seconds of each way with each text, which no way has seen before; ways take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for text in texts:
        for name, way in ways.items():
            seconds[name].append(processor_seconds(lambda way=way, text=text: way(text))[1])
    return seconds


def main(model: str, treebank: str, part: str) -> None:
    split = find_treebank(treebank)
    parser = Parser.load(model)
    gold = list(read(getattr(split, part), on_error="skip"))
    seen = {tuple(sentence.forms) for sentence in gold}
    warming = (s for s in read(split.train, on_error="skip") if tuple(s.forms) not in seen)
    for _ in parser.pipe(list(islice(warming, WARMING)), threads=1):
        pass
    _, seconds = processor_seconds(lambda: sum(1 for _ in parser.pipe(gold, threads=1)))
    print(json.dumps({"words": sum(map(len, gold)), "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
