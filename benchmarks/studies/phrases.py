"""Phrase structure joined with dependencies and tags (Rush et al. 2010), on two treebanks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.engine import PHRASES, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.papers.phrases import AS_PUBLISHED, JOINED
from benchmarks.papers.rush_2010 import (
    COLUMNS,
    PAPERS_FIGURE_5,
    PAPERS_TABLE_1,
    PAPERS_TABLE_2,
    PAPERS_TABLE_3,
)

TREEBANKS = ("gum", "icepahc")
PENN = "paper (Penn)"
OTHERS = {"dependencies": "with_dependencies", "tags": "with_tags"}


def tasks(scale: Scale) -> dict[str, Task]:
    sizes = {"trees": 1500, "measured": 80, "tuned": 0, "figure": 40}
    if not scale.is_full:
        sizes = {"trees": 300, "measured": 20, "tuned": 0, "figure": 10}
    return {
        treebank: Task("papers.phrases:joined", depends=PHRASES, treebank=treebank, spread=True, **sizes)
        for treebank in TREEBANKS
    }


def system_rows(which: str, measure: str, papers: Any, found: Found) -> list[Row]:
    rows = []
    for treebank in found:
        for name, one in found[treebank][which].items():
            row = {"Treebank": treebank, "System": name, "F1": shown(100 * one["f1"]) if "f1" in one else ""}
            row[measure] = shown(100 * one[measure.lower()])
            proved = 100 * sum(one["exact"]) / len(one["exact"]) if one["exact"] else None
            row |= {"proved, %": shown(proved), "sentences/s": shown(one["sentences_a_second"], 1)}
            rows.append(row)
    for name, brackets, uas, tags in papers:
        paper = uas if measure == "UAS" else tags
        rows.append({"Treebank": PENN, "System": name, "F1": str(brackets[2]), measure: str(paper or "")})
    return rows


def iteration_row(treebank: str, other: str, system: str, shares: list[float]) -> Row:
    names = [f"{a}" if a == b else f"{a}–{b}" for a, b in COLUMNS]
    figures = zip([*names, "more", "no proof"], (f"{share:.1f}" for share in shares), strict=True)
    return {"Treebank": treebank, "With": other, "System": system, **dict(figures)}


def shares(one: Result) -> list[float]:
    """Of each column, of more iterations than these, and without a proof, in per cent."""
    pairs = list(zip(one["iterations"], one["exact"], strict=True))
    found = [sum(exact and a <= n <= b for n, exact in pairs) for a, b in COLUMNS]
    found += [sum(exact and n > COLUMNS[-1][1] for n, exact in pairs), sum(not exact for _, exact in pairs)]
    return [100 * count / len(pairs) for count in found]


def iteration_rows(found: Found) -> list[Row]:
    """Table 1."""
    rows = [
        iteration_row(treebank, other, system, shares(found[treebank][which][system]))
        for treebank in found
        for other, which in OTHERS.items()
        for system in (AS_PUBLISHED, JOINED)
    ]
    for other, of_paper in zip(OTHERS, PAPERS_TABLE_1.values(), strict=True):
        rows.append(iteration_row(PENN, other, AS_PUBLISHED, [*of_paper[:-1], 0.0, of_paper[-1]]))
    return rows


def figure_rows(found: Found) -> list[Row]:
    """Figure 5: at most K iterations, GUM."""
    return [figure_row(point) for point in found["gum"]["figure"]]


def figure_row(point: Mapping[str, float]) -> Row:
    most, dependencies = int(point["most"]), PAPERS_TABLE_1["Dep"]
    done = sum(share for (_, last), share in zip(COLUMNS, dependencies, strict=False) if last <= most)
    done = min(done, 100 - dependencies[-1])  # the columns are rounded
    return {
        "K": str(most),
        "F1": shown(point["f1"]),
        "proved, %": shown(point["proved"], 1),
        "the same as the last, %": shown(point["same"], 1),
        "paper: F1": str(PAPERS_FIGURE_5.get(most, "")),
        "paper: proved, %": shown(done, 1) if any(last == most for _, last in COLUMNS) else "",
    }


def gain_rows(found: Found) -> list[Row]:
    """The joined systems against Model 1 with given tags."""
    rows = []
    for treebank in found:
        for other in OTHERS:
            own = found[treebank]["against"][f"our {other}"]
            row = {"Treebank": treebank, "Joined with": other, "F1 gain": f"{own['difference']:+.2f}"}
            rows.append(row | {"p (permutations)": f"{own['p']:.4f}", "p (signs)": f"{own['signs']:.4f}"})
    return rows


STUDY = Study(
    "phrases",
    "What do phrase structure, dependencies and tags gain from each other?",
    tasks,
    {
        "phrases-dependencies": lambda found: system_rows("with_dependencies", "UAS", PAPERS_TABLE_2, found),
        "phrases-tagger": lambda found: system_rows("with_tags", "tags", PAPERS_TABLE_3, found),
        "phrases-iterations": iteration_rows,
        "phrases-figure": figure_rows,
        "phrases-gain": gain_rows,
    },
)
