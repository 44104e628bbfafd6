"""The task of Rush et al. (2010): phrase structure with dependencies, and with tags, joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headwise.constituency.evaluation import compare_brackets, score_trees
from headwise.constituency.joined import PhraseAndDependencies
from headwise.dual import RUSH_2010, Limits
from papers.tasks import Result
from phrase_structure import (
    LIMITS_OF_FIGURE_5,
    Measured,
    Measurement,
    find,
    read,
    train,
    tuned_weights,
)

GRID = (1.0, 3.0, 10.0)


def joined(treebank: str, trees: int | None, measured: int | None, tuned: int, figure: int) -> Result:
    """Tables 1 to 3 and Figure 5."""
    models = train(read(find(treebank, "train"))[:trees], None, 4)
    weights: Sequence[float] = (3.0, 3.0)
    if tuned:
        weights = tuned_weights(models, read(find(treebank, "dev")), tuned, GRID)
    test = Measurement(read(find(treebank, "test"))[:measured], models)
    dependencies, tags = test.with_dependencies(weights[0]), test.with_tagger(weights[1])
    return {
        "weights": list(weights),
        "with_dependencies": {name: _shown(one) for name, one in dependencies.items()},
        "with_tags": {name: _shown(one) for name, one in tags.items()},
        "tagger_alone": test.tags_alone(),
        "against": {
            "dependencies": _compared(dependencies, "joined, as in the paper", "Model 1, fixed tags"),
            "baseline": _compared(dependencies, "joined, as in the paper", "baseline: its arcs"),
            "tags": _compared(tags, "joined, as in the paper", "Model 1, fixed tags"),
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
    test = compare_brackets(one, other).permutation
    return {"difference": 100 * test.difference, "p": test.p_value}


def by_iterations(test: Measurement, weight: float, sentences: int) -> list[Result]:
    """Figure 5: each forest is built once, and searched with every limit."""
    system = PhraseAndDependencies(test.models.grammar, test.models.parser, weight)
    limits: list[Limits] = [replace(RUSH_2010, iterations=most) for most in LIMITS_OF_FIGURE_5]
    considered = (system.considered(sentence) for sentence in test.tagged[:sentences])
    rows = [[system.agree(forest, trees, at) for at in limits] for forest, trees in considered]
    points = []
    for place, most in enumerate(LIMITS_OF_FIGURE_5):
        parses = [row[place] for row in rows]
        same = sum(parse.tree == row[-1].tree for parse, row in zip(parses, rows, strict=True))
        points.append(
            {
                "most": most,
                "f1": 100 * score_trees(test.gold[: len(rows)], [parse.tree for parse in parses]).f1,
                "proved": 100 * sum(parse.exact for parse in parses) / len(rows),
                "same": 100 * same / len(rows),
            }
        )
    return points
