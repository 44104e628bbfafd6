"""How good a model is: from raw text, on the test sets of its recipe, by the rules of CoNLL 2018."""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headwise import Pipeline
from headwise.components.text.raw_text import raw_text
from headwise.evaluation import evaluate
from headwise.treebank import Sentence
from models.data import Places

MAIN_SCORES = ("upos", "uas", "las")
MEASURES = ("tokens", "sentences", "words", "upos", "ufeats", "lemmas", "uas", "las")
PUBLISHED = "published-scores.tsv"
FIGURES = ("tokens", "sentences", "upos", "uas", "las")
"""What others publish, by the names of the columns of their table."""


def judged(pipeline: Pipeline, tests: Mapping[str, Sequence[Sentence]], output: Path) -> dict[str, Any]:
    """Scores by treebank, and the speed; what the model makes of the texts is kept in a folder."""
    scores, words, seconds = {}, 0, 0.0
    for name, gold in tests.items():
        text = raw_text(gold)
        started = time.process_time()
        parsed = [parse.to_sentence() for parse in pipeline(text)]
        seconds += time.process_time() - started
        words += sum(map(len, parsed))
        (output / f"{name}.conllu").write_bytes(b"".join(sentence.to_bytes() for sentence in parsed))
        found = evaluate(gold, parsed, "ud", multiple_roots=True)
        scores[name] = {measure: round(100 * getattr(found, measure).f1, 2) for measure in MEASURES}
    return {"scores": scores, "words_per_second": round(words / max(seconds, 1e-9))}


def validated(outputs: Sequence[Path], language: str, level: int) -> bool | None:
    """Whether the validator of Universal Dependencies passes all of it; None: it is not installed."""
    program = Path(sys.executable).with_name("udvalidate")
    if not program.exists():
        return None
    command = [str(program), "--quiet", "--lang", language, "--level", str(level)]
    return subprocess.run([*command, *map(str, outputs)], check=False).returncode == 0


def published(places: Places, treebanks: Sequence[str]) -> dict[str, dict[str, dict[str, float]]]:
    """What others publish of these treebanks: by treebank and system."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    path = places.shared / PUBLISHED
    if not path.is_file():
        return found
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader((line for line in file if not line.startswith("#")), delimiter="\t")
        next(rows)
        for treebank, system, *figures in rows:
            if treebank in treebanks:
                values = zip(FIGURES, figures, strict=True)
                own = {name: float(value) for name, value in values if value not in ("", "-")}
                found.setdefault(treebank, {})[system] = own
    return found
