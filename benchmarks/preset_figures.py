"""README's table of presets: measured cell by cell, kept in presets.json, written from there."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import Any

STORED = Path(__file__).parent / "presets.json"

TREEBANKS = (
    "UD_English-EWT",
    "UD_French-Sequoia",
    "UD_Turkish-IMST",
    "UD_Greek-GDT",
    "UD_Gothic-PROIEL",
    "CoNLLX_Danish-DDT",
    "CoNLLX_Swedish-Talbanken05",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Dutch-Alpino",
)
CROSSING = ("UD_Gothic-PROIEL", "CoNLLX_Danish-DDT", "CoNLLX_Portuguese-Bosque", "CoNLLX_Dutch-Alpino")
"""Treebanks with at least 1 % of non-projective arcs."""
COLUMNS: dict[str, dict[str, Any]] = {
    "first": {"preset": "first"},
    "second": {"preset": "second"},
    "third": {"preset": "third"},
    "network": {"preset": "third", "network": True},
}
"""Settings of each column."""
_HEADER = (
    "| treebank | first UAS / LAS | second | third | third `--network` |"
    " tokens/s: first | second | third | `--network` |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
)

Cell = dict[str, Any]


def load(path: Path = STORED) -> list[Cell]:
    return list(json.loads(path.read_text(encoding="utf-8"))["cells"])


def store(cells: Iterable[Cell], path: Path = STORED) -> None:
    """Cells in the order of the table, a line each."""
    place = {(t, c): i for i, (t, c) in enumerate((t, c) for t in TREEBANKS for c in COLUMNS)}
    ordered = sorted(cells, key=lambda cell: place[cell["treebank"], cell["column"]])
    lines = ",\n".join(f"  {json.dumps(cell)}" for cell in ordered)
    path.write_text(f'{{"cells": [\n{lines}\n]}}\n', encoding="utf-8")


def updated(cells: Iterable[Cell], new: Cell) -> list[Cell]:
    """The cells with a new one in place of what was measured there before."""
    place = new["treebank"], new["column"]
    return [*(cell for cell in cells if (cell["treebank"], cell["column"]) != place), new]


def table(cells: Iterable[Cell]) -> str:
    """The cells as the README has them."""
    by_place = {(cell["treebank"], cell["column"]): cell for cell in cells}
    rows = []
    for treebank in TREEBANKS:
        found = [by_place[treebank, column] for column in COLUMNS]
        name = f"{treebank} (crossing)" if treebank in CROSSING else treebank
        scores = [f"{cell['uas']:.2f} / {cell['las']:.2f}" for cell in found]
        speeds = [f"{cell['tokens_per_cpu_second']:,}" for cell in found]
        rows.append(f"| {' | '.join([name, *scores, *speeds])} |\n")
    means = [
        " / ".join(
            f"{fmean(by_place[t, column][measure] for t in TREEBANKS):.2f}" for measure in ("uas", "las")
        )
        for column in COLUMNS
    ]
    rows.append(f"| average of {len(TREEBANKS)} | {' | '.join(means)} | | | | |\n")
    return _HEADER + "".join(rows)


def measure(treebank: str, column: str, commit: str) -> Cell:
    """Trains and parses; minutes of processor time."""
    from corpus import Corpus
    from experiment import train_and_measure
    from headwise.learning import TrainingSettings
    from report import machine

    corpus = Corpus.load(treebank)
    settings = TrainingSettings.preset(**COLUMNS[column], seed=1, trees="auto")
    measured = train_and_measure(corpus, settings, corpus.test, (corpus.protocol,))
    return {
        "treebank": corpus.name,
        "column": column,
        "uas": round(measured.uas(corpus.protocol), 2),
        "las": round(measured.las(corpus.protocol), 2),
        "train_cpu_seconds": round(measured.train_cpu_seconds, 1),
        "tokens_per_cpu_second": round(measured.tokens_per_cpu_second),
        "commit": commit,
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
    }
