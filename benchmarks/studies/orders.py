"""What larger parts, pruning, labels in the search, positions and more training data are worth.

The shapes of Koo (2010), Tables 5.1 and 5.3, and Carreras (2007), Table 2, on development sets, on which the
best epoch was chosen as well; of variants the last epoch is kept. No parser guesses roles in the first, so
that parts are compared with parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from benchmarks.engine import Found, Line, NotMeasuredError, Plot, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.training import counts, score, train_task
from benchmarks.papers.thesis_5 import ORDERS, PRUNING
from headwise.evaluation import permutation_test
from headwise.training.settings import EXPERIMENTS

TREEBANKS = {"french": "UD_French-Sequoia", "greek": "UD_Greek-GDT"}
CARRERAS: dict[str, dict[str, Any]] = {
    "First order": {"factorization": "arc"},
    "Siblings only": {"factorization": "sibling"},
    "Grandchildren only": {"factorization": "carreras", "without": ["sibling"]},
    "Both": {"factorization": "carreras"},
}
"""Table 2: siblings are its ``ch``, grandchildren its ``cmi`` and ``cmo``."""
CURVE = ("first", "second", "third")
SIZES = (400, 1000, 2000, 4000, 8000, None)
ON_DEV: dict[str, Any] = {"dev": "held-out", "parts": ["dev"], "protocol": None}
VARIANTS = ("UD_English-EWT", "UD_Greek-GDT", "UD_Chinese-GSD")
SENTENCES = 1500
Changes = dict[str, Any]
LABELS: dict[str, tuple[Changes, str | None]] = {
    f"{preset}, {where}": ({"preset": preset, "labels": labels}, base and f"{preset}, {base}")
    for preset in CURVE
    for labels, where, base in (
        ("separate", "after the tree", None),
        ("joint", "in the search", "after the tree"),
    )
}
PARTS: dict[str, tuple[Changes, str | None]] = {
    "Model 1": ({"factorization": "model1"}, None),
    "Model 2": ({"factorization": "model2"}, "Model 1"),
    "Grand-tri-siblings": ({"factorization": "grand_tri_sibling"}, "Model 1"),
    "Great-grand-siblings": ({"factorization": "great_grand_sibling"}, "Model 1"),
}
POSITIONS: dict[str, tuple[Changes, str | None]] = {
    f"{preset}, {'with' if positions else 'without'} positions": (
        {"preset": preset, "positions": positions},
        f"{preset}, without positions" if positions else None,
    )
    for preset in ("second", "third")
    for positions in (False, True)
}
"""By name: settings, and the row that each is compared with."""


def order_task(scale: Scale, treebank: str, changes: Mapping[str, Any], size: int | None = None) -> Task:
    settings = {"roles": False, **{k: list(v) if isinstance(v, tuple) else v for k, v in changes.items()}}
    own = {"sentences": size or scale.sentences, "epochs": scale.epochs or 10, **ON_DEV}
    # What is not said is as in the second order.
    return train_task(scale, treebank, {"trees": "auto", **settings}, preset="second", **own)


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    for treebank in list(TREEBANKS.values())[: scale.treebanks]:
        for name, changes in {**ORDERS, **CARRERAS}.items():
            found[f"{treebank} {name}"] = order_task(scale, treebank, changes)
        for name, limits in PRUNING.items():
            for n in (1, 2):
                found[f"{treebank} {name}, model {n}"] = order_task(
                    scale, treebank, {"factorization": f"model{n}", **limits}
                )
        for size in SIZES if scale.is_full else (None,):
            for order in CURVE:
                changes = {**EXPERIMENTS[order], "roles": False}
                found[f"{treebank} {size or 'all'} {order}"] = order_task(scale, treebank, changes, size)
    return found


def pruning_rows(treebank: str, found: Found) -> list[Row]:
    """Koo (2010), Table 5.1; what survives is counted on dev, as the oracle is."""
    rows = []
    for name in PRUNING:
        models = {n: found[f"{treebank} {name}, model {n}"] for n in (1, 2)}
        row = {"Threshold": name, "Heads/word": shown(models[1]["pruning"]["heads"])}
        row["Oracle UAS"] = shown(models[1]["pruning"]["oracle"])
        row |= {f"UAS model {n}": shown(score(run, "dev")) for n, run in models.items()}
        row |= {f"Train CPU s, model {n}": shown(run["train_cpu_seconds"], 1) for n, run in models.items()}
        row |= {f"Tokens/CPU s, model {n}": speed(run) for n, run in models.items()}
        rows.append(row)
    return rows


def speed(run: Result) -> str:
    return shown(run["dev"]["map"]["tokens_a_second"], 0)


def parser_rows(treebank: str, names: Mapping[str, Any], found: Found) -> list[Row]:
    """Koo (2010), Table 5.3, and Carreras (2007), Table 2."""
    rows = []
    for name in names:
        run = found[f"{treebank} {name}"]
        row = {
            "Parser": name,
            "UAS": shown(score(run, "dev")),
            "LAS": shown(score(run, "dev", measure="las")),
        }
        row |= {"Train CPU s": shown(run["train_cpu_seconds"], 1), "Tokens/CPU s": speed(run)}
        rows.append(row)
    return rows


def curve(treebank: str, found: Found) -> dict[int, dict[str, Result]]:
    """By sentences that there are, and by order."""
    sizes: dict[int, dict[str, Result]] = {}
    for size in SIZES:
        if f"{treebank} {size or 'all'} first" in found:
            runs = {order: found[f"{treebank} {size or 'all'} {order}"] for order in CURVE}
            sizes[runs["first"]["train_sentences"]] = runs
    return sizes


def curve_rows(treebank: str, found: Found) -> list[Row]:
    return [
        {"Sentences": f"{size:,}"}
        | {f"UAS {order}": shown(score(run, "dev")) for order, run in runs.items()}
        | {f"LAS {order}": shown(score(run, "dev", measure="las")) for order, run in runs.items()}
        for size, runs in curve(treebank, found).items()
    ]


def curve_plot(treebank: str, found: Found) -> Plot:
    runs = curve(treebank, found)
    lines = [
        Line(f"{order} order", [(n, score(own[order], "dev", measure="las")) for n, own in runs.items()])
        for order in CURVE
    ]
    title = f"{treebank}: accuracy by training size"
    return Plot("curve", title, lines, "training sentences", "LAS on dev", logarithmic=True)


TABLES: dict[str, Callable[[Found], list[Row]]] = {}
for language, name in TREEBANKS.items():
    TABLES |= {
        f"orders-{language}-pruning": partial(pruning_rows, name),
        f"orders-{language}-factorizations": partial(parser_rows, name, ORDERS),
        f"orders-{language}-second": partial(parser_rows, name, CARRERAS),
        f"orders-{language}-curve": partial(curve_rows, name),
    }
PLOTS = {f"orders-{name}-curve.svg": partial(curve_plot, name) for name in TREEBANKS.values()}
STUDY = Study("orders", "What are larger parts, pruning and more training data worth?", tasks, TABLES, PLOTS)


def variant_tasks(scale: Scale) -> dict[str, Task]:
    """Projective trees, MIRA, labels without rules, which are for labels over the finished tree alone."""
    found = {}
    for treebank in VARIANTS[: scale.treebanks]:
        for name, (changes, _) in {**LABELS, **PARTS, **POSITIONS}.items():
            if name in PARTS and treebank == "UD_Chinese-GSD":
                continue
            settings = {"trees": "projective", "rules": [], **changes}
            preset = settings.pop("preset", "third")
            own = {"sentences": scale.sentences or SENTENCES, "epochs": scale.epochs or 10, **ON_DEV}
            found[f"{treebank} {name}"] = train_task(
                scale, treebank, settings, preset=preset, judge=False, **own
            )
    return found


def variant_rows(variants: Mapping[str, tuple[Changes, str | None]], found: Found) -> list[Row]:
    """What each variant scores, how fast it is, and how far chance explains its difference from another."""
    rows = []
    for treebank in VARIANTS:
        for name, (_, base) in variants.items():
            if f"{treebank} {name}" not in found:
                continue
            run = found[f"{treebank} {name}"]
            row = {"Treebank": treebank, "": name}
            row |= {m.upper(): shown(score(run, "dev", measure=m)) for m in ("uas", "las")}
            for measure in ("uas", "las"):
                row[f"p ({measure.upper()})"] = ""
                if base is not None:
                    own = (counts(r, part="dev", measure=measure) for r in (found[f"{treebank} {base}"], run))
                    row[f"p ({measure.upper()})"] = f"{permutation_test(*own).p_value:.3f}"
            row |= {"Train CPU s": shown(run["train_cpu_seconds"], 0), "Words/CPU s": speed(run)}
            rows.append(row)
    if not rows:
        raise NotMeasuredError
    return rows


VARIANT_STUDY = Study(
    "variants",
    "Labels inside the search, parts of five words, positions: what do they change?",
    variant_tasks,
    {
        "variants-labels": partial(variant_rows, LABELS),
        "variants-parts": partial(variant_rows, PARTS),
        "variants-positions": partial(variant_rows, POSITIONS),
    },
)
