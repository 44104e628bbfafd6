"""Koo's thesis (2010), chapter 5: third-order parsing (Tables 5.1 to 5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.engine import Found, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.training import counts
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece, all_of, at_least
from benchmarks.papers.training import train_task

TREEBANKS = ("UD_English-EWT", "CoNLLX_Danish", "CoNLLX_Swedish")
EVERY_HEAD = 1_000_000
"""As a limit of heads a word: none, so that the threshold alone prunes, as in the thesis."""

PRUNING: dict[str, dict[str, Any]] = {
    "0.0001": {"pruning__threshold": 1e-4, "pruning__heads": EVERY_HEAD},
    "0.001": {"pruning__threshold": 1e-3, "pruning__heads": EVERY_HEAD},
    "0.01": {"pruning__threshold": 1e-2, "pruning__heads": EVERY_HEAD},
    "preset third": {},
}

ORDERS: dict[str, dict[str, Any]] = {
    "First order": {"factorization": "arc"},
    "Siblings": {"factorization": "sibling"},
    "Model 0": {"factorization": "model0"},
    "Carreras (2007)": {"factorization": "carreras"},
    "Model 1": {"factorization": "model1"},
    "Model 1, no third-order features": {"factorization": "model1", "without": ("grand_sibling",)},
    "Model 2": {"factorization": "model2"},
    "Model 2, no third-order features": {
        "factorization": "model2",
        "without": ("grand_sibling", "tri_sibling"),
    },
    "Model 2, no grandchildren": {"factorization": "model2", "without": ("grandchild", "grand_sibling")},
}

TABLE_5_1 = {
    "0.0001": (26.5, 99.92, 93.49, 93.49, 49.6, 73.5),
    "0.001": (16.7, 99.72, 93.37, 93.29, 25.9, 24.2),
    "0.01": (9.1, 99.19, 93.26, 93.16, 6.7, 7.9),
}
TABLE_5_2 = {
    "First order": (90.9, 84.4),
    "Siblings": (91.5, 85.2),
    "Model 1": (93.04, 87.38),
    "Model 2": (92.93, 87.37),
}
TABLE_5_3 = {
    "Model 0": (93.07, 87.39),
    "Carreras (2007)": (93.14, 87.25),
    "Model 1": (93.49, 87.64),
    "Model 1, no third-order features": (93.17, 87.57),
    "Model 2": (93.49, 87.46),
    "Model 2, no third-order features": (93.20, 87.43),
    "Model 2, no grandchildren": (92.92, 86.76),
}
"""English and Czech."""
COMMON = {"learner": "perceptron", "trees": "projective", "roles": False}


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    for treebank in TREEBANKS[: scale.treebanks]:
        for model, changes in ORDERS.items():
            settings = {**COMMON, **changes, "without": list(changes.get("without", ()))}
            found[f"{model} {treebank}"] = train_task(scale, treebank, settings=settings, dev="held-out")
    for beam, limits in PRUNING.items():
        for model in ("model1", "model2"):
            settings = {**COMMON, "factorization": model, **limits}
            found[f"beam {beam} {model}"] = train_task(scale, TREEBANKS[0], settings=settings, dev="held-out")
    return found


def table_5_1(found: Found) -> Iterator[Piece]:
    """Table 5.1: how hard to prune."""
    rows = []
    losses = Comparison()
    for beam in PRUNING:
        one, two = (found[f"beam {beam} {model}"] for model in ("model1", "model2"))
        row = {
            "Beam": beam,
            "Heads a word": shown(one["pruning"]["heads"]),
            "Orac": shown(one["pruning"]["oracle"]),
        }
        row |= {f"Acc{i}": shown(percent(counts(r, part="dev"))) for i, r in ((1, one), (2, two))}
        row |= {f"Time{i}, s": shown(r["train_cpu_seconds"], 1) for i, r in ((1, one), (2, two))}
        paper = TABLE_5_1.get(beam)
        rows.append(row | {"thesis: Pass, Orac, Acc1, Acc2, min": " ".join(map(str, paper)) if paper else ""})
    for model in ("model1", "model2"):
        losses.add(*(counts(found[f"beam {beam} {model}"], part="dev") for beam in ("0.01", "0.0001")))
    yield PaperTable("table-5-1", f"Table 5.1: pruning, {TREEBANKS[0]}, dev", rows)
    oracle = found["beam 0.0001 model1"]["pruning"]["oracle"]
    slow, fast = (found[f"beam {beam} model1"]["train_cpu_seconds"] for beam in ("0.0001", "0.01"))
    yield Claim(
        "A beam of 0.0001 loses next to nothing; a tighter one is much faster and costs a little",
        all_of([at_least(oracle, 99), at_least(100 * slow / fast, 150)]),
        f"oracle {oracle:.2f}; training with 0.01 takes {fast / slow:.2f} of the time; 0.0001 gains {losses}",
    )


def table_5_2(found: Found) -> Iterator[Piece]:
    """Table 5.2: test sets."""
    rows = []
    treebanks = [t for t in TREEBANKS if f"Model 1 {t}" in found]
    for model in ("First order", "Siblings", "Carreras (2007)", "Model 1", "Model 2"):
        row = {"Parser": model}
        row |= {t.partition("_")[2]: shown(percent(counts(found[f"{model} {t}"]))) for t in treebanks}
        paper = TABLE_5_2.get(model, (92.02, 86.13) if model.startswith("Carreras") else None)
        rows.append(row | {"thesis: Eng, Cze": " ".join(map(str, paper)) if paper else ""})
    yield PaperTable("table-5-2", "Table 5.2: UAS on test", rows)
    steps = {}
    for before, after in (("First order", "Carreras (2007)"), ("Carreras (2007)", "Model 1")):
        steps[before, after] = Comparison()
        for t in treebanks:
            steps[before, after].add(counts(found[f"{before} {t}"]), counts(found[f"{after} {t}"]))
    yield Claim(
        "Third order is better than second, and second than first",
        all_of([compared.is_better() for compared in steps.values()]),
        "; ".join(f"{after} over {before} {compared}" for (before, after), compared in steps.items()),
    )


def table_5_3(found: Found) -> Iterator[Piece]:
    """Table 5.3: features left out."""
    treebanks = [t for t in TREEBANKS if f"Model 1 {t}" in found]
    rows = []
    for model, paper in TABLE_5_3.items():
        row = {"Parser": model}
        row |= {
            t.partition("_")[2]: shown(percent(counts(found[f"{model} {t}"], part="dev"))) for t in treebanks
        }
        rows.append(row | {"thesis: Eng, Cze": " ".join(map(str, paper))})
    yield PaperTable("table-5-3", "Table 5.3: UAS on dev, features left out", rows)
    third, grand = Comparison(), Comparison()
    for t in treebanks:
        for model in ("Model 1", "Model 2"):
            third.add(
                counts(found[f"{model}, no third-order features {t}"], part="dev"),
                counts(found[f"{model} {t}"], part="dev"),
            )
        grand.add(
            counts(found[f"Model 2, no grandchildren {t}"], part="dev"),
            counts(found[f"Model 2 {t}"], part="dev"),
        )
    yield Claim("Third-order features help", third.is_better(), f"with against without: {third}")
    yield Claim(
        "Grandchildren matter more: model 2 suffers noticeably without them",
        grand.is_better(),
        f"with against without: {grand}",
    )


PAPER = Paper(
    "thesis-5",
    "Koo (2010), thesis, chapter 5: third-order parsing",
    tasks,
    (table_5_1, table_5_2, table_5_3),
    "The thesis has English (Penn Treebank) and Czech. Averaged perceptron, projective trees.",
)
