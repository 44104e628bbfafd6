"""Collins' lecture on global linear models (2007): the results of McDonald (2005), in shape."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.engine import Found, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.training import counts
from benchmarks.papers import rush_2010, thesis_5
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece

ENGLISH = thesis_5.TREEBANKS[0]


def tasks(scale: Scale) -> dict[str, Task]:
    """Those of the others: nothing is measured for this table alone."""
    of_orders, of_phrases = thesis_5.tasks(scale), rush_2010.tasks(scale)
    return {
        f"{order} {ENGLISH}": of_orders[f"{order} {ENGLISH}"] for order in ("First order", "Siblings")
    } | of_phrases


def results(found: Found) -> Iterator[Piece]:
    """Results from McDonald (2005)."""
    first, second = (counts(found[f"{order} {ENGLISH}"]) for order in ("First order", "Siblings"))
    phrases = found["gum"]["with_dependencies"]["Model 1, fixed tags"]["uas"]
    yield PaperTable(
        "results",
        "Results from McDonald (2005)",
        [
            {"Method": "Collins (1997)", "ours": f"{100 * phrases:.2f} (GUM)", "lecture": "91.4"},
            {"Method": "1st order dependency", "ours": f"{shown(percent(first))} (EWT)", "lecture": "90.7"},
            {"Method": "2nd order dependency", "ours": f"{shown(percent(second))} (EWT)", "lecture": "91.5"},
        ],
        "The three are of one treebank in the lecture, and of two here.",
    )
    compared = Comparison([first], [second])
    yield Claim("Second order is better than first", compared.is_better(), str(compared))


PAPER = Paper("lecture-2007", "Collins (2007): lecture on global linear models", tasks, (results,))
