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
from benchmarks.papers.lei_2014 import BLIND, MCDONALD, PAPER_TAGLESS, PAPER_VECTORS, TABLE_2, WITH_VECTORS
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


def vectors(found: Found) -> list[Row]:
    """Table 3."""
    rows = []
    for language in WITH_VECTORS:
        for features in FEATURES:
            pair = [
                found[f"{language} {features} {name}"]
                for name in ("tags and tensor", "tags, tensor and vectors")
            ]
            row = {"Language": language, "Features": features, "Tensor": shown(score(pair[0]))}
            row |= {"With vectors": shown(score(pair[1])), "p": chance(*map(counts, pair))}
            rows.append(row | {"Paper": " ".join(map(str, PAPER_VECTORS[language]))})
    return rows


def time(found: Found) -> list[Row]:
    """Table 6."""
    rows = []
    for treebank in TREEBANKS[:4]:
        if f"first ours without {treebank}" not in found:
            continue
        pair = [found[f"first ours {which} {treebank}"] for which in ("without", "tensor")]
        seconds = [run["train_cpu_seconds"] for run in pair]
        row = {"Treebank": treebank, "Train CPU s": shown(seconds[0], 1), "With tensor": shown(seconds[1], 1)}
        row["Times"] = shown(seconds[1] / seconds[0], 1)
        speeds = [shown(run["test"]["map"]["tokens_a_second"], 0) for run in pair]
        rows.append(row | dict(zip(("Tokens/s", "Tensor tokens/s"), speeds, strict=True)))
    return rows


def labels(found: Found) -> list[Row]:
    """Labels as features of arcs: right heads with right labels."""
    return [
        {"Treebank": treebank}
        | {name: shown(score(found[f"labels {treebank} {name}"], measure="las")) for name in LABELS}
        for treebank in LABELLED
    ]


def network(found: Found) -> list[Row]:
    """A tensor beside a network, third order."""
    pair = [found[f"network {name}"] for name in ("Network", "With a tensor")]
    row = {"Treebank": TREEBANKS[0], "Network": shown(score(pair[0])), "With a tensor": shown(score(pair[1]))}
    return [row | {"p": chance(*map(counts, pair))}]


STUDY = Study(
    "tensor",
    "What does a low-rank tensor bring, with many features, few, and no tags?",
    tasks,
    {
        "tensor-orders": lambda found: orders("first", found),
        "tensor-third": lambda found: orders("third", found),
        "tensor-vectors": vectors,
        "tensor-tagless": tagless,
        "tensor-time": time,
        "tensor-labels": labels,
        "tensor-network": network,
    },
    padded=False,
)
