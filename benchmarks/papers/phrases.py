"""The task of Rush et al. (2010): phrase structure with dependencies, and with tags, joined."""

from __future__ import annotations

from collections.abc import Sequence

from headwise.constituency.evaluation import compare_brackets
from papers.tasks import Result
from phrase_structure import Measurement, by_iterations, find, read, train, tuned_weights
from phrase_tables import Measured

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
