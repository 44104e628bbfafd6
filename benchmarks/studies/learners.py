"""Learners, kinds of trees and decoders against each other; hidden clusters of arcs. First order.

The shapes of Koo (2010), Tables 4.2 and 4.3, and of Smith and Smith (2007), Table 1 and section 5, on test
sets; labels are chosen over the finished tree, so that one run gives unlabelled and labelled figures.
"""

from __future__ import annotations

from functools import partial
from statistics import fmean

from benchmarks.engine import Found, NotMeasuredError, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.attachment import joined
from benchmarks.measuring.training import counts, score, train_task
from benchmarks.papers.thesis_4 import LEARNERS, TREES
from headwise.evaluation import SentenceCounts, permutation_test, sign_test

TREEBANKS = (
    "UD_Gothic-PROIEL",
    "CoNLLX_Danish-DDT",
    "UD_Basque-BDT",
    "CoNLLX_Swedish-Talbanken05",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Dutch-Alpino",
)
DECODERS = ("map", "minimum-risk")
BASELINE = "perceptron"
NOT_COMPARED = {"better : worse": "", "p (sign)": "", "p (permutation)": ""}
LATENT = ("UD_Gothic-PROIEL", "CoNLLX_Danish-DDT")
CLUSTERS = (1, 2, 4, 8)
LATENT_DECODERS = ("map", "minimum-risk", "max-z")
Chosen = dict[str, Result]
"""The better kind of trees by dev, for each treebank."""


def tasks(scale: Scale) -> dict[str, Task]:
    return {
        f"{treebank} {learner} {short}": train_task(
            scale,
            treebank,
            {**LEARNERS[learner], "trees": trees},
            dev="held-out",
            decoders=list(DECODERS),
            protocol=None,
        )
        for treebank in TREEBANKS[: scale.treebanks]
        for learner in LEARNERS
        for short, trees in TREES.items()
    }


def treebanks(found: Found) -> list[str]:
    return [treebank for treebank in TREEBANKS if f"{treebank} {BASELINE} p" in found]


def learner_rows(measure: str, found: Found) -> list[Row]:
    rows = [
        {"Treebank": treebank}
        | {
            f"{learner} {short}": shown(score(found[f"{treebank} {learner} {short}"], measure=measure))
            for learner in LEARNERS
            for short in TREES
        }
        for treebank in treebanks(found)
    ]
    columns = list(rows[0])[1:]
    means = {column: shown(fmean(float(row[column]) for row in rows)) for column in columns}
    return [*rows, {"Treebank": "average", **means}]


def chosen(found: Found, learner: str) -> Chosen:
    return {
        treebank: max(
            (found[f"{treebank} {learner} {short}"] for short in TREES), key=lambda run: score(run, "dev")
        )
        for treebank in treebanks(found)
    }


def together(runs: Chosen, measure: str = "uas", decoder: str = "map") -> SentenceCounts:
    """Words attached right, sentence by sentence, over all treebanks."""
    return joined([counts(run, decoder, measure=measure) for run in runs.values()])


def against(runs: Chosen, baseline: Chosen, decoder: str = "map") -> Row:
    """Tests of the unlabelled trees that a decoder finds against the best trees of a baseline."""
    both = together(runs, decoder=decoder), together(baseline)
    signs, permutation = sign_test(*both), permutation_test(*both)
    return {
        "better : worse": f"{signs.first_better} : {signs.second_better}",
        "p (sign)": f"{signs.p_value:.4f}",
        "p (permutation)": f"{permutation.p_value:.4f}",
    }


def by_treebank(runs: Chosen, decoder: str) -> Row:
    scores = {t.split("_")[-1].split("-")[0]: score(run, decoder=decoder) for t, run in runs.items()}
    return {name: shown(value) for name, value in scores.items()} | {"UAS": shown(fmean(scores.values()))}


def chosen_rows(found: Found) -> list[Row]:
    """With the sign test of the thesis (4.6.2, footnote 2) over the sentences of all treebanks."""
    baseline, rows = chosen(found, BASELINE), []
    for learner in LEARNERS:
        best = chosen(found, learner)
        row = {"Learner": learner, **by_treebank(best, "map")}
        row |= against(best, baseline) if learner != BASELINE else NOT_COMPARED
        row["LAS"] = shown(fmean(score(run, measure="las") for run in best.values()))
        p = permutation_test(together(best, "las"), together(baseline, "las")).p_value
        row["p of LAS"] = f"{p:.4f}" if learner != BASELINE else ""
        row["Train CPU s"] = shown(sum(run["train_cpu_seconds"] for run in best.values()), 0)
        rows.append(row)
    return rows


def decoder_rows(found: Found) -> list[Row]:
    """With tests of minimum-risk trees against the best trees of the same model."""
    rows = []
    for learner in LEARNERS:
        best = chosen(found, learner)
        for decoder in DECODERS:
            row = {"Learner": learner, "Decoder": decoder, **by_treebank(best, decoder)}
            rows.append(row | (against(best, best, decoder) if decoder != "map" else NOT_COMPARED))
    return rows


STUDY = Study(
    "learners",
    "Which learner, which kind of trees, which decoder?",
    tasks,
    {
        "learners-uas": partial(learner_rows, "uas"),
        "learners-las": partial(learner_rows, "las"),
        "learners-chosen": chosen_rows,
        "learners-decoders": decoder_rows,
    },
    padded=False,
)


def latent_tasks(scale: Scale) -> dict[str, Task]:
    """Every arc has one of K labels that no treebank names; training sums over them."""
    settings = {"learner": "log-linear", "labels": "latent"}
    own = {"sentences": scale.sentences or 1000, "dev": "held-out", "protocol": None}
    own["decoders"] = list(LATENT_DECODERS)
    return {
        f"{treebank} {k}": train_task(scale, treebank, {**settings, "latent__clusters": k}, **own)
        for treebank in LATENT[: scale.treebanks]
        for k in CLUSTERS
    }


def latent_rows(found: Found) -> list[Row]:
    rows = []
    for name in found:
        treebank, _, k = name.rpartition(" ")
        run = found[name]
        row = {"Treebank": treebank, "K": k}
        row |= {f"{decoder}, dev": shown(score(run, "dev", decoder)) for decoder in LATENT_DECODERS}
        row |= {decoder: shown(score(run, "test", decoder)) for decoder in LATENT_DECODERS}
        rows.append(row | {"Train CPU s": shown(run["train_cpu_seconds"], 0)})
    if not rows:
        raise NotMeasuredError
    return rows


LATENT_STUDY = Study(
    "latent", "How many hidden clusters of arcs, and which decoder?", latent_tasks, {"latent": latent_rows}
)
