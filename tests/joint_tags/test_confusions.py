"""Tags that are considered because a tagger takes them for one another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise import Pipeline
from headwise.cli.app import app
from headwise.components.tagging import Tagger
from headwise.components.tagging.joint import JointTagsConfig
from headwise.components.tagging.joint.candidates import ways_to_tag
from headwise.components.tagging.joint.confusions import SHARE, confusions
from headwise.treebank import Sentence, write
from toy_language import toy_treebank


@pytest.fixture(scope="module")
def gold() -> list[Sentence]:
    return toy_treebank(60, seed=5)


@pytest.fixture(scope="module")
def confused(gold: list[Sentence], weak_tagger: Tagger) -> list[list[int]]:
    return confusions(gold, list(weak_tagger.pipe(gold)), weak_tagger.config.tags)


def test_rare_confusions_are_left_out(
    gold: list[Sentence], confused: list[list[int]], weak_tagger: Tagger
) -> None:
    predicted = weak_tagger.pipe(gold)
    counts = Counter(
        pair for g, p in zip(gold, predicted, strict=True) for pair in zip(g.upos, p.upos, strict=True)
    )
    names = [tag[0] for tag in weak_tagger.config.tags]
    assert any(len(own) > 1 for own in confused)
    for number, name in enumerate(names):
        often = counts[name, name]
        wanted = [other for other in names if counts[other, name] >= max(1, SHARE * often)] if often else []
        assert sorted(names[other] for other in confused[number]) == sorted(wanted)


def test_only_these_are_considered(
    confused: list[list[int]], weak_tagger: Tagger, unsure: list[Sentence]
) -> None:
    config = JointTagsConfig("climb", confusions=confused, most=100)
    every = ways_to_tag(JointTagsConfig("climb", margin=1e6, most=1000), weak_tagger, unsure, threads=1)
    found = ways_to_tag(config, weak_tagger, unsure, threads=1)
    fewer = ways_to_tag(replace(config, most=2), weak_tagger, unsure, threads=1)
    for own, all_of_them, few in zip(found, every, fewer, strict=True):
        best = own[0]

        def is_allowed(numbers: tuple[int, ...], best: tuple[int, ...] = best.numbers) -> bool:
            pairs = zip(best, numbers, strict=True)
            return all(a == b or not confused[a] or b in confused[a] for a, b in pairs)

        assert own == [way for way in all_of_them if is_allowed(way.numbers)]
        assert few == own[:3]
    assert sum(map(len, found)) < sum(map(len, every))


def test_pipelines_keep_them(tmp_path: Path) -> None:
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
    joint = ["--joint-candidates", "confusions"]
    call = ["train", str(treebank), "-o", str(model), *small, *joint]
    learned = ["--joint-tags", "climb", "--joint-learner", "log-linear"]
    trained = CliRunner().invoke(app, [*call, *learned])
    assert trained.exit_code == 0, trained.output
    loaded = Pipeline.load(model)
    assert loaded.joint_tags is not None
    assert loaded.joint_tags.confusions is not None
    assert len(loaded.joint_tags.confusions) == len(loaded.tagger.config.tags)
    assert len(next(iter(loaded("the old dog sees a tree ."))).heads) == 7
    refused = CliRunner().invoke(app, call)
    assert refused.exit_code == 2
    assert "--joint-candidates is for --joint-tags" in refused.output
