"""What each preset brings and costs, on test sets of treebanks of many kinds: tables of README and docs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.engine import (
    PARSING,
    PYTORCH,
    Found,
    Line,
    NotMeasuredError,
    Plot,
    Result,
    Row,
    Scale,
    Study,
    Task,
)
from benchmarks.measuring.training import score, train_task

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
    "accurate": {"preset": "accurate"},
    "no-roles": {"preset": "third", "roles": False},
    "full-no-network": {"preset": "full", "network": False},
    "full": {"preset": "full"},
}
LARGE = ("UD_English-EWT", "CoNLLX_Danish-DDT", "CoNLLX_Dutch-Alpino")
TORCH: dict[str, dict[str, Any]] = {
    "torch-network": {"preset": "network", "torch": True},
    "torch-accurate": {"preset": "accurate", "torch": True},
}
TAUGHT = ("taught-network", "taught-accurate")
"""Two layers of 256, and teachers: docs/distillation.md has the recipe."""
TIMED = {name: COLUMNS[name] for name in ("first", "second", "third", "accurate")}
OTHERS = Path(__file__).parents[1] / "peers.json"


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    common: dict[str, Any] = {"dev": "own", "protocol": None, "parts": ["test"]}
    for treebank in TREEBANKS[: scale.treebanks]:
        for column, chosen in COLUMNS.items():
            settings = {"trees": "auto", "seed": 1, **{k: v for k, v in chosen.items() if k != "preset"}}
            if column in ("full", "full-no-network") and treebank not in CONLLX:
                continue
            preset = chosen["preset"]
            found[f"{treebank} {column}"] = train_task(scale, treebank, settings, preset=preset, **common)
        if scale.is_full:
            found[f"speed {treebank}"] = Task(
                "measuring.speed:first_passes", treebank=treebank, models=TIMED, depends=PARSING
            )
    for treebank in LARGE if scale.is_full else ():
        for column in (*TORCH, *TAUGHT):
            settings = {"trees": "auto", "seed": 1, "torch": True}
            preset = "network" if column.endswith("network") else "accurate"
            task = train_task(scale, treebank, settings, PYTORCH, "a GPU", preset=preset, **common)
            if column in TAUGHT:
                task = Task("studies.presets:taught", PYTORCH, "a GPU", **task.arguments)
            found[f"{treebank} {column}"] = task
    return found


def taught(**_: Any) -> Result:
    raise SystemExit("made by hand, as docs/distillation.md says: the committee takes a night")


def figure(found: Found, treebank: str, column: str, name: str) -> float | None:
    """UAS, LAS or seconds of training of a cell; older results have figures alone."""
    result = found.get(f"{treebank} {column}")
    if result is None:
        return None
    if "test" in result and name in ("uas", "las"):
        return score(result, measure=name)
    return result.get(name)


def speed_of(found: Found, treebank: str, column: str) -> float | None:
    """First passes; of parsers without a network what earlier programs measured will do."""
    passes = found.get(f"speed {treebank}") or {}
    if column in passes:
        return float(passes[column]["tokens_a_second"])
    return figure(found, treebank, column, "tokens_per_cpu_second")


Cell = Callable[[Found, str], str]
Average = Callable[[Found, tuple[str, ...]], str]
Column = tuple[Cell, Average]


def scores(column: str, *measures: str) -> Column:
    """UAS / LAS, or those that are named."""

    def average(found: Found, treebanks: tuple[str, ...]) -> str:
        cells = [[figure(found, t, column, m) for t in treebanks] for m in measures or ("uas", "las")]
        if any(value is None for cell in cells for value in cell):
            return ""
        return " / ".join(f"{fmean(cell):.2f}" for cell in cells)  # type: ignore[type-var]

    return lambda found, treebank: average(found, (treebank,)), average


def numbers(of: Callable[[Found, str], float | None], form: str) -> Column:
    def cell(found: Found, treebank: str) -> str:
        value = of(found, treebank)
        return "" if value is None else form.format(value)

    return cell, lambda found, treebanks: ""


def speed(column: str) -> Column:
    return numbers(lambda found, treebank: speed_of(found, treebank, column), "{:,.0f}")


def training(column: str) -> Column:
    return numbers(lambda found, treebank: figure(found, treebank, column, "train_cpu_seconds"), "{:,.0f} s")


def published(*of_conllx: float) -> Column:
    figures = dict(zip(CONLLX, of_conllx, strict=True))
    return (
        lambda found, treebank: f"{figures[treebank]:.2f}",
        lambda found, treebanks: f"{fmean(figures[t] for t in treebanks):.2f}",
    )


def table(treebanks: tuple[str, ...], columns: dict[str, Column]) -> Callable[[Found], list[Row]]:
    """Treebanks by columns, with the averages below; what was not measured is left empty."""

    def rows(found: Found) -> list[Row]:
        made = [
            {"treebank": f"{treebank} (crossing)" if treebank in CROSSING else treebank}
            | {name: cell(found, treebank) for name, (cell, _) in columns.items()}
            for treebank in treebanks
        ]
        if not found.used:
            raise NotMeasuredError
        averages = {name: average(found, treebanks) for name, (_, average) in columns.items()}
        return [*made, {"treebank": f"average of {len(treebanks)}", **averages}]

    return rows


TABLES = {
    "presets": table(
        TREEBANKS,
        {
            "`first` UAS / LAS": scores("first"),
            "`fast` (second)": scores("second"),
            "`third`": scores("third"),
            "`accurate`": scores("accurate"),
            "tokens/s: `first`": speed("first"),
            "`fast`": speed("second"),
            "`third` ": speed("third"),
            "`accurate` ": speed("accurate"),
        },
    ),
    "network": table(
        TREEBANKS,
        {
            "`third`": scores("third"),
            "`accurate`": scores("accurate"),
            "train": training("accurate"),
            "tokens/s": speed("accurate"),
        },
    ),
    "roles": table(TREEBANKS, {"`third`": scores("third"), "… without roles": scores("no-roles")}),
    "whole-tree-presets": table(
        CONLLX,
        {
            "`third`": scores("third", "uas"),
            "`accurate`": scores("accurate", "uas"),
            "`full` without network": scores("full-no-network", "uas"),
            "`full`": scores("full", "uas"),
            "randomized greedy, full": published(91.86, 91.08, 92.36, 87.39),
            "best then": published(92.00, 91.62, 93.03, 86.47),
            "processor time to train `full`": training("full"),
            "tokens/s": speed("full"),
        },
    ),
    "torch-training": table(
        LARGE,
        {
            "`third`": scores("third"),
            "`accurate`": scores("accurate"),
            "`network --torch`": scores("torch-network"),
            "`accurate --torch`": scores("torch-accurate"),
            "`network --teacher`": scores("taught-network"),
            "`accurate --teacher`": scores("taught-accurate"),
            "tokens/s: `network --torch`": speed("torch-network"),
            "`accurate --torch` ": speed("torch-accurate"),
            "`network --teacher` ": speed("taught-network"),
            "`accurate --teacher` ": speed("taught-accurate"),
        },
    ),
}
SHOWN = {"first": "first", "second": "fast", "third": "third", "accurate": "accurate"} | {
    "torch-network": "network --torch",
    "torch-accurate": "accurate --torch",
    "taught-network": "network --teacher",
    "taught-accurate": "accurate --teacher",
}


def picture(found: Found) -> Plot:
    """Accuracy against speed, beside other parsers, whose figures are in peers.json."""
    treebank = TREEBANKS[0]
    ours = {
        name: (speed_of(found, treebank, column), figure(found, treebank, column, "las"))
        for column, name in SHOWN.items()
    }
    known = {name: point for name, point in ours.items() if None not in point}
    if not known:
        raise NotMeasuredError
    peers = json.loads(OTHERS.read_text(encoding="utf-8"))["peers"]
    others = {peer["name"]: (peer["tokens_per_second"], peer["las"]) for peer in peers}
    return Plot(
        "presets-EWT",
        "English EWT, gold tags: accuracy against speed",
        [
            Line("Headwise", list(known.values()), list(known)),
            Line("others", list(others.values()), list(others)),
        ],
        "tokens a second, one core",
        "LAS",
        logarithmic=True,
    )


STUDY = Study(
    "presets",
    "What does each preset cost, and what does it bring?",
    tasks,
    TABLES,
    {"presets-EWT.svg": picture},
    padded=False,
)
