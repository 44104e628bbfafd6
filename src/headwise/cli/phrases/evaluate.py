"""``headwise phrases evaluate``: bracketed trees against gold, as EVALB counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from headwise.cli.command import Option
from headwise.cli.evaluate import Gold, Other, Permutations, System, TestSeed
from headwise.cli.reports import report

if TYPE_CHECKING:
    from headwise.constituency.evaluation import BracketComparison, BracketScores


def evaluate(
    gold: Gold,
    system: System,
    compare: Other = None,
    permutations: Permutations = 10_000,
    seed: TestSeed = 1,
    as_json: Annotated[bool, Option("--json", help="Write JSON.")] = False,
) -> None:
    """Score a file of bracketed trees: precision, recall and F1, exact match, crossing brackets, tags.

    Example: headwise phrases evaluate gold.ptb parsed.ptb --compare other.ptb
    """
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.evaluation import compare_brackets, score_trees

    if [str(file) for file in (gold, system, compare)].count("-") > 1:
        raise click.UsageError("only one file can be read from standard input")
    golds = list(read_brackets(gold))
    scores = score_trees(golds, read_brackets(system))
    comparison = None
    if compare is not None:
        other = score_trees(golds, read_brackets(compare))
        comparison = compare_brackets(scores, other, permutations=permutations, seed=seed)
    if as_json:
        print(json.dumps(_scores_as_json(gold, system, compare, scores, comparison), indent=2))
    else:
        _print_scores(gold, system, compare, scores, comparison)


def _scores_as_json(
    gold: Path, system: Path, other: Path | None, scores: BracketScores, comparison: BracketComparison | None
) -> dict[str, Any]:
    def numbers(of: BracketScores) -> dict[str, float]:
        names = ("recall", "precision", "f1", "exact_match", "crossing", "no_crossing", "tag_accuracy")
        return {name: getattr(of, name) for name in names}

    document: dict[str, Any] = {
        "gold": str(gold),
        "system": str(system),
        "parameters": "COLLINS.prm",
        "sentences": len(scores.sentences),
        "errors": scores.errors,
        "scores": numbers(scores),
        "up_to_40_words": numbers(scores.up_to(40)),
    }
    if comparison is not None:
        document["other"] = str(other)
        document["other_scores"] = numbers(comparison.second)
        document["difference"] = comparison.permutation.difference
        document["permutation_test"] = {"p_value": comparison.permutation.p_value}
        document["sign_test"] = {"p_value": comparison.sign.p_value}
    return document


def _print_scores(
    gold: Path, system: Path, other: Path | None, scores: BracketScores, comparison: BracketComparison | None
) -> None:
    short = scores.up_to(40)
    report(f"{system} against {gold}: {len(scores.sentences)} sentences, {scores.errors} with other words")
    print("Brackets as EVALB counts them with COLLINS.prm; per cent, but for crossing brackets a sentence\n")
    print(f"{'':22}{'all':>9}{'≤ 40 words':>12}" + (f"{'second':>9}" if comparison else ""))
    seconds = comparison.second.named() if comparison else [("", 0.0)] * 8
    for (name, value), (_, of_short), (_, second) in zip(scores.named(), short.named(), seconds, strict=True):
        print(f"{name:22}{value:9.2f}{of_short:12.2f}" + (f"{second:9.2f}" if comparison else ""))
    if comparison is not None:
        test, sign = comparison.permutation, comparison.sign
        report(f"\nSecond: {other}. Difference in F1: {100 * test.difference:+.2f}")
        print(
            f"p = {test.p_value:.4f} ({test.permutations} permutations with seed {test.seed}), "
            f"{sign.p_value:.4f} (sign test: {sign.first_better} better, {sign.second_better} worse)"
        )
