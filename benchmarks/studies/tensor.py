"""A low-rank tensor (Lei et al. 2014) beside our features and beside few: with tags, without, with vectors.

Heads alone, 10 epochs, measured on test without punctuation; Figure 1 and Table 5 are those of the paper's
own study (papers/lei-2014).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.engine import Found, Row, Scale, Study, Task, shown
from benchmarks.measuring.attachment import chance, joined
from benchmarks.measuring.training import counts, score
from benchmarks.papers.lei_2014 import BLIND, MCDONALD, PAPER_TAGLESS, TABLE_2, WITH_VECTORS
from benchmarks.papers.training import scaled, train_task
from headwise.evaluation import SentenceCounts

TREEBANKS = (
    "CoNLLX_Danish-DDT",
    "CoNLLX_Dutch-Alpino",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Swedish-Talbanken05",
    "UD_Gothic-PROIEL",
    "UD_Turkish-IMST",
    "UD_Greek-GDT",
)
FEATURES: dict[str, dict[str, Any]] = {"ours": {}, "McDonald's": {"templates": MCDONALD}}
ORDERS = ("first", "third")
TENSOR = {"tensor": True}
LABELLED = ("CoNLLX_Danish-DDT", "UD_Gothic-PROIEL")
LABELS = {"LAS": (0, False), "Tensor": (50, False), "With labels": (50, True)}


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    for order in ORDERS:
        for features, own in FEATURES.items():
            for treebank in (
                TREEBANKS[: scale.treebanks] if order == "first" else TREEBANKS[: min(4, scale.treebanks)]
            ):
                for name, tensor in (("without", {}), ("tensor", TENSOR)):
                    found[f"{order} {features} {name} {treebank}"] = train_task(
                        scale, treebank, settings={**own, **tensor}, preset=order
                    )
    for language, treebank in WITH_VECTORS.items():
        for features, own in FEATURES.items():
            blind = {"templates": BLIND} if own else {}
            for name, settings, vectors, tags in (
                ("No tags", blind, False, False),
                ("Tensor", {**blind, **TENSOR}, False, False),
                ("With vectors", {**blind, **TENSOR}, True, False),
                ("Tags, no tensor", own, False, True),
                ("tags and tensor", {**own, **TENSOR}, False, True),
                ("tags, tensor and vectors", {**own, **TENSOR}, True, True),
            ):
                found[f"{language} {features} {name}"] = Task(
                    "papers.raw_words:with_vectors",
                    treebank=treebank,
                    settings=settings,
                    vectors=vectors,
                    tags=tags,
                    text_words=scale.text_words,
                    **scaled(scale),
                )
    for treebank in LABELLED:
        for name, (rank, labels) in LABELS.items():
            settings = {"labels": "separate", "tensor": {"rank": rank, "labels": labels}}
            found[f"labels {treebank} {name}"] = train_task(scale, treebank, settings=settings)
    for name, tensor in (("Network", {}), ("With a tensor", TENSOR)):
        settings = {"network": True, **tensor}
        found[f"network {name}"] = train_task(scale, TREEBANKS[0], settings=settings, preset="third")
    return found


def orders(order: str, found: Found) -> list[Row]:
    """Table 2."""
    rows: list[Row] = []
    for features in FEATURES:
        pairs: list[list[SentenceCounts]] = []
        uas: list[list[float]] = []
        for treebank in TREEBANKS:
            names = [f"{order} {features} {which} {treebank}" for which in ("without", "tensor")]
            if names[0] not in found:
                continue
            pairs.append([counts(found[name]) for name in names])
            uas.append([score(found[name]) for name in names])
            paper = TABLE_2.get(treebank.partition("-")[0], ())[2 * ORDERS.index(order) :][:2]
            row = {"Treebank": treebank, **order_row(features, uas[-1], pairs[-1])}
            row["Paper"] = f"{paper[0]:.2f} {paper[1]:.2f} ({paper[1] - paper[0]:+.2f})" if paper else "–"
            rows.append(row)
        both = [joined(list(own)) for own in zip(*pairs, strict=True)]
        rows.append(
            {"Treebank": "all, on average", **order_row(features, np.mean(uas, axis=0).tolist(), both)}
        )
    return rows


def order_row(features: str, uas: list[float], pair: list[SentenceCounts]) -> Row:
    return {
        "Features": features,
        "Without": shown(uas[0]),
        "Tensor": shown(uas[1]),
        "Gain": f"{uas[1] - uas[0]:+.2f}",
        "p": chance(*pair),
    }


def tagless(found: Found) -> list[Row]:
    """Table 4."""
    rows = []
    for language, treebank in WITH_VECTORS.items():
        for features in FEATURES:
            row = {"Treebank": treebank, "Features": features}
            for name in ("No tags", "Tensor", "With vectors", "Tags, no tensor"):
                row[name] = shown(score(found[f"{language} {features} {name}"]))
            rows.append(row | {"Paper": " ".join(f"{uas:.2f}" for uas in PAPER_TAGLESS[language])})
    return rows


STUDY = Study(
    "tensor",
    "What does a low-rank tensor bring, with many features, few, and no tags?",
    tasks,
    {
        "tensor-orders": lambda found: orders("first", found),
        "tensor-third": lambda found: orders("third", found),
        "tensor-tagless": tagless,
    },
    padded=False,
)
