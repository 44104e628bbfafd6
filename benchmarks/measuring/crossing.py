"""Trees that may cross: trained parsers, the problems that they make of sentences, and searches of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.measuring.attachment import uas
from benchmarks.measuring.corpus import Corpus
from headwise import Parser
from headwise.dual import KOO_2010, Limits
from headwise.learning.choices import Rival
from headwise.reference.parts import Factorization
from headwise.trees import Annealing, Climbing, CrossingTrees, Solution, SpanningTrees, count_local_optima

PAPER = KOO_2010
"""The algorithm as published, Figures 1 and 2 with A.1 and A.2."""
ITERATIONS = (1, 2, 5, 10, 20, 50, 100, 250, 500, 1000)
RANDOM_WORDS = 10
LONGEST_FOR_PROGRAMS = 40
MOST_OPTIMA = 10_000
SHORT = 15
"""Zhang et al. (2014) tell sentences up to so many words from longer ones."""
SAME = 1e-6
"""Scores that differ by less are equal."""
GREEDY = Climbing(patience=300, starts="first-order", escapes=False)
"""As published."""


@dataclass(frozen=True)
class Trained:
    """A parser, the sentences to measure on, and the problems it makes of them."""

    parser: Parser
    corpus: Corpus
    problems: list[CrossingTrees]

    @classmethod
    def make(
        cls, corpus: Corpus, factorization: Factorization, epochs: int, rival: Rival = "tree"
    ) -> Trained:
        parser = Parser.train(
            corpus.train,
            factorization=factorization,
            rival=rival,
            trees="nonprojective",
            labels="none",
            roles=False,
            epochs=epochs,
            calibrate=False,
        )
        return cls(parser, corpus, [parser.crossing_trees(sentence) for sentence in corpus.test])

    def uas(self, solutions: list[Solution]) -> float:
        return uas(self.corpus.test, [solution.tree.heads for solution in solutions])


SOLVERS: dict[str, Callable[[CrossingTrees], Solution]] = {
    "LP(S)": lambda problem: problem.argmax_by_program(relax=True, flow="single"),
    "LP(M)": lambda problem: problem.argmax_by_program(relax=True, flow="multi"),
    "ILP": lambda problem: problem.argmax_by_program(),
    "DD-5000, as published": lambda problem: problem.argmax(PAPER),
    "DD-250, as published": lambda problem: problem.argmax(replace(PAPER, iterations=250)),
    "DD-5000, half the arcs to the tree": lambda problem: problem.argmax(
        replace(PAPER, tree_share=Limits.tree_share, centred=True)
    ),
    "DD-5000, Polyak steps": lambda problem: problem.argmax(
        Limits(iterations=5000, eliminate=False, branch=False)
    ),
    "… and elimination": lambda problem: problem.argmax(Limits(iterations=5000, branch=False)),
    "… and branching": lambda problem: problem.argmax(),
}


def check_against(best: dict[int, float], solutions: list[Solution]) -> None:
    """All solvers that prove their trees have to agree on the score, and no bound may lie below it."""
    for i, solution in enumerate(solutions):
        if solution.exact:
            score = best.setdefault(i, solution.score)
            if abs(score - solution.score) > 1e-4:
                raise SystemExit(
                    f"two solvers claim different optima of sentence {i}: {score}, {solution.score}"
                )
        elif i in best and solution.bound < best[i] - 1e-4:
            raise SystemExit(
                f"the bound of sentence {i} lies below its optimum: {solution.bound} < {best[i]}"
            )


def random_problems(factorization: Factorization, count: int) -> Iterator[CrossingTrees]:
    """Normal scores of what an automaton adds at each step; all arcs are allowed (Table 2, Rand)."""
    rng = np.random.default_rng(1)
    nodes = RANDOM_WORDS + 1
    for _ in range(count):
        if factorization == "sibling":
            tables = {"siblings": rng.normal(size=(nodes,) * 3)}
        else:
            tables = {"grand_siblings": rng.normal(size=(nodes,) * 4), "siblings": np.zeros((nodes,) * 3)}
            tables["siblings"][0] = rng.normal(size=(nodes, nodes))  # the root has no grandparent
        yield CrossingTrees(
            np.zeros((nodes, nodes)), factorization=factorization, single_root=False, **tables
        )


def solved_again(problems: list[CrossingTrees], iterations: int) -> list[tuple[float, float]]:
    """Figure 3: of the sentences still running, the share of automata solved in each iteration."""
    shares: list[list[float]] = [[] for _ in range(iterations)]
    for problem in problems:
        solved = problem.search(replace(PAPER, iterations=iterations)).trace.solved
        for k, count in enumerate(solved.tolist()):
            shares[k].append((count - 1) / (problem.words + 1))  # one of them is the tree
    return [(k, 100 * float(np.mean(shares[k - 1]))) for k in ITERATIONS if k <= iterations and shares[k - 1]]


def by_iterations(trained: Trained, *, published: bool) -> dict[str, list[tuple[float, float]]]:
    """Figure 4: accuracy, certificates, and trees that are those of the full search, by iterations."""
    final = [problem.argmax() for problem in trained.problems]
    curves: dict[str, list[tuple[float, float]]] = {
        "UAS": [],
        "certificates": [],
        "same tree as in the end": [],
    }
    for k in ITERATIONS:
        limits = replace(PAPER, iterations=k) if published else Limits(k)
        found = [problem.argmax(limits) for problem in trained.problems]
        same = [np.array_equal(a.tree.heads, b.tree.heads) for a, b in zip(found, final, strict=True)]
        curves["UAS"].append((k, trained.uas(found)))
        curves["certificates"].append((k, 100 * float(np.mean([s.exact for s in found]))))
        curves["same tree as in the end"].append((k, 100 * float(np.mean(same))))
    return curves


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
    "climb, as published (patience 300)": lambda problem: problem.climb(GREEDY).solution,
    "sample (the parser's)": lambda problem: problem.anneal(),
    "sample, one word at a time": lambda problem: problem.anneal(Annealing(proposal="gibbs")),
    "sample, blocks only": lambda problem: problem.anneal(Annealing(proposal="block")),
}


def optima_of(corpus: Corpus, epochs: int) -> dict[str, list[float]]:
    """Of every test sentence: its words, its local optima, and whether climbing finds the best of them."""
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
