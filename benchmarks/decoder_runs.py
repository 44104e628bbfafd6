"""Parsers trained once and measured with several decoders; finished runs are kept and not repeated."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from corpus import Corpus
from experiment import cpu_seconds, note
from headwise import Parser
from headwise.evaluation import assess
from headwise.evaluation.comparison import sentence_counts
from headwise.evaluation.significance import SentenceCounts
from headwise.training import TrainingSettings
from headwise.treebank import Sentence


@dataclass(frozen=True)
class Attachment:
    """What one decoder got right, sentence by sentence."""

    uas: SentenceCounts
    las: SentenceCounts

    @classmethod
    def of(cls, corpus: Corpus, gold: list[Sentence], parsed: list[Sentence]) -> Attachment:
        assessment = assess(gold, parsed, corpus.protocol, multiple_roots=True)
        return cls(*(sentence_counts(assessment, m) for m in (assessment.uas, assessment.las)))

    @classmethod
    def from_json(cls, document: dict[str, list[list[int]]]) -> Attachment:
        return cls(**{name: SentenceCounts(*map(np.array, lists)) for name, lists in document.items()})

    def to_json(self) -> dict[str, list[list[int]]]:
        return {
            name: [counts.correct.tolist(), counts.gold.tolist(), counts.system.tolist()]
            for name, counts in (("uas", self.uas), ("las", self.las))
        }


@dataclass(frozen=True)
class Run:
    """One trained parser on dev and test, by decoder."""

    dev: dict[str, Attachment]
    test: dict[str, Attachment]
    train_cpu_seconds: float
    best_epoch: int


class Runs:
    """Trains and measures; what is in its file is taken from there, so that a killed benchmark goes on."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._kept: dict[str, dict[str, Any]] = {}
        if file is not None and file.exists():
            whole = file.read_text(encoding="utf-8").rpartition("\n")[0]  # a line may be cut off
            file.write_text(whole + "\n" if whole else "", encoding="utf-8")
            self._kept = {line["key"]: line["run"] for line in map(json.loads, whole.splitlines())}

    def run(self, corpus: Corpus, settings: TrainingSettings, decoders: Sequence[str]) -> Run:
        """Probabilities are not fitted: that takes time, and changes no tree."""
        settings = replace(settings, calibrate=False)
        key = _key(corpus, settings, decoders)
        if key not in self._kept:
            note(f"{corpus.name}: {settings.learner} {settings.optimizer} {settings.trees}")
            self._kept[key] = _measure(corpus, settings, decoders)
            if self.file is not None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                with self.file.open("a", encoding="utf-8") as file:
                    print(json.dumps({"key": key, "run": self._kept[key]}), file=file)
        kept = self._kept[key]
        dev, test = (
            {decoder: Attachment.from_json(counts) for decoder, counts in kept[part].items()}
            for part in ("dev", "test")
        )
        return Run(dev, test, kept["train_cpu_seconds"], kept["best_epoch"])


def _measure(corpus: Corpus, settings: TrainingSettings, decoders: Iterable[str]) -> dict[str, Any]:
    parser, seconds = cpu_seconds(lambda: Parser.train(corpus.train, corpus.dev, settings=settings))

    def attachment(gold: list[Sentence], decoder: str) -> dict[str, list[list[int]]]:
        parsed = [parse.to_sentence() for parse in parser.pipe(gold, decoder=decoder)]
        return Attachment.of(corpus, gold, parsed).to_json()

    return {
        "dev": {decoder: attachment(corpus.dev, decoder) for decoder in decoders},
        "test": {decoder: attachment(corpus.test, decoder) for decoder in decoders},
        "train_cpu_seconds": seconds,
        "best_epoch": parser.config.training["best_epoch"],
    }


def _key(corpus: Corpus, settings: TrainingSettings, decoders: Sequence[str]) -> str:
    """What a run depends on, but for the program and its defaults."""
    sizes = [len(part) for part in (corpus.train, corpus.dev, corpus.test)]
    default = asdict(TrainingSettings())
    chosen = {name: value for name, value in asdict(settings).items() if value != default[name]}
    return json.dumps([corpus.name, *sizes, [*decoders], chosen], sort_keys=True)
