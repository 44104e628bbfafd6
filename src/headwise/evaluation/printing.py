"""A report as text: tables with rules and bold heads on a terminal, plain columns in a pipe."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from headwise.base.writing_systems import printable
from headwise.evaluation.breakdown import Breakdown, GroupScore
from headwise.evaluation.confusion import Confusion
from headwise.evaluation.reliability import BINS
from headwise.evaluation.report import Report
from headwise.evaluation.score import Score
from headwise.evaluation.worst import SentenceErrors

NOTHING = "–"
MIXUPS = 20
"""Kinds of confused labels that are printed; JSON has all."""


def print_report(report: Report, console: Console) -> None:
    """Write the whole report; every number stands in a row with the name of its protocol."""
    assessment, protocol = report.assessment, report.assessment.protocol
    _say(
        console,
        f"{assessment.system.name} against {assessment.gold.name}: "
        f"{len(assessment.gold.sentences)} sentences, {len(assessment.gold)} words",
    )
    _say(console, f"Protocol {protocol.name}: {protocol.summary}")
    console.print()
    console.print(_universal_scores(report) if protocol.aligns_words else _accuracies(report))
    if report.scores.clas is None:
        _say(console, "CLAS is defined for the relations of Universal Dependencies; gold has others.")
    for table in report.breakdowns:
        console.print()
        console.print(_breakdown(table))
    if report.confusion is not None:
        console.print()
        _print_confusion(report.confusion, console)
    if report.worst:
        console.print()
        console.print(_worst(report.worst))
    if report.reliability:
        console.print()
        _print_reliability(report, console)
    if report.comparison:
        console.print()
        _print_comparison(report, console)


def _universal_scores(report: Report) -> Table:
    table = _table(["Measure", "Protocol"], ["Precision", "Recall", "F1", "Aligned accuracy"])
    for name, score in report.scores.named():
        if score is not None:
            ratios = (score.precision, score.recall, score.f1, score.aligned_accuracy)
            table.add_row(name, report.assessment.protocol.name, *map(_percent, ratios))
    return table


def _accuracies(report: Report) -> Table:
    table = _table(["Measure", "Protocol"], ["Score", "Correct", "Gold", "System"])
    for name, score in report.scores.named():
        table.add_row(name, report.assessment.protocol.name, *_accuracy(score))
    return table


def _accuracy(score: Score | None) -> list[str]:
    if score is None or not score.gold + score.system:
        return [NOTHING] * 4
    return [_percent(score.f1), str(score.correct), str(score.gold), str(score.system)]


def _breakdown(breakdown: Breakdown) -> Table:
    protocol = breakdown.protocol.name
    if breakdown.same_groups:
        table = _table([f"By {breakdown.by}", "Protocol"], ["Words", "UAS", "LAS"])
        for group in breakdown.groups:
            table.add_row(
                Text(group.name),
                protocol,
                str(group.uas.gold),
                _percent(group.uas.recall),
                _percent(group.las.recall),
            )
        return table
    ratios = ["UAS P", "UAS R", "UAS F1", "LAS P", "LAS R", "LAS F1"]
    table = _table([f"By {breakdown.by}", "Protocol"], ["Gold", "System", *ratios])
    for group in breakdown.groups:
        table.add_row(
            Text(group.name),
            protocol,
            str(group.uas.gold),
            str(group.uas.system),
            *_ratios(group.uas),
            *_ratios(group.las),
        )
    return table


def _ratios(score: GroupScore) -> list[str]:
    return [
        _percent(score.precision if score.system else None),
        _percent(score.recall if score.gold else None),
        _percent(score.f1),
    ]


def _print_confusion(confusion: Confusion, console: Console) -> None:
    shown = confusion.mixups[:MIXUPS]
    table = _table(["Gold label", "System label"], ["Words", "with the right head"])
    for mixup in shown:
        row = Text(mixup.gold), Text(mixup.system), str(mixup.words), str(mixup.right_head)
        table.add_row(*row)
    console.print(table)
    rest = sum(mixup.words for mixup in confusion.mixups[MIXUPS:])
    others = f"; {rest} words of {len(confusion.mixups) - MIXUPS} rarer kinds are left out" if rest else ""
    wrong = confusion.words - confusion.right
    _say(console, f"{wrong} of {confusion.words} words have another label than in gold{others}.")


def _worst(sentences: list[SentenceErrors]) -> Table:
    table = _table(["Worst sentences"], ["Words", "Wrong heads", "Wrong"])
    table.add_column("Text", no_wrap=True, overflow="ellipsis")
    for one in sentences:
        name = f"{one.number} (line {one.sentence.line})"
        table.add_row(name, str(one.words), str(one.wrong_heads), str(one.wrong), Text(printable(one.text)))
    return table


def _print_reliability(report: Report, console: Console) -> None:
    summary = _table(
        ["Probability of"],
        [
            "Words",
            "Right",
            "Mean",
            "ECE (width)",
            "ECE (mass)",
            "by chance",
            "Brier",
            "Detection area",
            "Best",
            "½ errors in",
        ],
    )
    for item in report.reliability:
        errors = (
            item.error_of(item.equal_width),
            item.error_of(item.equal_mass),
            item.error_by_chance(item.equal_mass),
        )
        summary.add_row(
            item.name,
            str(item.words),
            *map(_percent, (item.accuracy, item.mean_confidence, *errors)),
            *(f"{x:.3f}" for x in (item.brier, item.detection_area, item.best_detection_area)),
            _percent(item.looked_at_to_find(0.5)),
        )
    console.print(summary)
    head = report.reliability[0]
    bins = _table(["Probability of a head"], ["Words", "Mean", "Right", "Difference"])
    for bin in head.equal_width:
        bins.add_row(
            _bar(bin.accuracy),
            str(bin.words),
            _percent(bin.confidence),
            _percent(bin.accuracy),
            f"{100 * (bin.accuracy - bin.confidence):+.2f}",
        )
    console.print()
    console.print(bins)
    _say(
        console,
        f"ECE: expected calibration error, {BINS} bins; by chance: what true probabilities would show "
        "on so few words. Detection area: under the curve of errors found when "
        "words are looked at from the least probable on (chance: 0.5). ½ errors in: the share of the words "
        "that holds half of the errors.",
    )


def _bar(share: float) -> str:
    return "█" * round(20 * share)


def _print_comparison(report: Report, console: Console) -> None:
    _say(console, f"First: {report.assessment.system.name}; second: {report.other}")
    console.print()
    table = _table(
        ["Measure", "Protocol"],
        [
            "First",
            "Second",
            "Difference",
            "p (permutation)",
            "First wins",
            "Second wins",
            "Ties",
            "p (sign)",
        ],
    )
    for row in report.comparison:
        sign = row.sign
        table.add_row(
            row.name,
            row.protocol.name,
            _percent(row.first.f1),
            _percent(row.second.f1),
            f"{100 * row.permutation.difference:+.2f}",
            _p_value(row.permutation.p_value),
            *map(str, (sign.first_better, sign.second_better, sign.ties)),
            _p_value(sign.p_value),
        )
    console.print(table)
    test = report.comparison[0].permutation
    _say(
        console,
        f"Two-sided tests over sentences: {test.permutations} permutations with seed {test.seed}; "
        "exact sign test over the sentences where one system has more words right.",
    )


def _table(names: Iterable[str], numbers: Iterable[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in names:
        table.add_column(name, no_wrap=True)
    for number in numbers:
        table.add_column(number, justify="right")
    return table


def _say(console: Console, sentence: str) -> None:
    console.print(Text(sentence), soft_wrap=True)


def _percent(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"{100 * ratio:.2f}"


def _p_value(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
