"""Rush, Sontag, Collins and Jaakkola (2010): phrase structure joined with others (Tables 1–3, Figure 5)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.engine import Found, Line, Plot, Result, Scale, Task, shown
from benchmarks.measuring.attachment import shown_chance
from benchmarks.papers.page import LEVEL, Claim, Paper, PaperTable, Piece, Verdict, all_of, at_least
from benchmarks.papers.phrases import AS_PUBLISHED

PAPERS_TABLE_1 = {
    "Dep": (43.5, 20.1, 10.2, 4.9, 14.0, 5.7, 1.4, 0.4),
    "POS": (58.7, 15.4, 6.3, 3.6, 10.3, 3.8, 0.8, 1.1),
}
PAPERS_TABLE_2 = (
    ("Model 1", (88.4, 87.8, 88.1), 91.4, None),
    ("baseline", (89.9, 89.6, 89.7), 93.3, None),
    ("joined", (91.0, 90.4, 90.7), 93.8, None),
)
PAPERS_TABLE_3 = (("fixed tags", (88.1, 87.6, 87.9), None, 96.7), ("joined", (88.7, 88.0, 88.3), None, 97.1))
PAPERS_FIGURE_5 = {5: 90.63, 10: 90.69, 50: 90.7}
"""F1 by the number of iterations, where the text gives it."""
COLUMNS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 10), (11, 20), (21, 50))


def tasks(scale: Scale) -> dict[str, Task]:
    sizes = {"quick": (1500, 100, 0, 60), "full": (None, None, 200, 200)}[scale.name]
    names = ("trees", "measured", "tuned", "figure")
    return {"gum": Task("papers.phrases:joined", treebank="gum", **dict(zip(names, sizes, strict=True)))}


def table_1(found: Found) -> Iterator[Piece]:
    """Table 1: how many iterations."""
    ours = {
        "Dep": found["gum"]["with_dependencies"][AS_PUBLISHED],
        "POS": found["gum"]["with_tags"][AS_PUBLISHED],
    }
    rows = []
    within = []
    for name, one in ours.items():
        pairs = list(zip(one["iterations"], one["exact"], strict=True))
        row = {"Itn.": name}
        for first, last in COLUMNS:
            share = 100 * sum(exact and first <= n <= last for n, exact in pairs) / len(pairs)
            row[str(first) if first == last else f"{first}–{last}"] = shown(share, 1)
        row["**"] = shown(100 * sum(not exact for _, exact in pairs) / len(pairs), 1)
        paper = [*PAPERS_TABLE_1[name][:-1], PAPERS_TABLE_1[name][-1]]
        rows += [
            row,
            {"Itn.": f"paper: {name}", **dict(zip(list(row)[1:], (shown(v, 1) for v in paper), strict=True))},
        ]
        within.append(100 * sum(exact for _, exact in pairs) / len(pairs))
    yield PaperTable("table-1", "Table 1: sentences by the number of iterations (** not proved)", rows)
    yield Claim(
        "Over 99 % of sentences end with a proof within 50 iterations",
        all_of([at_least(share, 98) for share in within]),
        f"{within[0]:.1f} % with dependencies, {within[1]:.1f} % with tags",
    )


def _scores(title: str, rows: dict[str, Result], papers: tuple, last: str) -> PaperTable:
    table = []
    for name, one in rows.items():
        row = {"": name} | {
            key.upper(): shown(100 * one[key]) if key in one else "" for key in ("p", "r", "f1")
        }
        table.append(
            row | {"UAS": shown(100 * one["uas"]), "tags": shown(100 * one["tags"]) if "f1" in one else ""}
        )
    for name, brackets, uas, tags in papers:
        row = {
            "": f"paper: {name}",
            **dict(zip(("P", "R", "F1"), (shown(v, 1) for v in brackets), strict=True)),
        }
        table.append(row | {"UAS": shown(uas, 1), "tags": shown(tags, 1)})
    return PaperTable(last, title, table)


def _better(compared: Result) -> Verdict:
    if compared["difference"] > 0:
        return Verdict.holds if compared["p"] < LEVEL else Verdict.in_part
    return Verdict.does_not


def tables_2_and_3(found: Found) -> Iterator[Piece]:
    """Tables 2 and 3: joined with dependencies, and with tags."""
    result = found["gum"]
    against = result["against"]
    yield _scores("Table 2: with dependencies, GUM", result["with_dependencies"], PAPERS_TABLE_2, "table-2")
    yield Claim(
        "Joined with a dependency parser, Model 1 is better than alone, and than with its arcs fixed",
        all_of([_better(against["dependencies"]), _better(against["baseline"])]),
        "; ".join(
            f"against {name} {against[key]['difference']:+.2f} F1, p {shown_chance(against[key]['p'])}"
            for name, key in (("Model 1", "dependencies"), ("fixed arcs", "baseline"))
        ),
    )
    yield _scores("Table 3: with tags, GUM", result["with_tags"], PAPERS_TABLE_3, "table-3")
    yield Claim(
        "Joined with a tagger, Model 1 is better than with the tagger's tags fixed",
        _better(against["tags"]),
        f"{against['tags']['difference']:+.2f} F1, p {shown_chance(against['tags']['p'])}",
    )


def figure_5(found: Found) -> Iterator[Piece]:
    """Figure 5: by the number of iterations."""
    points = found["gum"]["figure"]
    names = {"f1": "F1", "proved": "proved", "same": "as at 50"}
    lines = [Line(label, [(one["most"], one[key]) for one in points]) for key, label in names.items()]
    lines.append(Line("paper: F1", sorted(PAPERS_FIGURE_5.items())))
    yield Plot("figure-5", "Figure 5: with at most K iterations", lines, "K", "%")
    few, many = (next(one["f1"] for one in points if one["most"] == k) for k in (10, 50))
    yield Claim(
        "Ten iterations are as accurate as fifty",
        Verdict.holds
        if abs(few - many) < 0.1
        else Verdict.in_part
        if abs(few - many) < 0.5
        else Verdict.does_not,
        f"F1 {few:.2f} and {many:.2f}",
    )


PAPER = Paper(
    "rush-2010",
    "Rush, Sontag, Collins and Jaakkola (2010): dual decomposition for natural language processing",
    tasks,
    (table_1, tables_2_and_3, figure_5),
    "The paper has the Penn Treebank; here is GUM, whose phrase structure is silver, not gold.",
)
