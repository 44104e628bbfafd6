"""`headwise evaluate`: score a parsed file against gold."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from headwise.cli.brackets import refuse_brackets
from headwise.cli.choices import LARGEST_SEED
from headwise.cli.command import Argument, Option

if TYPE_CHECKING:
    from headwise.evaluation.report import Report


class ProtocolChoice(StrEnum):
    ud = "ud"
    conllx = "conllx"
    ptb = "ptb"
    all = "all"


class Grouping(StrEnum):
    length = "length"
    label = "label"
    arc_length = "arc-length"
    projectivity = "projectivity"


Gold = Annotated[Path, Argument(metavar="GOLD", help="The file with the right trees.")]
System = Annotated[Path, Argument(metavar="SYSTEM", help="The file to score.")]
Other = Annotated[
    Path | None,
    Option(
        metavar="OTHER",
        help="A second system's file: is SYSTEM better, or could it be chance? A paired permutation test"
        " and a sign test over sentences.",
    ),
]
Permutations = Annotated[int, Option(min=1, help="Permutations of that test.")]
TestSeed = Annotated[int, Option(min=0, max=LARGEST_SEED, help="Seed of that test.")]


def evaluate(
    gold: Gold,
    system: System,
    protocol: Annotated[
        ProtocolChoice,
        Option(
            help="Which words count and what is compared. "
            "ud: the CoNLL 2018 rules (punctuation counts, label subtypes do not, SYSTEM may have its own "
            "tokens). conllx: the CoNLL-X rules (words made of punctuation only are left out, full labels). "
            "ptb: as conllx, but the gold tag (XPOS) tells punctuation: `` '' : , and the full stop. "
            "all: every word, full labels."
        ),
    ] = ProtocolChoice.ud,
    by: Annotated[
        list[Grouping] | None,
        Option(
            help="Also print a table of scores by this; may be repeated. length: words in the sentence. "
            "label: the relation. arc-length: distance to the head. projectivity: does the arc cross another?"
        ),
    ] = None,
    compare: Other = None,
    permutations: Permutations = 10_000,
    seed: TestSeed = 1,
    confusion: Annotated[
        bool, Option("--confusion", help="Also print which labels are taken for which.")
    ] = False,
    worst: Annotated[
        int,
        Option(min=0, metavar="N", help="Also list the N sentences with the most wrong words."),
    ] = 0,
    calibration: Annotated[
        bool,
        Option(
            "--calibration",
            help="Assess the probabilities in SYSTEM's MISC column (headwise parse --confidence): do they "
            "mean what they say, and do they find the errors?",
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        Option(metavar="FILE", help="Draw that into FILE (.svg or .html); implies --calibration."),
    ] = None,
    multiple_roots: Annotated[
        bool,
        Option("--multiple-roots", help="Accept sentences with several roots, which ud refuses."),
    ] = False,
    as_json: Annotated[bool, Option("--json", help="Write JSON with every count.")] = False,
) -> None:
    """Score a parsed file against the gold file: UAS, LAS, label accuracy, CLAS, whole sentences.

    Scores depend on the protocol, so it is printed beside every number. Files may be CoNLL-U or CoNLL-X,
    plain or compressed (.gz, .xz); one of them may be - for standard input.

    Examples:

      headwise evaluate gold.conllu parsed.conllu

      headwise evaluate gold.conll parsed.conll --protocol conllx --by label --by arc-length

      headwise evaluate gold.conllu new.conllu --compare old.conllu --json

      headwise evaluate gold.conllu parsed.conllu --confusion --worst 10

      headwise evaluate gold.conllu parsed.conllu --calibration --plot reliability.svg

    Exits with 0, with 1 where a file is bad or the files do not match, with 2 where the call is wrong.
    """
    import json
    import sys

    from headwise.cli.reports import console
    from headwise.evaluation import KEYS, break_down
    from headwise.evaluation.assessing import assess_words, read_words
    from headwise.evaluation.comparison import compare_assessments
    from headwise.evaluation.confusion import confusion_of
    from headwise.evaluation.printing import print_report
    from headwise.evaluation.reliability import reliability_of
    from headwise.evaluation.report import Report
    from headwise.evaluation.scores import scores_of
    from headwise.evaluation.worst import worst_sentences

    if plot is not None and plot.suffix not in (".svg", ".html", ".htm"):
        raise click.UsageError(f"--plot writes .svg or .html, not {plot.suffix or plot}")
    if [str(file) for file in (gold, system, compare)].count("-") > 1:
        raise click.UsageError("only one file can be read from standard input")

    refuse_brackets("evaluate", [gold])
    gold_words = read_words(gold, "gold")
    assessment = assess_words(
        gold_words, read_words(system, "system"), protocol.value, multiple_roots=multiple_roots
    )
    comparison = []
    if compare is not None:
        other = assess_words(
            gold_words, read_words(compare, "other"), protocol.value, multiple_roots=multiple_roots
        )
        comparison = compare_assessments(assessment, other, permutations=permutations, seed=seed)
    report = Report(
        assessment=assessment,
        scores=scores_of(assessment),
        breakdowns=[break_down(assessment, choice.value, KEYS[choice.value]) for choice in by or ()],
        other=None if compare is None else str(compare),
        comparison=comparison,
        reliability=reliability_of(assessment) if calibration or plot is not None else [],
        confusion=confusion_of(assessment) if confusion else None,
        worst=worst_sentences(assessment, worst) if worst else [],
    )
    if plot is not None:
        _draw(report, plot)
    if as_json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
    else:
        # A pipe has no width to fit into; lines are as long as they need to be.
        print_report(report, console(width=None if sys.stdout.isatty() else 200))


def _draw(report: Report, plot: Path) -> None:
    from headwise.evaluation.reliability_plot import reliability_html, reliability_svg

    title = f"{report.assessment.system.name} against {report.assessment.gold.name}"
    drawn = (
        reliability_svg(report.reliability)
        if plot.suffix == ".svg"
        else reliability_html(report.reliability, title=title)
    )
    from headwise.base.atomic import replaced

    with replaced(plot) as file:
        file.write(drawn.encode())
