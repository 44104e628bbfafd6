"""`headwise evaluate`: score a parsed file against gold."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ProtocolChoice(StrEnum):
    ud = "ud"
    conllx = "conllx"
    all = "all"


class Grouping(StrEnum):
    length = "length"
    label = "label"
    arc_length = "arc-length"
    projectivity = "projectivity"


def evaluate(
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The file with the right trees.")],
    system: Annotated[Path, typer.Argument(metavar="SYSTEM", help="The file to score.")],
    protocol: Annotated[
        ProtocolChoice,
        typer.Option(
            help="Which words count and what is compared. "
            "ud: the CoNLL 2018 rules (punctuation counts, label subtypes do not, SYSTEM may have its own "
            "tokens). conllx: the CoNLL-X rules (words made of punctuation only are left out, full labels). "
            "all: every word, full labels."
        ),
    ] = ProtocolChoice.ud,
    by: Annotated[
        list[Grouping] | None,
        typer.Option(
            help="Also print a table of scores by this; may be repeated. length: words in the sentence. "
            "label: the relation. arc-length: distance to the head. projectivity: does the arc cross another?"
        ),
    ] = None,
    compare: Annotated[
        Path | None,
        typer.Option(
            metavar="OTHER",
            help="A second system's file: is SYSTEM better, or could it be chance? A paired permutation test "
            "and a sign test over sentences.",
        ),
    ] = None,
    permutations: Annotated[int, typer.Option(min=1, help="Permutations of that test.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of that test.")] = 1,
    multiple_roots: Annotated[
        bool,
        typer.Option("--multiple-roots", help="Accept sentences with several roots, which ud refuses."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON with every count.")] = False,
) -> None:
    """Score a parsed file against the gold file: UAS, LAS, label accuracy, CLAS, whole sentences.

    Scores depend on the protocol, so it is printed beside every number. Files may be CoNLL-U or CoNLL-X,
    plain or compressed (.gz, .xz); one of them may be - for standard input.

    \b
    headwise evaluate gold.conllu parsed.conllu
    headwise evaluate gold.conll parsed.conll --protocol conllx --by label --by arc-length
    headwise evaluate gold.conllu new.conllu --compare old.conllu --json

    Exits with 0, with 1 where a file is bad or the files do not match, with 2 where the call is wrong.
    """
    import json
    import sys

    from rich.console import Console

    from headwise.evaluation import KEYS, break_down
    from headwise.evaluation.comparison import compare_judgements
    from headwise.evaluation.judging import judge_words, read_words
    from headwise.evaluation.printing import print_report
    from headwise.evaluation.report import Report
    from headwise.evaluation.scores import scores_of

    if [str(file) for file in (gold, system, compare)].count("-") > 1:
        raise typer.BadParameter("only one file can be read from standard input")

    gold_words = read_words(gold, "gold")
    judgement = judge_words(
        gold_words, read_words(system, "system"), protocol.value, multiple_roots=multiple_roots
    )
    comparison = []
    if compare is not None:
        other = judge_words(
            gold_words, read_words(compare, "other"), protocol.value, multiple_roots=multiple_roots
        )
        comparison = compare_judgements(judgement, other, permutations=permutations, seed=seed)
    report = Report(
        judgement=judgement,
        scores=scores_of(judgement),
        breakdowns=[break_down(judgement, choice.value, KEYS[choice.value]) for choice in by or ()],
        other=None if compare is None else str(compare),
        comparison=comparison,
    )
    if as_json:
        typer.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
    else:
        # A pipe has no width to fit into; lines are as long as they need to be.
        print_report(report, Console(width=None if sys.stdout.isatty() else 200))
