"""Feature templates: what they say, what they are hashed to, and that scoring follows the definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise import Parser
from headwise.components.scoring.templates import TemplateTable, informative_columns
from headwise.treebank import Sentence
from toy_language import SMALL

words = st.lists(
    st.tuples(
        st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6),
        st.sampled_from(["NOUN", "VERB", "X", "_"]),
        st.sampled_from(["_", "Case=Nom", "Case=Acc|Number=Plur"]),
    ),
    min_size=1,
    max_size=9,
)


def random_weights(parser: Parser, seed: int) -> Parser:
    rng = np.random.default_rng(seed)
    arcs = rng.normal(size=1 << parser.config.arc_bits).astype(np.float32)
    return Parser(parser.config, {"arcs": arcs, "labels": parser.weights["labels"]})


@pytest.fixture(scope="module")
def rich_parser() -> Parser:
    """A parser that uses every built-in template, with random weights."""
    sentence = Sentence.from_words(
        ["Dogs", "barked"],
        lemmas=["dog", "bark"],
        upos=["NOUN", "VERB"],
        xpos=["NNS", "VBD"],
        feats=["Number=Plur", "Tense=Past"],
        heads=[2, 0],
        labels=["nsubj", "root"],
    )
    parser = Parser.train([sentence], **SMALL)
    assert len(parser.config.arc_templates) > len(TemplateTable.built_in("arc").lines)
    config = replace(parser.config, tags=[], arc_limits=[], label_arcs=[])  # consider every arc
    return random_weights(Parser(config, parser.weights), seed=1)


@settings(max_examples=40, deadline=None)
@given(words)
def test_arc_score_is_the_sum_of_its_feature_weights(
    rich_parser: Parser, tokens: list[tuple[str, str, str]]
) -> None:
    forms, tags, feats = zip(*tokens, strict=True)
    sentence = Sentence.from_words(
        list(forms), lemmas=list(forms), upos=list(tags), xpos=list(tags), feats=list(feats)
    )
    weights = rich_parser.weights["arcs"].astype(np.float64)
    scores = rich_parser.arc_scores(sentence)
    for m in range(1, len(sentence) + 1):
        for h in range(len(sentence) + 1):
            if h == m:
                assert scores[h, m] == -np.inf
            else:
                indices = rich_parser._native.arc_features(sentence, h, m)
                assert scores[h, m] == pytest.approx(weights[indices].sum(), abs=1e-3)


def test_feature_hashes_never_change() -> None:
    """Models store weights by hash: these numbers are part of the file format, whatever the platform."""
    sentence = Sentence.from_words(
        ["Dogs", "barked"], upos=["NOUN", "VERB"], feats=["Number=Plur", "_"], heads=[2, 0]
    )
    templates = (
        "h.form m.tag",
        "m.suffix",
        "h.shape m.prefix",
        "h.tag m.tag m.feat",
        "h-1.tag m+1.tag @direction",
    )
    parser = Parser.train(
        [sentence], preset="first", labels="none", templates={"arc": templates}, epochs=1, arc_bits=22
    )
    assert parser._native.arc_features(sentence, 2, 1).tolist() == EXPECTED_HASHES


EXPECTED_HASHES = [4018864, 4018866, 4117633, 4117635, 4174397, 4174399, 3328973, 2278806, 2278804]


def test_table_follows_the_columns_of_the_treebank() -> None:
    table = TemplateTable.parse("h.pos m.pos  # tags\n\nm.lemma\nh.form\n")
    assert table.for_columns({"form", "upos", "xpos"}).lines == ("h.pos m.pos", "h.tag m.tag", "h.form")
    assert table.for_columns({"form", "upos"}).lines == ("h.tag m.tag", "h.form")
    assert table.for_columns({"form", "lemma"}).lines == ("h.suffix m.suffix", "m.lemma", "h.form")


def test_columns_that_repeat_another_say_nothing() -> None:
    plain = Sentence.from_words(["a", "b"], lemmas=["a", "b"], upos=["X", "Y"], xpos=["X", "Y"])
    assert informative_columns([plain]) == {"form", "upos"}
    rich = Sentence.from_words(
        ["as", "b"], lemmas=["a", "b"], upos=["X", "Y"], xpos=["X1", "Y"], feats=["F=1", "_"]
    )
    assert informative_columns([rich]) == {"form", "lemma", "upos", "xpos", "feats"}


@pytest.mark.parametrize("line", ["h.feat m.feat", "m.tag c.feat"])
def test_label_templates_take_one_many_valued_word(line: str) -> None:
    sentence = Sentence.from_words(
        ["a", "b"], upos=["X", "Y"], feats=["F=1", "F=2"], heads=[0, 1], labels=["r", "x"]
    )
    with pytest.raises(ValueError, match="many-valued"):
        Parser.train([sentence], templates={"label": (line,)}, **SMALL)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("h.form q.form", "no word is called 'q'"),
        ("h.colour", "no attribute is called 'colour'"),
        ("h+12.form", "offset"),
        ("form", "not of the form word.attribute"),
        ("@direction", "empty"),
        ("between.feat h.form", "many-valued"),
    ],
)
def test_wrong_templates_are_explained(line: str, message: str) -> None:
    sentence = Sentence.from_words(
        ["a", "b"], upos=["X", "Y"], feats=["F=1", "F=2"], heads=[0, 1], labels=["r", "x"]
    )
    with pytest.raises(ValueError, match=message):
        Parser.train([sentence], templates={"arc": (line,)}, **SMALL)
