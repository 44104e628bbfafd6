"""Zhang, Lei, Barzilay, Jaakkola and Globerson (2014): steps to excellence (Tables 2, 3, Figures 7, 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.engine import Found, Line, Plot, Result, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.training import counts
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece, all_of
from benchmarks.papers.training import CONLLX, scaled, train_task
from headwise.components.whole_tree.config import FAMILIES
from headwise.evaluation import SentenceCounts

TABLE_2 = {
    "CoNLLX_Danish": (91.45, 91.80, 91.48, 90.50, 92.00, 90.88),
    "CoNLLX_Dutch": (85.83, 86.47, 86.19, 84.11, 86.19, 81.01),
    "CoNLLX_Portuguese": (91.82, 92.41, 92.69, 91.08, 93.03, 91.47),
    "CoNLLX_Swedish": (90.48, 90.71, 91.14, 89.05, 91.62, 90.53),
}
COLUMNS = ("Turbo Feat.", "Full Feat.", "Turbo", "MST 2nd-Ord.", "Best Published", "Reranker")
TABLE_3 = {"gold": ("", 90.27, "", 88.46), "predicted": (96.87, 88.81, 96.82, 86.95)} | {
    "corrected": (97.72, 90.08, 97.49, 88.38)
}
"""Tags and UAS on dev and test, CATiB."""
COLUMNS_3 = ("dev: tags", "dev: UAS", "test: tags", "test: UAS")
SAMPLED: dict[str, Any] = {
    "learner": "samplerank",
    "trees": "nonprojective",
    "factorization": "model1",
    "roles": False,
}
CONSTRAINTS = {"Both": "both", "Neighbor": "pairs", "Gold": "gold"}


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    for treebank in CONLLX[: scale.treebanks]:
        for name, constraints in CONSTRAINTS.items():
            settings = {**SAMPLED, "sampling__constraints": constraints}
            found[f"{name} {treebank}"] = train_task(
                scale, treebank, preset="third", settings=settings, decoders=["sample"]
            )
        full = {**SAMPLED, "whole_tree": {"families": list(FAMILIES), "learning": "joint"}}
        found[f"full {treebank}"] = train_task(
            scale, treebank, preset="third", settings=full, decoders=["climb"]
        )
        second = {"trees": "nonprojective", "factorization": "sibling", "roles": False}
        found[f"MST {treebank}"] = train_task(scale, treebank, preset="third", settings=second)
        found[f"dual {treebank}"] = train_task(
            scale, treebank, preset="third", settings={**second, "factorization": "model1"}
        )
        found[f"heard {treebank}"] = Task("papers.training:heard", treebank=treebank, **scaled(scale))
        found[f"reranker {treebank}"] = Task("papers.training:reranker", treebank=treebank, **scaled(scale))
        found[f"correction {treebank}"] = Task(
            "papers.joint_tagging:correction", treebank=treebank, **scaled(scale)
        )
        found[f"chains {treebank}"] = Task(
            "papers.searching:chains", treebank=treebank, factorization="model1", **scaled(scale)
        )
    return found


def measured(found: Found) -> list[str]:
    return [t for t in CONLLX if f"Both {t}" in found]


def name(treebank: str) -> str:
    return treebank.partition("_")[2]


def table_2(found: Found) -> Iterator[Piece]:
    """Table 2: SampleRank, and a reranker."""
    rows = []
    against_dual, against_reranker, whole, scores = (Comparison() for _ in range(4))
    for treebank in measured(found):
        own = {
            "Turbo Feat.": counts(found[f"Both {treebank}"], "sample"),
            "Full Feat.": counts(found[f"full {treebank}"], "climb"),
            "Turbo": counts(found[f"dual {treebank}"]),
            "MST 2nd-Ord.": counts(found[f"MST {treebank}"]),
            "Reranker": counts(found[f"reranker {treebank}"]),
            "with a parser's scores": counts(found[f"heard {treebank}"], "heard"),
        }
        scores.add(counts(found[f"heard {treebank}"], "alone"), own["with a parser's scores"])
        against_dual.add(own["Turbo"], own["Turbo Feat."])
        whole.add(own["Turbo Feat."], own["Full Feat."])
        against_reranker.add(own["Reranker"], own["Full Feat."])
        rows.append({"": name(treebank), **{column: shown(percent(one)) for column, one in own.items()}})
        rows.append({"": "paper", **dict(zip(COLUMNS, map(shown, TABLE_2[treebank]), strict=True))})
    yield PaperTable(
        "table-2",
        "Table 2: learning and decoding by sampling",
        rows,
        "Turbo stands for our MIRA with dual decomposition on the same parts, MST for siblings. The parser's "
        "scores are of siblings, weighted by held-out sentences, which the sampler is trained without.",
    )
    yield Claim(
        "Learning and searching by samples is as good as by dual decomposition",
        against_dual.is_alike() if against_dual.gain < 0 else against_dual.is_better(),
        f"samples against dual decomposition {against_dual}",
    )
    yield Claim("Features of whole trees help (0.4 points)", whole.is_better(), str(whole))
    yield Claim("Scores of another parser help a little (0.05 points)", scores.is_better(), str(scores))
    yield Claim(
        "The sampler beats a reranker (1.3 points)", against_reranker.is_better(), str(against_reranker)
    )


def table_3(found: Found) -> Iterator[Piece]:
    """Table 3: tags corrected while parsing."""
    rows = []
    better = {"tags": Comparison(), "uas": Comparison()}
    for treebank, result in found.named("correction ").items():
        for which in TABLE_3:
            own = [
                shown(percent(_counts(result, part, which, measure)))
                for part in ("dev", "test")
                for measure in better
            ]
            rows.append({"": f"{name(treebank)}, {which} tags", **dict(zip(COLUMNS_3, own, strict=True))})
        for measure, compared in better.items():
            compared.add(*(_counts(result, "test", which, measure) for which in ("predicted", "corrected")))
    for which, values in TABLE_3.items():
        paper = dict(zip(COLUMNS_3, map(str, values), strict=True))
        rows.append({"": f"paper: CATiB, {which} tags", **paper})
    yield PaperTable(
        "table-3",
        "Table 3: gold tags, predicted ones, and predicted ones that are corrected",
        rows,
        "Tags are XPOS; corrected ones are those that a log-linear model of tags and trees prefers.",
    )
    yield Claim(
        "Tags that are corrected while parsing are better (0.7 points), and so are trees (1.4 points)",
        all_of([compared.is_better() for compared in better.values()]),
        f"tags {better['tags']}; heads {better['uas']}",
    )


def _counts(result: Result, part: str, which: str, measure: str) -> SentenceCounts:
    return SentenceCounts(*map(np.array, result[part][which][measure]))


def figure_7(found: Found) -> Iterator[Piece]:
    """Figure 7: scores by speed."""
    lines = []
    for treebank, result in found.named("chains ").items():
        for proposal, label in (("gibbs", "Gibbs"), ("block", "Random walk")):
            points = [(one["tokens_a_second"], one["score"]) for one in result["chains"][proposal]]
            lines.append(Line(f"{name(treebank)}, {label}", sorted(map(tuple, points))))
    yield Plot(
        "figure-7",
        "Figure 7: score of the trees by speed",
        lines,
        "tokens a second (processor)",
        "share of the best score",
        logarithmic=True,
    )


def figure_8(found: Found) -> Iterator[Piece]:
    """Figure 8: kinds of constraints."""
    treebanks = measured(found)
    own = {which: [counts(found[f"{which} {t}"], "sample") for t in treebanks] for which in CONSTRAINTS}
    lines = [
        Line(which, [(float(place), percent(one)) for place, one in enumerate(results)])
        for which, results in own.items()
    ]
    yield Plot(
        "figure-8",
        "Figure 8: constraints in learning",
        lines,
        "",
        "UAS",
        groups=[name(treebank) for treebank in treebanks],
    )
    better = {which: Comparison(own[which], own["Both"]) for which in ("Neighbor", "Gold")}
    yield Claim(
        "Both kinds of constraints are better than either alone",
        all_of([one.is_better() for one in better.values()]),
        "; ".join(f"against {which} alone {one}" for which, one in better.items()),
    )
    pairs = Comparison(own["Gold"], own["Neighbor"])
    yield Claim("Pairs of samples matter more than the gold tree", pairs.is_better(), str(pairs))


PAPER = Paper(
    "zhang-2014-sampling",
    "Zhang, Lei, Barzilay, Jaakkola and Globerson (2014): steps to excellence",
    tasks,
    (table_2, table_3, figure_7, figure_8),
)
