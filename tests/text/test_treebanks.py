"""The tokenizer and the tagger on real treebanks, small ones."""

from __future__ import annotations

import pytest

from headwise.components.tagging import Tagger, tag_scores
from headwise.components.text import Tokenizer
from headwise.components.text.raw_text import raw_text
from headwise.evaluation import evaluate
from shared_treebanks import shared_treebank


@pytest.mark.data
def test_turkish_text_is_split() -> None:
    tokenizer = Tokenizer.train(shared_treebank("UD_Turkish-IMST", "train"), epochs=4)
    gold = shared_treebank("UD_Turkish-IMST", "dev")
    found = tokenizer(raw_text(gold))
    trees = [s.with_tree([0] + [1] * (len(s) - 1), ["root"] + ["dep"] * (len(s) - 1)) for s in found]
    scores = evaluate(gold, trees, "ud")
    assert scores.tokens.f1 > 0.99
    assert scores.words.f1 > 0.96
    assert scores.sentences.f1 > 0.90


@pytest.mark.data
def test_french_is_tagged() -> None:
    tagger = Tagger.train(shared_treebank("UD_French-Sequoia", "train"), epochs=3)
    gold = shared_treebank("UD_French-Sequoia", "dev")
    scores = tag_scores(gold, tagger.pipe(gold))
    assert scores.upos > 0.96
    assert scores.feats > 0.94
    assert scores.lemmas > 0.96
