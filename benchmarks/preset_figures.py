"""Tables of presets on README and docs: measured cell by cell, kept in presets.json, written from there."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from figure_tables import markdown_lines

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
CONLLX = tuple(name for name in TREEBANKS if name.startswith("CoNLLX"))
CROSSING = ("UD_Gothic-PROIEL", "CoNLLX_Danish-DDT", "CoNLLX_Portuguese-Bosque", "CoNLLX_Dutch-Alpino")
"""Treebanks with at least 1 % of non-projective arcs."""
COLUMNS: dict[str, dict[str, Any]] = {
    "first": {"preset": "first"},
    "second": {"preset": "second"},
    "third": {"preset": "third"},
    "network": {"preset": "accurate"},
    "no-roles": {"preset": "third", "roles": False},
    "full-no-network": {"preset": "full", "network": False},
    "full": {"preset": "full"},
    "torch-network": {"preset": "network", "torch": True},
    "torch-third": {"preset": "accurate", "torch": True},
    "taught-network": {"preset": "network", "torch": True},
    "taught-third": {"preset": "accurate", "torch": True},
}
"""Settings of each column. What is taught has two layers of 256, and teachers (docs/distillation.md)."""

Cell = dict[str, Any]
Cells = Mapping[tuple[str, str], Cell]
"""By treebank and column."""


def load(path: Path = STORED) -> list[Cell]:
    return list(json.loads(path.read_text(encoding="utf-8"))["cells"])


def store(cells: Iterable[Cell], path: Path = STORED) -> None:
    """A line for each: those of README in the order of its table, then the others."""
    places = [place for table in TABLES.values() for place in table.places]
    order = {place: i for i, place in enumerate(dict.fromkeys(places))}
    ordered = sorted(cells, key=lambda cell: order[cell["treebank"], cell["column"]])
    lines = ",\n".join(f"  {json.dumps(cell)}" for cell in ordered)
    path.write_text(f'{{"cells": [\n{lines}\n]}}\n', encoding="utf-8")


def updated(cells: Iterable[Cell], new: Cell) -> list[Cell]:
    """The cells with a new one in place of what was measured there before."""
    place = new["treebank"], new["column"]
    return [*(cell for cell in cells if (cell["treebank"], cell["column"]) != place), new]


@dataclass(frozen=True)
class Shown:
    """A column of a table in a page."""

    heading: str
    text: Callable[[Cells, str], str]
    """Of a treebank."""
    average: Callable[[Cells, tuple[str, ...]], str] = lambda cells, treebanks: ""
    measured: str | None = None
    """The column of cells that it shows."""


def scores(heading: str, column: str, *measures: str) -> Shown:
    """UAS / LAS, or those that are named."""
    chosen = measures or ("uas", "las")

    def average(cells: Cells, treebanks: tuple[str, ...]) -> str:
        found = [cells.get((treebank, column), {}) for treebank in treebanks]
        if not all(measure in cell for cell in found for measure in chosen):
            return ""
        return " / ".join(f"{fmean(cell[measure] for cell in found):.2f}" for measure in chosen)

    return Shown(heading, lambda cells, treebank: average(cells, (treebank,)), average, column)


def speed(heading: str, column: str) -> Shown:
    """Tokens a second of processor time."""
    return _of_cell(heading, column, "tokens_per_cpu_second", "{:,}")


def training(heading: str, column: str) -> Shown:
    """Seconds of processor time."""
    return _of_cell(heading, column, "train_cpu_seconds", "{:,.0f} s")


def _of_cell(heading: str, column: str, figure: str, form: str) -> Shown:
    def text(cells: Cells, treebank: str) -> str:
        cell = cells.get((treebank, column), {})
        return form.format(cell[figure]) if figure in cell else ""

    return Shown(heading, text, measured=column)


def published(heading: str, of_conllx: tuple[float, ...]) -> Shown:
    figures = dict(zip(CONLLX, of_conllx, strict=True))
    return Shown(
        heading,
        lambda cells, treebank: f"{figures[treebank]:.2f}",
        lambda cells, treebanks: f"{fmean(figures[t] for t in treebanks):.2f}",
    )


@dataclass(frozen=True)
class PresetTable:
    """Treebanks by columns, with the averages below; what was not measured is left empty."""

    treebanks: tuple[str, ...]
    shown: tuple[Shown, ...]

    @property
    def places(self) -> list[tuple[str, str]]:
        columns = dict.fromkeys(one.measured for one in self.shown if one.measured)
        return [(treebank, column) for treebank in self.treebanks for column in columns]

    def cells(self, stored: Iterable[Cell]) -> dict[tuple[str, str], Cell]:
        """Those of the table that there are."""
        known = {(cell["treebank"], cell["column"]): cell for cell in stored}
        return {place: known[place] for place in self.places if place in known}

    def to_markdown(self, stored: Iterable[Cell]) -> str:
        cells = self.cells(stored)
        rows = []
        for treebank in self.treebanks:
            name = f"{treebank} (crossing)" if treebank in CROSSING else treebank
            rows.append([name, *(one.text(cells, treebank) for one in self.shown)])
        averages = [one.average(cells, self.treebanks) for one in self.shown]
        rows.append([f"average of {len(self.treebanks)}", *averages])
        header, rule = ["treebank", *(one.heading for one in self.shown)], ["---:"] * len(self.shown)
        return markdown_lines(header, ["---", *rule], rows)


TABLES = {
    "presets": PresetTable(
        TREEBANKS,
        (
            scores("`first` UAS / LAS", "first"),
            scores("`fast` (second)", "second"),
            scores("`third`", "third"),
            scores("`accurate`", "network"),
            speed("tokens/s: `first`", "first"),
            speed("`fast`", "second"),
            speed("`third`", "third"),
            speed("`accurate`", "network"),
        ),
    ),
    "network": PresetTable(
        TREEBANKS,
        (
            scores("`third`", "third"),
            scores("`accurate`", "network"),
            training("train", "network"),
            speed("tokens/s", "network"),
        ),
    ),
    "roles": PresetTable(TREEBANKS, (scores("`third`", "third"), scores("… without roles", "no-roles"))),
    "whole-tree-presets": PresetTable(
        CONLLX,
        (
            scores("`third`", "third", "uas"),
            scores("`accurate`", "network", "uas"),
            scores("`full` without network", "full-no-network", "uas"),
            scores("`full`", "full", "uas"),
            published("randomized greedy, full", (91.86, 91.08, 92.36, 87.39)),
            published("best then", (92.00, 91.62, 93.03, 86.47)),
            training("processor time to train `full`", "full"),
            speed("tokens/s", "full"),
        ),
    ),
    "torch-training": PresetTable(
        ("UD_English-EWT", "CoNLLX_Danish-DDT", "CoNLLX_Dutch-Alpino"),
        (
            scores("`third`", "third"),
            scores("`accurate`", "network"),
            scores("`network --torch`", "torch-network"),
            scores("`accurate --torch`", "torch-third"),
            scores("`network --teacher`", "taught-network"),
            scores("`accurate --teacher`", "taught-third"),
            speed("tokens/s: `network --torch`", "torch-network"),
            speed("`accurate --torch`", "torch-third"),
            speed("`network --teacher`", "taught-network"),
            speed("`accurate --teacher`", "taught-third"),
        ),
    ),
}
"""By the names of their markers."""


def measure(treebank: str, column: str, commit: str) -> Cell:
    """Trains and parses; minutes of processor time."""
    from corpus import Corpus
    from experiment import train_and_measure
    from headwise.training import TrainingSettings
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
