"""Pipelines that choose tags with trees, from training to parsed text."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise import Pipeline
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.components.tagging.joint import JointTagsConfig
from headwise.learning import Listener
from headwise.training import TrainingSettings
from headwise.training.pipeline_steps.joint_tags import NO_GAIN
from headwise.treebank import Sentence, write
from toy_language import toy_treebank

FIRST = TrainingSettings.preset("first", arc_bits=12, label_bits=12, epochs=1, calibrate=False)


@pytest.mark.parametrize("way", ["climb", "senses", "agree"])
def test_training_without_a_development_set(way: str) -> None:
    nlp = Pipeline.train(toy_treebank(12, seed=1), settings=FIRST, jackknife=2, joint_tags=way)  # type: ignore[arg-type]
    assert nlp.joint_tags is not None
    assert nlp.joint_tags.way == way
    (parse,) = nlp("the old dog sees a tree .")
    assert len(parse.heads) == 7


def test_parsers_learn_from_gold_tags_too() -> None:
    options = {"settings": FIRST, "jackknife": 2, "joint_tags": "climb", "joint_learner": "log-linear"}
    sentences = toy_treebank(101, seed=1)
    once, twice = (
        Pipeline.train(sentences, **options, gold_tags_too=too)  # type: ignore[arg-type]
        for too in (False, True)
    )
    sizes = [nlp.parser.config.training["sentences"] for nlp in (once, twice)]
    assert sizes == [101, 201]


@pytest.mark.parametrize("preset", ["second", "third"])
def test_senses_above_first_order(preset: str) -> None:
    options = {"arc_bits": 12, "label_bits": 12, "epochs": 1, "calibrate": False}
    settings = TrainingSettings.preset(preset, **options)  # type: ignore[arg-type]
    nlp = Pipeline.train(toy_treebank(12, seed=1), settings=settings, jackknife=2, joint_tags="senses")
    assert nlp.parser.config.projective
    (parse,) = nlp("the old dog sees a tree .")
    assert len(parse.heads) == 7


def test_a_way_that_gains_nothing_is_left_out() -> None:
    """The toy language has no ambiguous words, so the tagger makes no mistakes that trees could mend."""
    heard: list[str] = []
    nlp = Pipeline.train(
        toy_treebank(60, seed=1),
        toy_treebank(10, seed=2),
        settings=FIRST,
        jackknife=2,
        joint_tags="climb",
        listener=Listener(message=heard.append),
    )
    assert nlp.joint_tags is None
    assert NO_GAIN in heard


@pytest.mark.parametrize(("preset", "trees"), [("full", "projective"), ("second", "nonprojective")])
def test_what_cannot_be_exact_is_refused_before_training(preset: str, trees: str) -> None:
    settings = TrainingSettings.preset(preset, trees=trees)  # type: ignore[arg-type]
    with pytest.raises(HeadwiseError, match="--joint-tags climb"):
        Pipeline.train(toy_treebank(3, seed=1), settings=settings, joint_tags="senses")


def test_commands(tmp_path: Path) -> None:
    treebank, model = tmp_path / "train.conllu", tmp_path / "joint.hw"
    write(toy_treebank(12, seed=1), treebank)
    small = [
        "--factorization",
        "arc",
        "--epochs",
        "1",
        "--arc-bits",
        "12",
        "--no-calibration",
        "--jackknife",
        "2",
    ]
    run = CliRunner()
    trained = run.invoke(app, ["train", str(treebank), "-o", str(model), "--joint-tags", "agree", *small])
    assert trained.exit_code == 0, trained.output
    assert Pipeline.load(model).joint_tags is not None
    parsed = run.invoke(app, ["parse", "the old dog sees a tree .", "-m", str(model), "--to", "conllu"])
    assert parsed.exit_code == 0, parsed.output
    assert "\ttree\t" in parsed.stdout
    refused = run.invoke(app, ["train", str(treebank), "-o", str(model), "--joint-tags", "guess"])
    assert refused.exit_code == 2


def test_certificates_are_about_tags_too(pipeline: Pipeline, unsure: list[Sentence], tmp_path: Path) -> None:
    """Those that are kept need none."""
    model, treebank = tmp_path / "joint.hw", tmp_path / "input.conllu"
    pipeline.with_joint_tags(JointTagsConfig("climb", parser_weight=1.0, margin=100)).save(model)
    write([*unsure[:3], toy_treebank(1, seed=1)[0]], treebank)
    words = ["parse", str(treebank), "-m", str(model), "--certificates", "--to", "conllu"]
    parsed = CliRunner().invoke(app, words)
    assert parsed.exit_code == 0, parsed.output
    comments = [line for line in parsed.stdout.splitlines() if line.startswith("# headwise_exact")]
    proved = [line.endswith("= yes") for line in comments]
    assert proved == [False, False, False, True]
