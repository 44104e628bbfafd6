"""Tasks that search the trees of a trained parser in several ways, and compare what they find."""

from __future__ import annotations

import numpy as np

from benchmarks.engine import Result
from benchmarks.measuring.attachment import attached, to_json, uas
from benchmarks.measuring.crossing import (
    LONGEST_FOR_PROGRAMS,
    PAPER,
    SAME,
    SEARCHES,
    SHORT,
    SOLVERS,
    Trained,
    by_iterations,
    check_against,
    optima_of,
    random_problems,
    solved_again,
)
from benchmarks.measuring.training import corpus_of, cpu_seconds
from headwise import Parser
from headwise.dual import Limits
from headwise.evaluation import is_punctuation
from headwise.learning.choices import Rival
from headwise.reference.parts import Factorization
from headwise.training import TrainingSettings
from headwise.trees import Annealing, Climbing, CrossingTrees, SpanningTrees


def trained(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    factorization: Factorization,
    rival: Rival = "tree",
) -> Trained:
    corpus = corpus_of(treebank, sentences, measured, dev="none")
    return Trained.make(corpus, factorization, epochs, rival)


def dual(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    factorization: Factorization,
    curves: bool = False,
    solvers: int = 0,
    random: int = 0,
) -> Result:
    """Koo et al. (2010): certificates, projective trees, what automata choose alone; curves and programs."""
    own, training = cpu_seconds(lambda: trained(treebank, sentences, measured, epochs, factorization))
    gold = own.corpus.test
    parses, spent = cpu_seconds(lambda: list(own.parser.pipe(gold)))
    projective = list(own.parser.pipe(gold, decoder="projective"))
    result: Result = {
        "uas": to_json(attached(gold, [parse.heads for parse in parses])),
        "projective": to_json(attached(gold, [parse.heads for parse in projective])),
        "ours": [bool(parse.exact) for parse in parses],
        "published": [bool(problem.argmax(PAPER).exact) for problem in own.problems],
        "seconds": spent / len(parses),
        "train_seconds": training / (epochs * len(own.corpus.train)),
    }
    if curves:
        result["curves"] = by_iterations(own, published=True)
        result["our curves"] = by_iterations(own, published=False)
        result["again"] = solved_again(own.problems, 1000)
    if solvers:
        result["solvers"] = programs(own, solvers, random)
    return result


def automata(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Koo et al. (2010), section 7.6: what automata choose that were trained by what they choose alone.

    Precision and recall of arcs that need not be a tree, beside the accuracy of trees.
    """
    corpus = corpus_of(treebank, sentences, measured, dev="none")
    settings = TrainingSettings(
        factorization="sibling",
        trees="nonprojective",
        learner="perceptron",
        rival="relaxed",
        labels="none",
        calibrate=False,
        epochs=epochs,
    )
    parser = Parser.train(corpus.train, settings=settings)
    found = right = words = 0
    for sentence in corpus.test:
        counted = {m for m, form in enumerate(sentence.forms, 1) if not is_punctuation(form)}
        arcs = [(h, m) for h, m in parser.crossing_trees(sentence).relaxed()[0] if m in counted]
        found, words = found + len(arcs), words + len(counted)
        right += sum(int(sentence.heads[m - 1]) == h for h, m in arcs)
    return {
        "precision": 100 * right / max(1, found),
        "recall": 100 * right / words,
        "tree": uas(corpus.test, [parse.heads for parse in parser.pipe(corpus.test)]),
    }


def programs(own: Trained, sentences: int, random: int) -> dict[str, dict[str, float]]:
    """Table 2: linear and integer programs beside dual decomposition."""
    chosen = [i for i, problem in enumerate(own.problems) if problem.words <= LONGEST_FOR_PROGRAMS][
        :sentences
    ]
    made = list(random_problems(own.problems[0].factorization, random))
    gold = [own.corpus.test[i] for i in chosen]
    rows = {}
    best: dict[int, float] = {}
    for name, solve in SOLVERS.items():
        found, spent = cpu_seconds(lambda solve=solve: [solve(own.problems[i]) for i in chosen])
        check_against(best, found)
        counts = attached(gold, [solution.tree.heads for solution in found])
        rows[name] = {
            "uas": 100 * float(counts.correct.sum()) / float(counts.gold.sum()),
            "exact": 100 * float(np.mean([solution.exact for solution in found])),
            "seconds": spent / len(chosen),
            "random": 100 * float(np.mean([solve(problem).exact for problem in made])) if made else 0.0,
        }
    return rows


def optima(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Zhang et al. (2014, greedy), Table 2: local optima, and how often climbing finds the best of them."""
    return optima_of(corpus_of(treebank, sentences, measured, dev="none"), epochs)


RESTARTS = (1, 2, 5, 10, 20, 50, 100, 200, 300)
STARTS = {
    "MAP-1st": Climbing(patience=0, escapes=False),
    "Uniform": Climbing(patience=300, starts="uniform", escapes=False),
    "Rnd-1st": Climbing(patience=300, starts="first-order", escapes=False),
}


def climbing_trained(
    treebank: str, sentences: int | None, measured: int | None, epochs: int, factorization: Factorization
) -> Result:
    """Table 3, left: climbing against dual decomposition, in a model that was trained by climbing."""
    own = trained(treebank, sentences, measured, epochs, factorization, rival="climbed")
    dual = [problem.argmax(PAPER) for problem in own.problems]
    climbed = [problem.climb(STARTS["Rnd-1st"]).solution for problem in own.problems]
    return {
        "certified": [bool(solution.exact) for solution in dual],
        "dual": [float(solution.score) for solution in dual],
        "climbed": [float(solution.score) for solution in climbed],
        "same": SAME,
    }


def climbs(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    factorization: Factorization,
    most: int = 1000,
) -> Result:
    """Tables 3, 5 and 6, Figures 5 and 6: climbing against dual decomposition; starts and restarts."""
    own = trained(treebank, sentences, measured, epochs, factorization)
    gold = own.corpus.test
    dual = [problem.argmax(PAPER) for problem in own.problems]
    best = np.array([problem.argmax(Limits()).score for problem in own.problems])
    result: Result = {
        "lengths": [problem.words for problem in own.problems],
        "certified": [bool(solution.exact) for solution in dual],
        "dual": [float(solution.score) for solution in dual],
        "dual_uas": to_json(attached(gold, [solution.tree.heads for solution in dual])),
        "best": best.tolist(),
        "starts": {},
        "restarts": {},
    }
    for name, climbing in STARTS.items():
        found = [problem.climb(climbing) for problem in own.problems]
        first = [start_of(problem, name) for problem in own.problems]
        result["starts"][name] = {
            "init": to_json(attached(gold, first)),
            "uas": to_json(attached(gold, [climb.solution.tree.heads for climb in found])),
            "scores": [float(climb.solution.score) for climb in found],
            "found_at": [climb.found_at for climb in found],
        }
    many = Climbing(patience=most, most_restarts=most, starts="first-order", escapes=False)
    long = [problem.climb(many) for problem in own.problems]
    result["long"] = {
        "scores": [float(climb.solution.score) for climb in long],
        "found_at": [climb.found_at for climb in long],
    }
    for count in RESTARTS:
        climbing = Climbing(patience=count, most_restarts=count, starts="first-order", escapes=False)
        found, spent = cpu_seconds(lambda climbing=climbing: [p.climb(climbing) for p in own.problems])
        result["restarts"][str(count)] = {
            "uas": to_json(attached(gold, [climb.solution.tree.heads for climb in found])),
            "scores": [float(climb.solution.score) for climb in found],
            "seconds_a_token": spent / sum(map(len, gold)),
        }
    result["same"], result["short"] = SAME, SHORT
    return result


def start_of(problem: CrossingTrees, name: str) -> np.ndarray:
    """The first tree that a search starts from (Table 5, Init.); of random ones, one drawn as they are."""
    heads, modifiers = problem.candidates.part_nodes("arcs").T
    arcs = np.full((problem.words + 1,) * 2, -np.inf)
    arcs[heads, modifiers] = 0.0 if name == "Uniform" else problem.tables["arcs"]
    trees = SpanningTrees(arcs, single_root=problem.single_root)
    return (trees.argmax().tree if name == "MAP-1st" else trees.sample(1, seed=1)[0]).heads


STEPS_A_WORD = (2, 5, 10, 20, 50, 100, 200)


def chains(
    treebank: str, sentences: int | None, measured: int | None, epochs: int, factorization: Factorization
) -> Result:
    """Zhang et al. (2014, sampling), Figure 7: score by speed, one word at a time or by blocks."""
    own = trained(treebank, sentences, measured, epochs, factorization)
    best = sum(problem.argmax(Limits()).score for problem in own.problems)
    words = sum(problem.words for problem in own.problems)
    result: dict[str, list[dict[str, float]]] = {}
    for proposal in ("gibbs", "block"):
        result[proposal] = []
        for steps in STEPS_A_WORD:
            annealing = Annealing(steps_a_word=steps, proposal=proposal)
            found, spent = cpu_seconds(lambda a=annealing: [p.anneal(a) for p in own.problems])
            score = sum(solution.score for solution in found)
            result[proposal].append({"tokens_a_second": words / spent, "score": score / best, "steps": steps})
    return {"chains": result}


def reached(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    factorization: Factorization = "model1",
) -> Result:
    """Searches against dual decomposition, and the decoders of the parser against each other."""
    own = trained(treebank, sentences, measured, epochs, factorization)
    # The parser first: no sentence has been parsed yet.
    decoders: Result = {}
    for decoder in ("map", "climb", "sample"):
        parses, spent = cpu_seconds(lambda d=decoder: list(own.parser.pipe(own.corpus.test, decoder=d)))
        heads = [parse.heads for parse in parses]
        decoders[decoder] = {
            "uas": uas(own.corpus.test, heads),
            "tokens_a_second": sum(map(len, own.corpus.test)) / spent,
        }
    dual, seconds = cpu_seconds(lambda: [problem.argmax() for problem in own.problems])
    result: Result = {
        "lengths": [problem.words for problem in own.problems],
        "certified": [bool(solution.exact) for solution in dual],
        "dual": {"uas": own.uas(dual), "seconds": seconds / len(dual)},
        "decoders": decoders,
        "searches": {},
    }
    best, certified = np.array([one.score for one in dual]), np.array(result["certified"])
    for name, search in SEARCHES.items():
        found, spent = cpu_seconds(lambda search=search: [search(problem) for problem in own.problems])
        gained = np.array([solution.score for solution in found]) - best
        if gained[certified].max(initial=-np.inf) > SAME:
            raise SystemExit(f"{name} found a tree above a certified optimum by {gained[certified].max()}")
        result["searches"][name] = {
            "uas": own.uas(found),
            "gained": gained.tolist(),
            "seconds": spent / len(found),
        }
    return result
