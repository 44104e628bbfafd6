"""Sentences rewritten as people type keep their words' tags and trees."""

from __future__ import annotations

import pytest

from headwise.treebank import Sentence
from headwise.treebank.rewriting import REWRITINGS, rewritten
from toy_language import toy_treebank


def sentence() -> Sentence:
    return Sentence.from_words(
        ["She", "read", "Émile", "!", "."],
        upos=["PRON", "VERB", "PROPN", "PUNCT", "PUNCT"],
        heads=[2, 0, 2, 2, 2],
        labels=["nsubj", "root", "obj", "punct", "punct"],
    )


@pytest.mark.parametrize(
    ("way", "forms"),
    [
        ("lower", ["she", "read", "émile", "!", "."]),
        ("upper", ["SHE", "READ", "ÉMILE", "!", "."]),
        ("bare", ["She", "read", "Émile"]),
    ],
)
def test_a_way(way: str, forms: list[str]) -> None:
    new = REWRITINGS[way](sentence())
    count = len(forms)
    assert new.forms == forms
    assert new.upos == sentence().upos[:count]
    assert new.heads.tolist() == sentence().heads[:count].tolist()
    assert new.labels == sentence().labels[:count]


def test_a_stop_that_is_all_there_is_stays() -> None:
    alone = Sentence.from_words(["…", "."], upos=["PUNCT", "PUNCT"], heads=[0, 1], labels=["root", "punct"])
    assert REWRITINGS["bare"](alone).forms == ["…"]
    above = Sentence.from_words(["no", "."], upos=["INTJ", "PUNCT"], heads=[2, 0], labels=["dep", "root"])
    assert REWRITINGS["bare"](above).forms == ["no", "."]


def test_the_share_that_is_rewritten() -> None:
    treebank = toy_treebank(1000, seed=1)
    assert rewritten(treebank, 0, 1) == treebank
    new = rewritten(treebank, 0.3, 1)
    assert new == rewritten(treebank, 0.3, 1)
    assert len(new) == len(treebank)
    changed = sum(a != b for a, b in zip(treebank, new, strict=True))
    assert 140 < changed < 260  # most words of this language are in lower case as they are
    with pytest.raises(ValueError, match="must be from 0 to 1"):
        rewritten(treebank, 1.5, 1)
