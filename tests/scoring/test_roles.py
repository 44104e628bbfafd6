"""Roles of words: what they are, how they are learned, that a parser makes use of them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headwise import Parser
from headwise._native import learning as native
from headwise.components.roles.config import UNKNOWN, RolesConfig, roles_of
from headwise.components.roles.training import guess_roles
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

SETTINGS = TrainingSettings.preset(**{**SMALL, "preset": "third"}, roles=True)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return train_parser(toy_treebank(60, seed=1), None, SETTINGS)


def sentence_of(words: str, heads: list[int], labels: list[str]) -> Sentence:
    return Sentence.from_words(words.split()).with_tree(np.array(heads, np.int32), labels)


def test_a_role_is_a_label_and_a_side() -> None:
    sentence = sentence_of("dogs chase cats", [2, 0, 2], ["nsubj", "root", "obj"])
    assert roles_of(sentence, sentence.heads) == ["nsubj>", "root", "obj<"]
    assert roles_of(sentence, np.array([2, 0, -1], np.int32)) == ["nsubj>", "root", None]


def test_words_without_a_head_and_rare_roles_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwise.components.roles.config.MOST", 2)
    sentences = [sentence_of("dogs chase cats", [2, 0, 2], ["nsubj", "root", "obj"])] * 2
    sentences.append(sentence_of("dogs sleep", [2, 0], ["nsubj", "root"]))
    config = RolesConfig.collect(sentences, [s.heads for s in sentences], ["_"], ["m.lower @direction"])
    assert config.names == ["nsubj>", "root"]
    assert config.ids(sentences[0], sentences[0].heads).tolist() == [0, 1, UNKNOWN]
    assert config.ids(sentences[0], np.array([-1, 0, 2], np.int32)).tolist() == [UNKNOWN, 1, UNKNOWN]


def test_guesses_come_from_models_that_have_not_seen_the_sentence() -> None:
    """Roles at random, by the word: a model knows those of its own sentences, and no others."""
    rng = random.Random(1)
    names = [f"{i}" for i in range(4)]
    sentences = [
        sentence_of(" ".join(f"w{k}x{i}" for i in range(5)), [0, 1, 1, 1, 1], rng.choices(names, k=5))
        for k in range(200)
    ]
    trees = [s.heads for s in sentences]
    config = RolesConfig.collect(sentences, trees, ["_"], ["m.lower @direction"])
    shape = config.shape(["_"], [100, 100])
    roles = [config.ids(s, s.heads) for s in sentences]
    base = replace(train_parser(sentences[:5], None, replace(SETTINGS, roles=False)).config).shape({})
    examples = [native.TrainingExample(s, s.heads, np.zeros(len(s), np.int32), base) for s in sentences]
    weights, jackknifed = guess_roles(shape, examples, roles, seed=1, threads=2)
    model = native.Roles(shape, weights)
    own = np.mean([np.mean(model.guess(e) == r) for e, r in zip(examples, roles, strict=True)])
    assert own > 0.95
    assert jackknifed < 0.4


def test_a_parser_with_roles_is_the_same_after_saving(parser: Parser, tmp_path: Path) -> None:
    assert parser.config.roles is not None
    assert {"det>", "root", "punct<"} <= set(parser.config.roles.names)
    assert any(".role" in line for line in parser.config.arc_templates)
    assert any(".role" in line for line in parser.config.part_templates["sibling"])
    parser.save(tmp_path / "model.hw")
    loaded = Parser.load(tmp_path / "model.hw")
    assert loaded.config.roles == parser.config.roles
    sentences = toy_treebank(20, seed=2)
    for ours, theirs in zip(parser.pipe(sentences), loaded.pipe(sentences, threads=2), strict=True):
        assert ours.heads.tolist() == theirs.heads.tolist()
        assert ours.score == theirs.score


def test_roles_are_read_from_the_sentence_that_is_parsed(parser: Parser) -> None:
    """Other weights of the guesses give other scores; the same features without roles have none of them."""
    sentence = toy_treebank(1, seed=5)[0]
    rng = np.random.default_rng(1)
    noise = rng.normal(size=len(parser.weights["roles"])).astype(np.float32)
    other = Parser(parser.config, {**parser.weights, "roles": noise})
    assert other(sentence).score != parser(sentence).score
    without = train_parser(toy_treebank(20, seed=1), None, replace(SETTINGS, roles=False))
    assert not any(".role" in line for line in without.config.arc_templates)
    assert "roles" not in without.weights


def test_threads_do_not_matter(parser: Parser) -> None:
    again = train_parser(toy_treebank(60, seed=1), None, replace(SETTINGS, threads=2))
    for name, table in parser.weights.items():
        assert table.tobytes() == again.weights[name].tobytes()


@pytest.mark.parametrize(
    ("preset", "changes", "guesses"),
    [
        ("first", {}, False),
        ("second", {}, False),
        ("second", {"roles": True}, True),
        ("third", {}, True),
        ("third", {"roles": False}, False),
        ("third", {"factorization": "sibling"}, False),
        ("full", {}, True),
        ("full", {"factorization": "arc"}, False),
    ],
)
def test_parsers_from_third_order_on_guess_roles(preset: str, changes: dict[str, Any], guesses: bool) -> None:
    assert TrainingSettings.preset(preset, **changes).guesses_roles == guesses  # type: ignore[arg-type]


def test_first_order_parsers_have_no_roles() -> None:
    with pytest.raises(ValueError, match="roles need a factorization above 'arc'"):
        TrainingSettings.preset("first", roles=True)
