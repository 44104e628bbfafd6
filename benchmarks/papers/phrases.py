"""The task of Rush et al. (2010): phrase structure with dependencies, and with tags, joined."""

from __future__ import annotations

import math
from collections.abc import Sequence

from benchmarks.engine import Result
from benchmarks.measuring.phrases import (
    Measured,
    Measurement,
    by_iterations,
    find,
    read,
    train,
    tuned_weights,
)
from headwise.constituency.evaluation import compare_brackets

GRID = (1.0, 3.0, 10.0)
AS_PUBLISHED, JOINED, ALONE = "joined, as in the paper", "joined", "Model 1, fixed tags"


def joined(
    treebank: str, trees: int | None, measured: int | None, tuned: int, figure: int, spread: bool = False
) -> Result:
    """Tables 1 to 3 and Figure 5, of the first sentences of the test set or of some from all over it."""
    models = train(read(find(treebank, "train"))[:trees], 4)
    weights: Sequence[float] = (3.0, 3.0)
    if tuned:
        weights = tuned_weights(models, read(find(treebank, "dev")), tuned, GRID)
    gold = read(find(treebank, "test"))
    chosen = gold[:: math.ceil(len(gold) / measured)] if measured and spread else gold[:measured]
    test = Measurement(chosen, models)
    dependencies, tags = test.with_dependencies(weights[0]), test.with_tagger(weights[1])
    return {
        "weights": list(weights),
        "with_dependencies": {name: _shown(one) for name, one in dependencies.items()},
        "with_tags": {name: _shown(one) for name, one in tags.items()},
        "tagger_alone": test.tags_alone(),
        "against": {
            "dependencies": _compared(dependencies, AS_PUBLISHED, ALONE),
            "baseline": _compared(dependencies, AS_PUBLISHED, "baseline: its arcs"),
            "tags": _compared(tags, AS_PUBLISHED, ALONE),
            "our dependencies": _compared(dependencies, JOINED, ALONE),
            "our tags": _compared(tags, JOINED, ALONE),
        },
        "figure": by_iterations(test, weights[0], figure),
    }


def _shown(one: Measured) -> Result:
    found: Result = {"uas": one.uas, "tags": one.tags, "sentences_a_second": one.per_second}
    if one.brackets:
        found |= {"p": one.brackets.precision, "r": one.brackets.recall, "f1": one.brackets.f1}
    found["iterations"] = [parse.iterations for parse in one.parses]
    found["exact"] = [bool(parse.exact) for parse in one.parses]
    return found


def _compared(rows: dict[str, Measured], first: str, second: str) -> Result:
    one, other = rows[first].brackets, rows[second].brackets
    assert one is not None
    assert other is not None
    test = compare_brackets(one, other)
    permutation = test.permutation
    return {"difference": 100 * permutation.difference, "p": permutation.p_value, "signs": test.sign.p_value}
