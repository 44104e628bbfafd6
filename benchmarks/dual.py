"""Dual decomposition and its referee: the tables and figures of Koo et al. (2010) on our treebanks.

    python benchmarks/dual.py Danish Gothic Basque -o dual.md
    python benchmarks/dual.py Gothic --quick                 # a try, in a minute or two
    python benchmarks/dual.py Gothic --tables solvers curves -o solvers.md

Four parts a treebank:

    certificates  Table 1: accuracy, sentences whose tree is proved to be the best, milliseconds a sentence
    solvers       Table 2: linear and integer programs (HiGHS, the extra "ilp") against dual decomposition, on
                  sentences and on random scores
    training      section 6: training against the best tree, or against relaxed choices of head automata
    curves        Figures 3 and 4: automata solved again, and certificates by the number of iterations

"Sib" is the factorization "sibling", "G+S" is "model1"; both over all trees and without roles. Figures are of
the test set, without punctuation; the number of epochs is fixed, so that no development set is needed. Times
are processor time of one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from attachment import uas, uas_of
from corpus import Corpus
from experiment import cpu_seconds, note
from headwise import Parser
from headwise.dual import KOO_2010, Limits
from headwise.learning.choices import Rival
from headwise.reference.parts import Factorization
from headwise.training import TrainingSettings
from headwise.trees import CrossingTrees, Solution
from line_plot import Series, line_plot
from options import add_models_option, benchmark_options
from report import Report, Row, Table, command_line, machine

MODELS: dict[str, Factorization] = {"Sib": "sibling", "G+S": "model1"}
PAPER = KOO_2010
"""The algorithm as published, Figures 1 and 2 with A.1 and A.2."""
ITERATIONS = (1, 2, 5, 10, 20, 50, 100, 250, 500, 1000)
RANDOM_WORDS = 10
LONGEST_FOR_PROGRAMS = 40
QUICK = {"train": 300, "others": 60}
PAPERS_MS = {
    "CoNLLX_Danish-DDT": "53 / 169",
    "CoNLLX_Dutch-Alpino": "35 / 120",
    "CoNLLX_Portuguese-Bosque": "47 / 257",
    "CoNLLX_Swedish-Talbanken05": "35 / 141",
}
"""Milliseconds a sentence of Sib and G+S, Table 1."""


@dataclass(frozen=True)
class Trained:
    """A parser, the sentences to measure on, and the problems it makes of them."""

    parser: Parser
    corpus: Corpus
    problems: list[CrossingTrees]

    @classmethod
    def make(
        cls,
        corpus: Corpus,
        factorization: Factorization,
        epochs: int,
        folder: Path | None,
        rival: Rival = "tree",
    ) -> Trained:
        name = f"{corpus.name}-{len(corpus.train)}-{factorization}-{epochs}.hw"
        file = folder / name if folder else None
        if file and file.exists():
            parser = Parser.load(file)
        else:
            note(f"{corpus.name}: training {factorization}, {epochs} epochs")
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
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                parser.save(file)
        return cls(parser, corpus, [parser.crossing_trees(sentence) for sentence in corpus.test])

    def uas(self, solutions: list[Solution]) -> float:
        return uas(self.corpus.test, [solution.tree.heads for solution in solutions])


def percent(flags: list[bool]) -> str:
    return f"{100 * np.mean(flags):.2f}"


def certificate_row(trained: dict[str, Trained]) -> Row:
    """Table 1: each model with the parser's own search, beside the certificates of the published one."""
    row: Row = {}
    gaps: list[float] = []
    for name, one in trained.items():
        parses, seconds = cpu_seconds(lambda one=one: list(one.parser.pipe(one.corpus.test)))
        published = [problem.argmax(PAPER).exact for problem in one.problems]
        few = [problem.argmax(Limits(iterations=PAPER.iterations)).exact for problem in one.problems]
        row |= {
            f"UAS {name}": f"{uas_of(parses):.2f}",
            f"Cert {name}": percent([parse.exact for parse in parses]),
            f"Cert {name}, ≤ 60 words": percent([p.exact for p in parses if len(p) <= 60]),
            f"Cert {name}, 5,000 iterations": percent(few),
            f"Cert {name}, as published": percent(published),
            f"ms {name}": f"{1000 * seconds / len(parses):.2f}",
        }
        gaps += [parse.gap for parse in parses if not parse.exact]
    papers = PAPERS_MS.get(next(iter(trained.values())).corpus.name, "")
    return row | {"Largest gap": f"{max(gaps, default=0.0):.3g}", "Paper's ms, Sib / G+S": papers}


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


def solver_rows(trained: dict[str, Trained], sentences: int, random_count: int) -> list[Row]:
    """Table 2, a row for each solver."""
    of_models = [solved(model, one, sentences, random_count) for model, one in trained.items()]
    return [
        {"Solver": name} | {column: text for rows in of_models for column, text in rows[name].items()}
        for name in SOLVERS
    ]


def solved(model: str, trained: Trained, sentences: int, random_count: int) -> dict[str, Row]:
    """By solver: accuracy, proved optima, seconds a sentence; and proved optima on random scores."""
    chosen = [i for i, problem in enumerate(trained.problems) if problem.words <= LONGEST_FOR_PROGRAMS][
        :sentences
    ]
    problems = [trained.problems[i] for i in chosen]
    gold = [trained.corpus.test[i] for i in chosen]
    random = list(random_problems(trained.problems[0].factorization, random_count))
    rows: dict[str, Row] = {}
    best: dict[int, float] = {}
    for name, solve in SOLVERS.items():
        note(f"{trained.corpus.name}, {trained.problems[0].factorization}: {name}")
        solutions, seconds = cpu_seconds(lambda solve=solve: [solve(problem) for problem in problems])
        check_against(best, solutions)
        rows[name] = {
            f"UAS {model}": f"{uas(gold, [s.tree.heads for s in solutions]):.2f}",
            f"Exact {model}": percent([s.exact for s in solutions]),
            f"Seconds {model}": f"{seconds / len(problems):.5f}",
            f"Exact {model}, random scores": percent([solve(problem).exact for problem in random]),
        }
    return rows


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


def add_curves(report: Report, trained: dict[str, Trained]) -> None:
    corpus = next(iter(trained.values())).corpus.name
    again = [Series(name, solved_again(one.problems, 1000)) for name, one in trained.items()]
    figure = line_plot(
        again, title=f"{corpus}: automata solved again", x_label="iteration", y_label="% of automata"
    )
    report.add_plot(figure, f"{corpus}-solved-again", f"Automata solved again, {corpus}")
    for name, one in trained.items():
        for published in (True, False):
            curves = by_iterations(one, published=published)
            method = "as published" if published else "Headwise"
            figure = line_plot(
                [Series(label, points) for label, points in curves.items()],
                title=f"{corpus}, {name}, {method}: by iterations",
                x_label="most iterations",
                y_label="%",
            )
            stem = f"{corpus}-{one.problems[0].factorization}-{'published' if published else 'headwise'}"
            report.add_plot(figure, stem, f"{corpus}, {name}, {method}")


RIVALS: dict[str, dict[str, str]] = {
    "best tree, MIRA": {"rival": "tree", "learner": "mira"},
    "best tree, perceptron": {"rival": "tree", "learner": "perceptron"},
    "relaxed, MIRA": {"rival": "relaxed", "learner": "mira"},
    "relaxed, perceptron": {"rival": "relaxed", "learner": "perceptron"},
}


def training_rows(corpus: Corpus, epochs: int) -> list[Row]:
    """Section 6: G+S trained against the best tree, or against what head automata choose on their own."""
    rows = []
    for name, options in RIVALS.items():
        note(f"{corpus.name}: training against {name}")
        settings = TrainingSettings(
            factorization=MODELS["G+S"],
            trees="nonprojective",
            labels="none",
            roles=False,
            epochs=epochs,
            calibrate=False,
            **options,  # type: ignore[arg-type]
        )
        parser, seconds = cpu_seconds(lambda settings=settings: Parser.train(corpus.train, settings=settings))
        parses = list(parser.pipe(corpus.dev))
        rows.append(
            {
                "Rival": name,
                "UAS on dev": f"{uas_of(parses):.2f}",
                "Cert": percent([parse.exact for parse in parses]),
                "Train CPU s": f"{seconds:.1f}",
            }
        )
    return rows


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    facts = {
        "training": f"mira, {options.epochs} epochs on {options.train or 'all'} sentences, no labels",
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    certificates: list[Row] = []
    for name in options.treebanks:
        corpus = Corpus.load(name)
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        if options.train:
            corpus = corpus.sample(options.train, seed=1)
        only_training = options.tables == ["training"]
        trained = {
            model: Trained.make(corpus, factorization, options.epochs, options.models)
            for model, factorization in MODELS.items()
            if not only_training
        }
        if "certificates" in options.tables:
            certificates.append({"Treebank": corpus.name, **certificate_row(trained)})
            report.draft(Table("Certificates (Koo et al. 2010, Table 1)", facts, certificates))
        if "solvers" in options.tables:
            shown = {
                **facts,
                "sentences": f"the first {options.sentences} of at most {LONGEST_FOR_PROGRAMS} words",
            }
            title = f"{corpus.name}: solvers (Koo et al. 2010, Table 2)"
            report.add(Table(title, shown, solver_rows(trained, options.sentences, options.random)))
        if "training" in options.tables:
            held_out = corpus.with_dev()
            split = {**facts, "split": held_out.describe_split("dev")}
            title = f"{corpus.name}: training (Koo et al. 2010, section 6)"
            report.add(Table(title, split, training_rows(held_out, options.epochs)))
        if "curves" in options.tables:
            add_curves(report, trained)
    if certificates:
        report.add(Table("Certificates (Koo et al. 2010, Table 1)", facts, certificates))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    tables = ["certificates", "solvers", "training", "curves"]
    parser = benchmark_options(__doc__, tables=tables, epochs=5)
    add_models_option(parser)
    parser.add_argument("--sentences", type=int, default=100, help="for the linear programs; default: 100")
    parser.add_argument("--random", type=int, default=50, help="instances with random scores; default: 50")
    parser.add_argument("--train", type=int, help="train on a sample of so many sentences; default: all")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
