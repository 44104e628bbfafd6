"""Trees that may cross: what dual decomposition proves, what programs do, what greedy searches find."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.engine import TREES, Found, Line, Plot, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.crossing import SAME, SEARCHES, SHORT
from benchmarks.measuring.training import train_task
from benchmarks.papers.koo_2010 import MODELS, TABLE_1

TREEBANKS = (
    "CoNLLX_Danish-DDT",
    "CoNLLX_Dutch-Alpino",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Swedish-Talbanken05",
    "UD_Gothic-PROIEL",
    "UD_Basque-BDT",
    "Perseus_AncientGreek-AGDT2.1",
)
PROGRAMS = "UD_Gothic-PROIEL"
RIVALS: dict[str, dict[str, str]] = {
    f"{name}, {shown_learner}": {"rival": rival, "learner": learner}
    for name, rival in (("best tree", "tree"), ("relaxed", "relaxed"))
    for shown_learner, learner in (("MIRA", "mira"), ("perceptron", "perceptron"))
}
SUMMARY = {
    "one climb": "one climb, from the first-order optimum",
    "and escapes": "… and escapes",
    "no escapes, patience 20": "climb, no escapes, patience 20",
    "as published": "climb, as published (patience 300)",
    "climb": "climb (the parser's)",
}
"""Searches in the table of all treebanks."""
TIMED = ("as published", "climb")


def tasks(scale: Scale) -> dict[str, Task]:
    common, most = {"measured": scale.measured, "epochs": scale.epochs or 5}, scale.measured or 60
    found = {}
    for treebank in TREEBANKS[: scale.treebanks]:
        for name, factorization in MODELS.items():
            found[f"{name} {treebank}"] = Task(
                "papers.searching:dual",
                depends=TREES,
                treebank=treebank,
                factorization=factorization,
                sentences=scale.sentences or 1500,
                **common,
            )
    for name, factorization in MODELS.items():
        found[f"programs {name}"] = Task(
            "papers.searching:dual",
            depends=TREES,
            needs="highspy",
            treebank=PROGRAMS,
            factorization=factorization,
            sentences=scale.sentences,
            curves=True,
            solvers=min(60, most),
            random=min(50, most),
            **common,
        )
    for name, rival in RIVALS.items():
        settings = {"factorization": "model1", "trees": "nonprojective", "labels": "none", "roles": False}
        own = {"sentences": scale.sentences or 1500, **common, "dev": "own", "judge": False, "parts": ["dev"]}
        found[f"training {name}"] = train_task(scale, PROGRAMS, {**settings, **rival}, preset="second", **own)
    return found


def certificates(found: Found) -> list[Row]:
    """Table 1: the parser's own search, beside the certificates of the published one."""
    rows = []
    for treebank in TREEBANKS:
        row = {"Treebank": treebank}
        if f"Sib {treebank}" not in found:
            continue
        for name in MODELS:
            one = found[f"{name} {treebank}"]
            row |= {
                f"Cert {name}": shown(100 * float(np.mean(one["ours"]))),
                f"Cert {name}, as published": shown(100 * float(np.mean(one["published"]))),
                f"ms {name}": shown(1000 * one["seconds"]),
            }
        times = TABLE_1.get(treebank.partition("-")[0], ())[5:]
        row["Paper's ms, Sib / G+S"] = " / ".join(f"{1000 * seconds:.0f}" for seconds in times)
        rows.append(row)
    return rows


def programs(found: Found) -> list[Row]:
    """Table 2, a row for each solver."""
    of_models = {name: found[f"programs {name}"]["solvers"] for name in MODELS}
    rows = []
    for solver in of_models["Sib"]:
        row = {"Solver": solver}
        for name, solvers in of_models.items():
            row |= {
                f"Exact {name}": shown(solvers[solver]["exact"]),
                f"Seconds {name}": shown(solvers[solver]["seconds"], 5),
                f"Exact {name}, random scores": shown(solvers[solver]["random"]),
            }
        rows.append(row)
    return rows


def again(found: Found) -> Plot:
    lines = [Line(name, found[f"programs {name}"]["again"]) for name in MODELS]
    return Plot(
        "again", f"{PROGRAMS}: automata solved again", lines, "iteration", "% of automata", logarithmic=True
    )


def curves(which: str, title: str) -> Any:
    def plot(found: Found) -> Plot:
        own = found["programs G+S"][which]
        lines = [Line(label, points) for label, points in own.items()]
        return Plot(which, f"{PROGRAMS}, G+S, {title}", lines, "most iterations", "%", logarithmic=True)

    return plot


STUDY = Study(
    "dual",
    "What does dual decomposition prove, and how fast beside linear programs?",
    tasks,
    {"dual-certificates": certificates, "dual-program": programs},
    {
        "dual-solved-again.svg": again,
        "dual-model1-published.svg": curves("curves", "as published"),
        "dual-model1-headwise.svg": curves("our curves", "Headwise"),
    },
    padded=False,
)


def greedy_tasks(scale: Scale) -> dict[str, Task]:
    return {
        treebank: Task(
            "papers.searching:reached",
            depends=TREES,
            treebank=treebank,
            sentences=scale.sentences or 1000,
            measured=scale.measured or 250,
            epochs=scale.epochs or 5,
        )
        for treebank in TREEBANKS[: scale.treebanks]
    }


def reached(result: Result, search: str, chosen: Any = True) -> float:
    """Of the sentences whose best tree is certified, the percentage on which a search finds it."""
    gained = np.array(result["searches"][search]["gained"])
    return 100 * float(np.mean((gained > -SAME)[np.array(result["certified"], bool) & chosen]))


def reached_rows(found: Found) -> list[Row]:
    rows = []
    for treebank in found:
        result = found[treebank]
        row = {"Treebank": treebank}
        for short, name in SUMMARY.items():
            row[short] = shown(reached(result, name))
            if short in TIMED:
                row[f"ms, {short}"] = shown(1000 * result["searches"][name]["seconds"])
        for decoder in ("map", "climb"):
            row[f"tokens/s, {decoder}"] = shown(result["decoders"][decoder]["tokens_a_second"], 0)
        rows.append(row)
    return rows


def search_rows(found: Found) -> list[Row]:
    """Every search, on Gothic."""
    result = found[PROGRAMS]
    is_short = np.array(result["lengths"]) <= SHORT
    return [
        {
            "Search": name,
            "UAS": shown(result["searches"][name]["uas"]),
            "Certified optimum reached": shown(reached(result, name)),
            f"≤ {SHORT} words": shown(reached(result, name, is_short)),
            f"> {SHORT} words": shown(reached(result, name, ~is_short)),
            "ms a sentence": shown(1000 * result["searches"][name]["seconds"]),
        }
        for name in SEARCHES
    ]


GREEDY_STUDY = Study(
    "greedy",
    "How often do greedy and sampling decoders find the best tree, and how fast?",
    greedy_tasks,
    {"greedy-reached": reached_rows, "greedy-searches": search_rows},
    padded=False,
)
