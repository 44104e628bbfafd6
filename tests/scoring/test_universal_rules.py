"""Rules of labels are broken where the reference says so; labels under them are the best by trying all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise import Parser
from headwise.base.errors import ModelError
from headwise.components.scoring import universal_rules as rules
from headwise.reference.enumeration import all_trees
from headwise.reference.label_rules import best_labels, broken
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

LABELS = [
    *("root", "nsubj", "nsubj:outer", "csubj", "obj", "obl", "obl:tmod", "cop", "aux", "det", "nmod", "acl"),
    *("advmod", "case", "mark", "cc", "conj", "fixed", "goeswith", "punct", "dep"),
]
FEATS = ["_", "Polarity=Neg", "Poss=Yes", "ExtPos=ADV", "Typo=Yes", "Number=Sing|Poss=Yes"]


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 4))
    heads = draw(st.sampled_from(all_trees(n, projective=False, single_root=False)))

    def some(values: tuple[str, ...] | list[str]) -> list[str]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    return Sentence.from_words(
        [f"w{i}" for i in range(n)],
        upos=some(rules.TAGS),
        feats=some(FEATS),
        lemmas=some(["_", "x"]),
        misc=some(["_", "SpaceAfter=No"]),
        heads=list(heads),
        labels=some(LABELS),
    )


@given(sentences())
def test_what_is_broken(sentence: Sentence) -> None:
    labels = [LABELS.index(label) for label in sentence.labels]
    counts = rules.compiled(rules.RULES, LABELS).count_broken(sentence, labels)
    assert dict(zip(rules.RULES, counts, strict=True)) == broken(sentence, sentence.labels)


@given(sentences(), st.data())
def test_best_labels(sentence: Sentence, data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(rules.RULES), min_size=1, unique=True))
    some = st.lists(st.sampled_from(range(len(LABELS))), min_size=1, max_size=4, unique=True)
    options = [
        [(label, float(data.draw(st.integers(-9, 9)))) for label in data.draw(some)] for _ in sentence.forms
    ]
    chosen = rules.compiled(kept, LABELS).choose(sentence, options)
    score = sum(dict(own)[label] for own, label in zip(options, chosen, strict=True))
    count = sum(broken(sentence, [LABELS[label] for label in chosen], kept).values())
    assert (score, count) == best_labels(sentence, LABELS, options, kept)


def test_written_apart() -> None:
    """*al ready*: the second part follows the first, after a space, without a tag of its own."""

    def sentence(misc: str = "_", upos: str = "X", heads: tuple[int, ...] = (0, 1, 1)) -> Sentence:
        return Sentence.from_words(
            ["al", "rea", "dy"],
            upos=["ADV", upos, "X"],
            feats=["Typo=Yes", "_", "_"],
            misc=[misc, "_", "_"],
            heads=list(heads),
            labels=["root", "goeswith", "goeswith"],
        )

    def is_right(one: Sentence) -> bool:
        return not broken(one, one.labels)[rules.GOESWITH]

    assert is_right(sentence())
    assert not is_right(sentence(misc="SpaceAfter=No"))
    assert not is_right(sentence(upos="ADV"))
    assert not is_right(sentence(heads=(0, 1, 2)))


def test_a_treebank_that_breaks_a_rule_does_not_teach_it() -> None:
    right = Sentence.from_words(
        ["she", "reads", "it"],
        upos=["PRON", "VERB", "PRON"],
        heads=[2, 0, 2],
        labels=["nsubj", "root", "obj"],
    )
    wrong = right.with_tree([2, 0, 2], ["nsubj", "root", "nsubj"])
    assert rules.ONE_SUBJECT in rules.obeyed_by([right] * 10)
    assert rules.ONE_SUBJECT not in rules.obeyed_by([right] * 10 + [wrong])
    assert rules.ONE_OBJECT in rules.obeyed_by([right] * 10 + [wrong])


@pytest.fixture(scope="module")
def parser() -> Parser:
    """Labels at random, as after no training."""
    trained = Parser.train(toy_treebank(80, seed=1), **SMALL | {"preset": "second", "calibrate": False})
    weights = dict(trained.weights)
    weights["labels"] = np.random.default_rng(1).normal(size=weights["labels"].shape).astype(np.float32)
    return Parser(replace(trained.config, rules=[]), weights)


def test_a_parser_obeys_its_rules(parser: Parser) -> None:
    """Of tags that were never seen together; there is no label for everything in this language."""
    obedient = Parser(replace(parser.config, rules=list(rules.RULES)), parser.weights)
    rng = np.random.default_rng(3)
    free = obeyed = 0
    for sentence in toy_treebank(60, seed=7):
        strange = Sentence.from_words(sentence.forms, upos=rng.choice(rules.TAGS, len(sentence)).tolist())
        plain, ruled = parser(strange), obedient(strange)
        counts = [
            sum(broken(strange.with_tree(one.heads, one.labels), one.labels).values())
            for one in (plain, ruled)
        ]
        if not counts[0]:
            assert plain.labels == ruled.labels
        free, obeyed = free + counts[0], obeyed + counts[1]
    assert free > 100
    assert obeyed < free / 10


def test_punctuation_heads_its_like_alone(parser: Parser) -> None:
    obedient = Parser(replace(parser.config, rules=[rules.PUNCTUATION, "leaf-punct"]), parser.weights)
    for sentence in toy_treebank(40, seed=9):
        tags = ["PUNCT" if i % 2 else tag for i, tag in enumerate(sentence.upos)]
        marked = Sentence.from_words(sentence.forms, upos=tags)
        heads = obedient(marked).heads
        for m, h in enumerate(heads.tolist()):
            assert h == 0 or tags[h - 1] != "PUNCT" or tags[m] == "PUNCT" or heads[h - 1] == 0


def test_rules_are_stored(parser: Parser, tmp_path: Path) -> None:
    path = tmp_path / "model.hw"
    Parser(replace(parser.config, rules=[rules.ONE_SUBJECT]), parser.weights).save(path)
    assert Parser.load(path).config.rules == [rules.ONE_SUBJECT]


def test_an_unknown_rule(parser: Parser) -> None:
    with pytest.raises((ValueError, ModelError), match="no rule of labels is called 'no-such'"):
        replace(parser.config, rules=["no-such"])


def test_rules_switched_off() -> None:
    options: dict[str, Any] = SMALL | {"preset": "first", "calibrate": False}
    assert Parser.train(toy_treebank(30, seed=1), **options).config.rules
    assert not Parser.train(toy_treebank(30, seed=1), rules=(), **options).config.rules
