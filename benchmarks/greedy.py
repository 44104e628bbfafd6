"""Greedy and sampling decoders: how often they find the best tree, and how fast.

    python benchmarks/greedy.py Gothic -o greedy.md
    python benchmarks/greedy.py Gothic --quick                # a try, in a minute or two

Three tables a treebank, after Zhang, Lei, Barzilay and Jaakkola (2014, "Greed is good if randomized"),
and one of all treebanks that has the most important of the last two:

    optima   Table 2: local optima of a first-order model a sentence, and how often climbing finds the best
    reached  Tables 3, 5, 6: of the sentences whose best tree dual decomposition certifies, those on which a
             search finds it; on the others, which of the two trees is better; the role of starts and restarts
    speed    the decoders of the parser: accuracy and tokens a second of processor time

Figures are of the test set, without punctuation; the number of epochs is fixed, so that no development set is
needed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np

from attachment import uas_of
from corpus import Corpus
from dual import Trained, percent
from experiment import cpu_seconds, note
from headwise import Parser
from headwise.components.parser.decoders import Decoder
from headwise.reference.parts import Factorization
from headwise.trees import (
    Annealing,
    Climbing,
    CrossingTrees,
    Solution,
    SpanningTrees,
    count_local_optima,
)
from options import add_models_option, benchmark_options
from report import Report, Row, Table, command_line, machine

MOST_OPTIMA = 10_000
SHORT = 15
"""The paper tells sentences up to so many words from longer ones."""
SAME = 1e-6
"""Scores that differ by less are equal."""
QUICK = {"train": 300, "others": 60}
PAPER = Climbing(patience=300, starts="first-order", escapes=False)

SEARCHES: dict[str, Callable[[CrossingTrees], Solution]] = {
    "one climb, from the first-order optimum": lambda problem: (
        problem.climb(Climbing(patience=0, escapes=False)).solution
    ),
    "… and escapes": lambda problem: problem.climb(Climbing(patience=0)).solution,
    "climb (the parser's)": lambda problem: problem.climb().solution,
    "climb, uniform starts": lambda problem: problem.climb(Climbing(starts="uniform")).solution,
    "climb, first-order starts": lambda problem: problem.climb(Climbing(starts="first-order")).solution,
    "climb, no escapes, patience 20": lambda problem: (
        problem.climb(Climbing(patience=20, escapes=False)).solution
    ),
    "climb, no escapes, patience 100": lambda problem: (
        problem.climb(Climbing(patience=100, escapes=False)).solution
    ),
    "climb, as published (patience 300)": lambda problem: problem.climb(PAPER).solution,
    "sample (the parser's)": lambda problem: problem.anneal(),
    "sample, one word at a time": lambda problem: problem.anneal(Annealing(proposal="gibbs")),
    "sample, blocks only": lambda problem: problem.anneal(Annealing(proposal="block")),
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


def optima_of(corpus: Corpus, epochs: int) -> dict[str, list[float]]:
    """Of every test sentence: its words, its local optima, and whether climbing finds the best of them."""
    note(f"{corpus.name}: training first order, {epochs} epochs")
    parser = Parser.train(
        corpus.train,
        factorization="arc",
        trees="nonprojective",
        labels="none",
        epochs=epochs,
        calibrate=False,
    )
    found: dict[str, list[float]] = {"lengths": [], "optima": [], "reached": []}
    for sentence in corpus.test:
        arcs = parser.arc_scores(sentence)
        best = SpanningTrees(arcs, single_root=False).argmax().score
        climbed = CrossingTrees(arcs, single_root=False, factorization="arc").climb(
            Climbing(patience=300, most_restarts=300, starts="uniform", escapes=False)
        )
        found["lengths"].append(len(sentence))
        found["optima"].append(count_local_optima(arcs, most=MOST_OPTIMA))
        found["reached"].append(float(climbed.solution.score > best - SAME))
    return found


def optima_row(corpus: Corpus, epochs: int) -> Row:
    """Table 2."""
    return {"Treebank": corpus.name, **described_optima(optima_of(corpus, epochs))}


def described_optima(found: dict[str, list[float]]) -> Row:
    at = {share: int(np.percentile(found["optima"], share, method="lower")) for share in (50, 70, 90)}
    is_short = np.array(found["lengths"]) <= SHORT
    reached = np.array(found["reached"])
    return {
        "Average length": f"{np.mean(found['lengths']):.1f}",
        **{f"Local optima, {share} %": f"{n if n < MOST_OPTIMA else f'≥ {n}'}" for share, n in at.items()},
        f"Best found, ≤ {SHORT} words": percent(reached[is_short].tolist()),
        f"> {SHORT} words": percent(reached[~is_short].tolist()),
    }


def reached_table(trained: Trained, facts: dict[str, str]) -> Table:
    """Tables 3, 5 and 6: each search against dual decomposition."""
    note(f"{trained.corpus.name}: dual decomposition")
    dual, seconds = cpu_seconds(lambda: [problem.argmax() for problem in trained.problems])
    certified = np.array([solution.exact for solution in dual])
    best = np.array([solution.score for solution in dual])
    is_short = np.array([problem.words <= SHORT for problem in trained.problems])
    rows: list[Row] = []
    for name, search in SEARCHES.items():
        note(f"{trained.corpus.name}: {name}")
        found, spent = cpu_seconds(lambda search=search: [search(p) for p in trained.problems])
        gained = np.array([solution.score for solution in found]) - best
        if gained[certified].max() > SAME:
            raise SystemExit(f"{name} found a tree above a certified optimum by {gained[certified].max()}")
        reached = gained > -SAME
        rows.append(
            {
                "Search": name,
                "UAS": f"{trained.uas(found):.2f}",
                "Certified optimum reached": percent(reached[certified].tolist()),
                f"≤ {SHORT} words": percent(reached[certified & is_short].tolist()),
                f"> {SHORT} words": percent(reached[certified & ~is_short].tolist()),
                "Not certified: better, equal, worse": describe_rest(gained[~certified]),
                "ms a sentence": f"{1000 * spent / len(found):.2f}",
            }
        )
    told = (
        f"{percent(certified.tolist())} % of {len(dual)} sentences certified, UAS {trained.uas(dual):.2f},"
        f" {1000 * seconds / len(dual):.2f} ms a sentence"
    )
    model = f"{trained.corpus.name}, {trained.problems[0].factorization}"
    return Table(
        f"{model}: certified optima reached (Tables 3, 5, 6)", {**facts, "dual decomposition": told}, rows
    )


def describe_rest(gained: np.ndarray) -> str:
    better, worse = int(np.sum(gained > SAME)), int(np.sum(gained < -SAME))
    return f"{better}, {len(gained) - better - worse}, {worse}"


def speed_rows(trained: Trained) -> list[Row]:
    """All that the parser does for a sentence: features, pruning, scores, search."""
    rows: list[Row] = []
    words = sum(map(len, trained.corpus.test))
    for decoder in (Decoder.map, Decoder.climb, Decoder.sample):
        rounds = [
            cpu_seconds(
                lambda decoder=decoder: list(trained.parser.pipe(trained.corpus.test, decoder=decoder))
            )
            for _ in range(3)
        ]
        seconds = min(spent for _, spent in rounds)
        rows.append(
            {
                "Decoder": decoder.value,
                "UAS": f"{uas_of(rounds[0][0]):.2f}",
                "Tokens a second": f"{words / seconds:,.0f}",
            }
        )
    return rows


def summarized(reached: list[Row], speeds: list[Row]) -> Row:
    """Of a treebank, in a row: certified optima reached, in per cent, and the time that takes."""
    searches = {row["Search"]: row for row in reached}
    row: Row = {}
    for short, name in SUMMARY.items() if reached else ():
        row[short] = searches[name]["Certified optimum reached"]
        if short in TIMED:
            row[f"ms, {short}"] = searches[name]["ms a sentence"]
    return row | {f"tokens/s, {of['Decoder']}": of["Tokens a second"] for of in speeds}


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    facts = {
        "training": (
            f"mira, {options.epochs} epochs on {options.train or 'all'} sentences, no labels;"
            " trees that may cross"
        ),
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    summary: list[Row] = []
    for name in options.treebanks:
        corpus = Corpus.load(name)
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        if options.train:
            corpus = corpus.sample(options.train, seed=1)
        if options.test:
            corpus = corpus.shortened(len(corpus.train), options.test)
        if "optima" in options.tables:
            title = f"{corpus.name}: local optima of first order, 300 uniform starts (Table 2)"
            report.add(Table(title, facts, [optima_row(corpus, options.epochs)]))
        if not {"reached", "speed"} & set(options.tables):
            continue
        factorization: Factorization = options.factorization
        trained = Trained.make(corpus, factorization, options.epochs, options.models)
        reached, speeds = [], []
        if "reached" in options.tables:
            table = reached_table(trained, facts)
            reached = table.rows
            report.add(table)
        if "speed" in options.tables:
            speeds = speed_rows(trained)
            report.add(Table(f"{corpus.name}, {factorization}: decoders", facts, speeds))
        summary.append({"Treebank": corpus.name, **summarized(reached, speeds)})
    if summary:
        report.add(Table(f"Best trees found, {options.factorization}", facts, summary))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, tables=["optima", "reached", "speed"], epochs=5)
    parser.add_argument("--factorization", default="model1", help="default: model1")
    parser.add_argument("--train", type=int, help="train on a sample of so many sentences; default: all")
    parser.add_argument("--test", type=int, help="measure on the first so many sentences; default: all")
    add_models_option(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
