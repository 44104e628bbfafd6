"""Zhang, Lei, Barzilay and Jaakkola (2014): greed is good if randomized (Tables 1–6, Figures 4–6)."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.engine import Found, Line, Plot, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.crossing import MOST_OPTIMA, SHORT
from benchmarks.measuring.training import counts
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece, Verdict, all_of, at_least
from benchmarks.papers.training import CONLLX, scaled, train_task
from headwise.components.whole_tree.config import FAMILIES
from headwise.evaluation import SentenceCounts

TABLE_1 = {"Slovene": (83.7, 84.2), "Arabic": (79.0, 79.2), "Japanese": (93.4, 93.7), "English": (91.6, 91.9)}
TABLE_2 = {
    "Turkish": (12.1, "1", "1", "2", 100, 100),
    "Slovene": (15.9, "2", "20", "3647", 100, 98.1),
    "English": (24.0, "21", "121", "2443", 100, 99.3),
    "Arabic": (36.8, "2", "35", "> 10000", 100, 99.1),
}
TABLE_3 = {
    "trained with HC": {
        "Turkish": (98.7, 0.0, 99.8, 0.2),
        "Slovene": (94.5, 0.0, 98.7, 1.3),
        "English": (94.5, 0.3, 98.7, 1.0),
        "Arabic": (78.8, 3.4, 93.9, 2.7),
    },
    "trained with DD": {
        "Turkish": (98.7, 0.0, 100.0, 0.0),
        "Slovene": (92.3, 0.2, 99.0, 0.8),
        "English": (94.6, 0.5, 98.7, 0.8),
        "Arabic": (75.3, 4.7, 88.4, 6.9),
    },
}
"""Certificates; dual better, equal, climbing better."""
TABLE_4 = {
    "CoNLLX_Danish": (90.50, 91.43, 91.66, 91.86, 90.56, 91.48, 91.80, 92.00),
    "CoNLLX_Dutch": (84.49, 86.43, 87.04, 87.39, 84.79, 86.19, 86.47, 86.47),
    "CoNLLX_Portuguese": (91.12, 92.07, 92.60, 92.36, 91.16, 92.69, 92.41, 93.03),
    "CoNLLX_Swedish": (89.89, 91.17, 91.35, 91.08, 89.78, 91.14, 90.71, 91.62),
}
COLUMNS_4 = ("1st", "3rd", "Full w/o tensor", "Full", "Exact 1st", "Turbo", "Sampling", "Best published")
TABLE_5 = {"MAP-1st": (85.4, 78.4), "Uniform": (88.0, 25.9), "Rnd-1st": (88.1, 44.5)}
"""UAS and that of the first trees, on average over five languages."""
TABLE_6 = {"Slovene": (100, 98.11), "English": (100, 99.12)}
CLIMBED = ("CoNLLX_Dutch", "CoNLLX_Danish", "UD_Turkish", "UD_English-EWT")

COMMON: dict[str, Any] = {"trees": "nonprojective"}
MODELS: dict[str, tuple[str, dict[str, Any], str]] = {
    "Exact 1st": ("first", {}, "map"),
    "3rd": ("third", {"roles": False, "factorization": "model2"}, "climb"),
    "Full w/o tensor": (
        "third",
        {
            "roles": False,
            "factorization": "model2",
            "whole_tree": {"families": list(FAMILIES), "fold_epochs": 3},
        },
        "climb",
    ),
    "Full": (
        "third",
        {
            "roles": False,
            "factorization": "model2",
            "whole_tree": {"families": list(FAMILIES), "fold_epochs": 3},
            "tensor": {"rank": 50},
        },
        "climb",
    ),
}


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    for treebank in CLIMBED[: scale.treebanks + 1]:
        found[f"optima {treebank}"] = Task("papers.searching:optima", treebank=treebank, **scaled(scale))
    for treebank in CONLLX[: scale.treebanks]:
        found[f"independent {treebank}"] = Task(
            "papers.training:independent", treebank=treebank, **scaled(scale)
        )
    for treebank in CLIMBED[: scale.treebanks]:
        found[f"climbs {treebank}"] = Task(
            "papers.searching:climbs", treebank=treebank, factorization="model1", **scaled(scale)
        )
        found[f"trained by climbing {treebank}"] = Task(
            "papers.searching:climbing_trained", treebank=treebank, factorization="model1", **scaled(scale)
        )
    for name, (preset, settings, decoder) in MODELS.items():
        for treebank in CONLLX[: scale.treebanks]:
            changes = {**COMMON, **settings}
            other = {} if decoder == "map" else {"preset": preset, "decoders": [decoder]}
            found[f"{name} {treebank}"] = train_task(scale, treebank, settings=changes, **other)
    return found


def table_1(found: Found) -> Iterator[Piece]:
    """Table 1: heads chosen one by one, and trees."""
    rows = []
    compared = Comparison()
    for treebank in CONLLX:
        if f"independent {treebank}" not in found:
            continue
        alone = SentenceCounts(*map(np.array, found[f"independent {treebank}"]["uas"]))
        tree = counts(found[f"Exact 1st {treebank}"])
        compared.add(alone, tree)
        rows.append(
            {"": name(treebank), "Indp. Pred": shown(percent(alone)), "Tree Pred": shown(percent(tree))}
        )
    for language, (alone_paper, tree_paper) in TABLE_1.items():
        rows.append({"": f"paper: {language}", "Indp. Pred": str(alone_paper), "Tree Pred": str(tree_paper)})
    yield PaperTable(
        "table-1", "Table 1: each head by itself, and trees; first order, each trained for its own", rows
    )
    yield Claim(
        "Choosing each head by itself is nearly as good as finding trees (0.4 points)",
        Verdict.holds if compared.gain < 1 else Verdict.in_part if compared.gain < 2 else Verdict.does_not,
        f"trees are better by {compared}",
    )


def name(treebank: str) -> str:
    return treebank.partition("_")[2]


def table_2(found: Found) -> Iterator[Piece]:
    """Table 2: local optima."""
    rows = []
    reached: list[float] = []
    short: list[float] = []
    for treebank, result in found.named("optima ").items():
        rows.append({"": name(treebank), **described_optima(result)})
        reached += result["reached"]
        short += [own for own, n in zip(result["reached"], result["lengths"], strict=True) if n <= 15]
    for language, values in TABLE_2.items():
        rows.append({"": f"paper: {language}", **dict(zip(list(rows[0])[1:], map(str, values), strict=True))})
    yield PaperTable("table-2", "Table 2: local optima of first order, 300 uniform starts", rows)
    yield Claim(
        "Local optima are few; climbing finds the best tree of short sentences always, of long ones nearly",
        all_of([at_least(100 * fmean(short), 99.5), at_least(100 * fmean(reached), 98)]),
        f"{100 * fmean(short):.1f} % of sentences up to 15 words, {100 * fmean(reached):.1f} % of all",
    )


def described_optima(found: dict[str, list[float]]) -> dict[str, str]:
    at = {share: int(np.percentile(found["optima"], share, method="lower")) for share in (50, 70, 90)}
    is_short = np.array(found["lengths"]) <= SHORT
    reached = np.array(found["reached"])
    return {
        "Average length": f"{np.mean(found['lengths']):.1f}",
        **{f"Local optima, {share} %": f"{n if n < MOST_OPTIMA else f'≥ {n}'}" for share, n in at.items()},
        f"Best found, ≤ {SHORT} words": shown(100 * float(np.mean(reached[is_short]))),
        f"> {SHORT} words": shown(100 * float(np.mean(reached[~is_short]))),
    }


def table_3(found: Found) -> Iterator[Piece]:
    """Table 3: climbing and dual decomposition."""
    halves = {
        "trained with HC": {
            treebank: (result, result["climbed"])
            for treebank, result in found.named("trained by climbing ").items()
        },
        "trained with DD": {
            treebank: (result, result["starts"]["Rnd-1st"]["scores"])
            for treebank, result in found.named("climbs ").items()
        },
    }
    rows = []
    shares = []
    certified_reached: list[bool] = []
    for half, results in halves.items():
        for treebank, (result, climbed) in results.items():
            difference = np.array(climbed) - np.array(result["dual"])
            certified = np.array(result["certified"])
            certified_reached += (difference[certified] > -result["same"]).tolist()
            own = [100 * float(np.mean(certified))]
            own += [100 * float(np.mean(difference < -result["same"]))]
            own += [100 * float(np.mean(abs(difference) <= result["same"]))]
            own += [100 * float(np.mean(difference > result["same"]))]
            shares.append(own)
            rows.append(_row_3(f"{name(treebank)}, {half}", own))
        rows += [_row_3(f"paper: {language}", list(values)) for language, values in TABLE_3[half].items()]
    yield PaperTable("table-3", "Table 3: climbing (HC) and dual decomposition (DD)", rows)
    equal = fmean(own[2] for own in shares)
    yield Claim(
        "Climbing finds a tree of the same score as dual decomposition on 97.8 % of sentences",
        at_least(equal, 95),
        f"{equal:.1f} % here; {100 * fmean(certified_reached):.1f} % of certified ones reach the optimum"
        " (99 % in the paper)",
    )


def _row_3(label: str, values: list[float]) -> dict[str, str]:
    columns = ("%Cert (DD)", "DD better", "equal", "HC better")
    return {"": label, **{c: shown(v, 1) for c, v in zip(columns, values, strict=True)}}


def table_4(found: Found) -> Iterator[Piece]:
    """Table 4 and Figure 4: features of higher order and of whole trees."""
    treebanks = [t for t in CONLLX if f"Full {t}" in found]
    own = {
        (model, t): counts(found[f"{model} {t}"], decoder)
        for t in treebanks
        for model, (_, _, decoder) in MODELS.items()
    }
    rows = []
    for treebank in treebanks:
        rows.append({"": name(treebank)} | {m: shown(percent(own[m, treebank])) for m in MODELS})
        rows.append({"": "paper"} | dict(zip(COLUMNS_4, map(shown, TABLE_4[treebank]), strict=True)))
    yield PaperTable(
        "table-4", "Table 4: orders, features of whole trees, a tensor; decoded by climbing", rows
    )
    for before, after, text in (
        ("Exact 1st", "3rd", "Third-order features improve on first order (1.3 points)"),
        ("3rd", "Full w/o tensor", "Features of whole trees improve on third order (0.1 points)"),
        ("Full w/o tensor", "Full", "A tensor improves the full model (0.2 points)"),
    ):
        compared = Comparison([own[before, t] for t in treebanks], [own[after, t] for t in treebanks])
        yield Claim(text, compared.is_better(), str(compared))
    lines = []
    for label, is_chosen in (("≤ 15 words", lambda n: n <= 15), ("> 15 words", lambda n: n > 15)):
        points = []
        for place, treebank in enumerate(treebanks):
            lengths = np.array(found[f"Full {treebank}"]["test"]["climb"]["lengths"])
            gain = percent(of(own["Full", treebank], is_chosen(lengths))) - percent(
                of(own["Exact 1st", treebank], is_chosen(lengths))
            )
            points.append((float(place), gain))
        lines.append(Line(label, points))
    yield Plot(
        "figure-4",
        "Figure 4: gain of the full model over first order",
        lines,
        "",
        "UAS points",
        groups=[name(t) for t in treebanks],
    )


def of(own: SentenceCounts, chosen: np.ndarray) -> SentenceCounts:
    return SentenceCounts(own.correct[chosen], own.gold[chosen], own.system[chosen])


def table_5(found: Found) -> Iterator[Piece]:
    """Table 5: where climbs start."""
    results = found.named("climbs ")
    rows = []
    for treebank, result in results.items():
        row = {"": name(treebank)}
        for start, climbed in result["starts"].items():
            row |= {f"{start} UAS": shown(percent(_counts(climbed["uas"])))}
            if "init" in climbed:
                row |= {f"{start} Init.": shown(percent(_counts(climbed["init"])))}
        rows.append(row)
    paper = {}
    for start, (final, initial) in TABLE_5.items():
        paper |= {f"{start} UAS": str(final), f"{start} Init.": str(initial)}
    rows.append({"": "paper: average of five", **paper})
    yield PaperTable("table-5", "Table 5: starts of climbs (one model, three searches)", rows)
    one = Comparison()
    alike = Comparison()
    for result in results.values():
        final = {start: _counts(climbed["uas"]) for start, climbed in result["starts"].items()}
        one.add(final["MAP-1st"], final["Rnd-1st"])
        alike.add(final["Uniform"], final["Rnd-1st"])
    yield Claim(
        "A single climb from the best first-order tree lags behind restarts", one.is_better(), str(one)
    )
    yield Claim("Uniform and first-order starts end alike", alike.is_alike(), str(alike))


def _counts(lists: list[list[int]]) -> SentenceCounts:
    return SentenceCounts(*map(np.array, lists))


def figures_5_and_6(found: Found) -> Iterator[Piece]:
    """Table 6, Figures 5 and 6: the number of restarts."""
    results = found.named("climbs ")
    rows, lines, trade = [], [], []
    share_short: list[bool] = []
    share_long: list[bool] = []
    for treebank, result in results.items():
        lengths, at = np.array(result["lengths"]), np.array(result["long"]["found_at"])
        is_short = lengths <= result["short"]
        early = at <= 300
        share_short += early[is_short].tolist()
        share_long += early[~is_short].tolist()
        rows.append(
            {
                "": name(treebank),
                "Length ≤ 15": shown(100 * float(np.mean(early[is_short]))),
                "Length > 15": shown(100 * float(np.mean(early[~is_short]))),
            }
        )
        best = np.maximum(np.array(result["long"]["scores"]), np.array(result["best"]))
        for label, chosen in (("≤ 15", is_short), ("> 15", ~is_short)):
            points = [
                (float(count), float(np.mean(np.array(own["scores"])[chosen] / best[chosen])))
                for count, own in result["restarts"].items()
            ]
            lines.append(Line(f"{name(treebank)}, {label} words", points))
        trade.append(
            Line(
                name(treebank),
                [
                    (1000 * own["seconds_a_token"], percent(_counts(own["uas"])))
                    for own in result["restarts"].values()
                ],
            )
        )
    for language, values in TABLE_6.items():
        rows.append({"": f"paper: {language}", "Length ≤ 15": str(values[0]), "Length > 15": str(values[1])})
    yield PaperTable(
        "table-6", "Table 6: best tree of 1,000 restarts found within 300 (paper: of 3,000)", rows
    )
    yield Plot(
        "figure-5",
        "Figure 5: score by restarts",
        lines,
        "restarts",
        "share of the best score",
        logarithmic=True,
    )
    yield Plot(
        "figure-6", "Figure 6: accuracy by time", trade, "ms a token (processor)", "UAS", logarithmic=True
    )
    yield Claim(
        "300 restarts are enough: for all short sentences, and 98 % of long ones",
        all_of([at_least(100 * fmean(share_short), 99.5), at_least(100 * fmean(share_long), 98)]),
        f"{100 * fmean(share_short):.1f} % and {100 * fmean(share_long):.1f} %",
    )


PAPER = Paper(
    "zhang-2014-greedy",
    "Zhang, Lei, Barzilay and Jaakkola (2014): greed is good if randomized",
    tasks,
    (table_1, table_2, table_3, table_4, table_5, figures_5_and_6),
)
