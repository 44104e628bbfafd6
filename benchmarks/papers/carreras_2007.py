"""Carreras (2007): second-order projective parsing (Tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.engine import Found, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.training import counts
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece, all_of
from benchmarks.papers.training import train_task
from headwise.components.scoring.templates import TemplateTable

TABLE_2_TREEBANKS = ("UD_English-EWT", "CoNLLX_Danish", "CoNLLX_Portuguese")
"""The paper has Catalan, Czech and English."""
OUTER = {"grandchild": tuple(f"{line} @outer" for line in TemplateTable.built_in("grandchild").lines)}
"""Features of cmo alone."""
MODELS: dict[str, dict[str, Any]] = {
    "First-Order, no averaging": {"factorization": "arc", "averaged": False},
    "First-Order": {"factorization": "arc"},
    "Higher-Order, ch": {"factorization": "sibling"},
    "Higher-Order, ch cmo": {"factorization": "carreras", "templates": OUTER},
    "Higher-Order, cmi cmo": {"factorization": "carreras", "without": ["sibling"]},
    "Higher-Order, ch cmi cmo": {"factorization": "carreras"},
}
TABLE_2 = {
    "First-Order, no averaging": (82.07, 68.98, 83.75),
    "First-Order": (86.15, 75.96, 87.54),
    "Higher-Order, ch": (87.50, 77.15, 88.70),
    "Higher-Order, ch cmo": (87.68, 77.62, 89.28),
    "Higher-Order, ch cmi cmo": (88.04, 78.09, 89.59),
}
"""Catalan, Czech, English: labelled, on held-out words."""
ORDER = (*list(TABLE_2)[:3], "Higher-Order, cmi cmo", *list(TABLE_2)[3:])
TABLE_3 = {
    "Basque": (33.15, 81.08, 75.73),
    "Chinese": (1461.66, 86.20, 80.86),
    "English": (15.57, 90.63, 89.61),
    "Greek": (8.10, 81.37, 73.56),
    "Turkish": (116.55, 82.41, 75.85),
}
"""Sentences a minute in training; UAS, LAS."""
TABLE_3_TREEBANKS = {
    "Basque": "UD_Basque",
    "Greek": "UD_Greek",
    "Turkish": "UD_Turkish",
    "English": "UD_English-EWT",
    "Chinese": "UD_Chinese",
}
COMMON = {"learner": "perceptron", "trees": "projective", "labels": "separate", "roles": False}


def tasks(scale: Scale) -> dict[str, Task]:
    found = {
        f"{model} {treebank}": train_task(scale, treebank, settings={**COMMON, **changes}, dev="held-out")
        for treebank in TABLE_2_TREEBANKS[: scale.treebanks]
        for model, changes in MODELS.items()
    }
    whole = {**COMMON, "factorization": "carreras"}
    for language in list(TABLE_3_TREEBANKS)[: scale.treebanks + 1]:
        found[f"all {language}"] = train_task(scale, TABLE_3_TREEBANKS[language], settings=whole)
    return found


def table_2(found: Found) -> Iterator[Piece]:
    """Table 2: orders of factorization."""
    treebanks = [t for t in TABLE_2_TREEBANKS if f"First-Order {t}" in found]
    rows = []
    for model in sorted({*MODELS, *TABLE_2}, key=ORDER.index):
        row = {"": model}
        for treebank in treebanks:
            if f"{model} {treebank}" in found:
                own = counts(found[f"{model} {treebank}"], part="dev", measure="las")
                row[treebank.partition("_")[2]] = shown(percent(own))
        paper = TABLE_2.get(model)
        row["paper: Catalan, Czech, English"] = " ".join(map(shown, paper)) if paper else ""
        rows.append(row)
    yield PaperTable(
        "table-2",
        "Table 2: labelled accuracy on held-out words, by factorization (averaged perceptron)",
        rows,
        "Labels are found over the finished tree, not in the search as in the paper.",
    )
    steps = {
        ("First-Order, no averaging", "First-Order"): Comparison(),
        ("First-Order", "Higher-Order, ch"): Comparison(),
        ("Higher-Order, ch", "Higher-Order, ch cmo"): Comparison(),
        ("Higher-Order, ch cmo", "Higher-Order, ch cmi cmo"): Comparison(),
    }
    for (before, after), compared in steps.items():
        for treebank in treebanks:
            compared.add(
                *(counts(found[f"{m} {treebank}"], part="dev", measure="las") for m in (before, after))
            )
    yield Claim(
        "Accuracy rises with richer factors, and with averaging",
        all_of([compared.is_better() for compared in steps.values()]),
        "; ".join(f"{after} over {before} {compared}" for (before, after), compared in steps.items()),
    )


def table_3(found: Found) -> Iterator[Piece]:
    """Table 3: ten languages, of which five have an open treebank."""
    rows = []
    for language, paper in TABLE_3.items():
        if f"all {language}" not in found:
            continue
        result = found[f"all {language}"]
        rows.append(
            {
                "": f"{language} (UD)",
                "training sent./min.": f"{60 * _passes(result) / result['train_cpu_seconds']:,.0f}",
                "UAS": shown(percent(counts(result))),
                "LAS": shown(percent(counts(result, measure="las"))),
                "paper: sent./min., UAS, LAS": " ".join(map(str, paper)),
            }
        )
    yield PaperTable(
        "table-3", "Table 3: the full model (UD treebanks; other annotation than the paper's)", rows
    )


def _passes(result: dict[str, Any]) -> float:
    return float(result["train_sentences"] * result["passes"])


PAPER = Paper("carreras-2007", "Carreras (2007): a higher-order projective parser", tasks, (table_2, table_3))
