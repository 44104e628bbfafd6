"""Calibration and error detection: against definitions written out, and on made-up systems."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from command_runner import CliRunner, Result
from headwise.cli.app import app
from headwise.evaluation import EvaluationError, Reliability, assess, reliability_of
from headwise.evaluation.reliability_plot import reliability_html, reliability_svg
from headwise.treebank import Sentence, write
from toy_language import toy_treebank


def made_up(words: int = 4000, seed: int = 1) -> Reliability:
    """Answers that are right exactly as often as their probability says."""
    rng = np.random.default_rng(seed)
    confidence = rng.random(words)
    return Reliability("head", confidence, rng.random(words) < confidence)


def test_true_probabilities_have_a_small_error_and_shifted_ones_do_not() -> None:
    honest = made_up()
    assert honest.error_of(honest.equal_width) < 0.03
    assert honest.error_of(honest.equal_mass) < 0.03
    boasting = Reliability("head", np.minimum(1, honest.confidence + 0.2), honest.right)
    assert boasting.error_of(boasting.equal_mass) > 0.12


def test_the_error_by_chance_is_what_true_probabilities_show() -> None:
    errors = [
        (item.error_of(item.equal_mass), item.error_by_chance(item.equal_mass))
        for item in (made_up(2000, seed) for seed in range(30))
    ]
    shown, expected = np.mean(errors, axis=0)
    assert shown == pytest.approx(expected, rel=0.1)


def test_the_error_by_hand() -> None:
    item = Reliability("head", np.array([0.1, 0.12, 0.9, 0.9]), np.array([False, True, True, False]))
    # Bins of width 1/15: {0.1, 0.12} and {0.9, 0.9}.
    assert item.error_of(item.equal_width) == pytest.approx(0.5 * (0.5 - 0.11) + 0.5 * (0.9 - 0.5))
    assert [bin.words for bin in item.equal_width] == [2, 2]
    assert item.brier == pytest.approx((0.01 + 0.88**2 + 0.01 + 0.81) / 4)


def test_detection_by_hand_and_with_ties() -> None:
    sure = Reliability("head", np.array([0.1, 0.2, 0.3, 0.4]), np.array([False, True, False, True]))
    looked_at, found = sure.detection
    assert looked_at.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert found.tolist() == [0, 0.5, 0.5, 1, 1]
    assert sure.looked_at_to_find(0.5) == pytest.approx(0.25)
    assert sure.detection_area == pytest.approx((0.25 + 0.5 + 0.75 + 1.0) / 4)
    alike = Reliability("head", np.full(6, 0.5), np.array([True, False] * 3))
    assert alike.detection_area == pytest.approx(0.5)  # equal probabilities say nothing, whatever their order
    assert alike.looked_at_to_find(0.5) == pytest.approx(0.5)
    first = Reliability("head", np.array([0.1, 0.9, 0.9, 0.9]), np.array([False, True, True, True]))
    assert first.detection_area == pytest.approx(first.best_detection_area)


def test_without_errors_there_is_nothing_to_find() -> None:
    item = Reliability("head", np.array([0.9, 0.8]), np.array([True, True]))
    assert item.looked_at_to_find(0.5) == 0.0
    assert reliability_svg([item])


def system_of(gold: list[Sentence]) -> list[Sentence]:
    """Every tenth word is attached wrong, with a low probability; labels are half as sure."""
    result, count = [], 0
    for sentence in gold:
        heads, misc = sentence.heads.tolist(), []
        for m in range(len(heads)):
            count += 1
            wrong = count % 10 == 0
            heads[m] = (heads[m] % len(heads)) + 1 if wrong else heads[m]
            misc.append(f"HeadProb={0.1 if wrong else 0.95}|LabelProb=0.5")
        result.append(sentence.with_tree(heads, misc=misc))
    return result


def test_probabilities_are_read_from_misc() -> None:
    gold = toy_treebank(20, seed=4)
    head, label, both = reliability_of(assess(gold, system_of(gold), "all"))
    assert [item.name for item in (head, label, both)] == ["head", "label", "labelled head"]
    assert head.words == both.words == sum(map(len, gold))
    assert label.words == int(head.right.sum())
    assert label.accuracy == 1.0
    assert head.looked_at_to_find(1.0) == pytest.approx(1 - head.accuracy)
    np.testing.assert_allclose(both.confidence, head.confidence * 0.5)


def test_punctuation_does_not_count_where_the_protocol_says_so() -> None:
    gold = toy_treebank(20, seed=4)
    head, *_ = reliability_of(assess(gold, system_of(gold), "conllx"))
    assert head.words == sum(len(s) - s.forms.count(".") for s in gold)


def test_a_file_without_probabilities_is_an_error_that_says_where() -> None:
    gold = toy_treebank(3, seed=4)
    with pytest.raises(EvaluationError, match="--confidence"):
        reliability_of(assess(gold, gold, "all"))


def test_pictures_are_well_formed() -> None:
    item = made_up()
    svg = ElementTree.fromstring(reliability_svg([item, item]))
    assert len(svg.findall("{*}g")) == 4
    ElementTree.fromstring(reliability_html([item], title="<&>"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command(tmp_path: Path) -> None:
    gold = toy_treebank(10, seed=4)
    write(gold, tmp_path / "gold.conllu")
    write(system_of(gold), tmp_path / "system.conllu")
    files = (tmp_path / "gold.conllu", tmp_path / "system.conllu", "--protocol", "all")
    found = json.loads(run("evaluate", *files, "--calibration", "--json").stdout)["calibration"]
    assert [item["judged"] for item in found] == ["head", "label", "labelled head"]
    assert sum(bin["words"] for bin in found[0]["bins"]) == sum(map(len, gold))
    plot = tmp_path / "plot.svg"
    assert "ECE" in run("evaluate", *files, "--plot", plot).stdout
    ElementTree.parse(plot)
    assert run("evaluate", *files, "--plot", tmp_path / "plot.png").exit_code == 2
    wrong = run("evaluate", files[0], files[0], "--calibration")
    assert wrong.exit_code == 1
    assert isinstance(wrong.exception, EvaluationError)


def test_tags_are_judged_too_and_words_that_are_none_can_be_left_out() -> None:
    gold = Sentence.from_words(
        ["cannot", "swim"], upos=["AUX", "VERB"], heads=[2, 0], labels=["aux", "root"], misc=["_", "_"]
    )
    misc = [f"HeadProb=0.9|LabelProb=0.9|TagProb={p}" for p in ("0.3", "0.4", "0.8")]
    system = Sentence.from_words(
        ["can", "not", "swim"],
        upos=["AUX", "PART", "NOUN"],
        heads=[3, 3, 0],
        labels=["aux", "advmod", "root"],
        misc=[f"SpaceAfter=No|{misc[0]}", *misc[1:]],
    )
    judged = {one.name: one for one in reliability_of(assess([gold], [system], "ud"))}
    assert judged["tag"].confidence.tolist() == [0.3, 0.4, 0.8]
    assert judged["tag"].right.tolist() == [False, False, False]
    (tag,) = (
        one for one in reliability_of(assess([gold], [system], "ud"), aligned=True) if one.name == "tag"
    )
    assert tag.confidence.tolist() == [0.8]
