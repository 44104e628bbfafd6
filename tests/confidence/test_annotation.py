"""Probabilities in MISC and comments: what was there stays."""

from __future__ import annotations

import numpy as np
import pytest

from headwise.components.parser.parse import Parse
from headwise.treebank import Sentence, read
from headwise.treebank.probabilities import (
    ConfidenceError,
    annotated_sentence,
    read_numbers,
    with_items,
    with_numbers,
    with_values,
    without_items,
)

SENTENCE = """\
# sent_id = s1
# headwise_logprob = -9.0000
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tDo\tdo\tAUX\t_\t_\t0\troot\t_\t_
2\tn't\tnot\tPART\t_\t_\t1\tadvmod\t_\tA=b|HeadProb=0.1|SpaceAfter=No|odd

"""


@pytest.fixture
def sentence() -> Sentence:
    return next(read(SENTENCE.encode()))


def parse_of(sentence: Sentence) -> Parse:
    return Parse(
        sentence,
        np.array([2, 0], np.int32),
        ["aux", "root"],
        1.0,
        confidence=np.array([0.25, 0.99999]),
        label_confidence=np.array([0.5, 1.0]),
        entropy=np.array([0.7, 0.0]),
        log_prob=-0.5,
        rank=2,
    )


def test_items_replace_their_own_keys_and_nothing_else() -> None:
    assert with_items("_", ["P=1"]) == "P=1"
    assert with_items("A=b|P=0|c", ["P=1", "Q=2"]) == "A=b|P=1|c|Q=2"
    assert without_items("A=b|P=0|c", {"P"}) == "A=b|c"
    assert without_items("P=0", {"P"}) == "_"


def test_a_parse_in_a_file_keeps_everything_else(sentence: Sentence) -> None:
    text = str(annotated_sentence(parse_of(sentence)))
    assert text == (
        "# sent_id = s1\n# headwise_rank = 2\n# headwise_logprob = -0.5000\n"
        "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "1\tDo\tdo\tAUX\t_\t_\t2\taux\t_\tHeadProb=0.2500|LabelProb=0.5000|HeadEntropy=0.7000\n"
        "2\tn't\tnot\tPART\t_\t_\t0\troot\t_\t"
        "A=b|HeadProb=1.0000|SpaceAfter=No|odd|LabelProb=1.0000|HeadEntropy=0.0000\n\n"
    )


def test_what_is_not_known_is_not_written(sentence: Sentence) -> None:
    plain = Parse(sentence, sentence.heads, sentence.labels, 1.0)
    assert str(annotated_sentence(plain)) == SENTENCE


def test_what_was_written_is_read(sentence: Sentence) -> None:
    written = annotated_sentence(parse_of(sentence))
    found = read_numbers(written, "HeadProb")
    assert found is not None
    assert found.tolist() == [0.25, 1.0]
    assert read_numbers(written, "Confidence", "LabelProb") is not None
    assert read_numbers(sentence, "HeadProb") is None  # not every word has it


@pytest.mark.parametrize("wrong", ["x", "1.5", "-0.1", "nan"])
def test_what_is_no_probability_is_an_error(sentence: Sentence, wrong: str) -> None:
    bad = sentence.with_tree(sentence.heads, misc=[f"HeadProb={wrong}"] * 2)
    with pytest.raises(ConfidenceError, match="HeadProb"):
        read_numbers(bad, "HeadProb")


def test_conllx_has_no_place(sentence: Sentence) -> None:
    with pytest.raises(ConfidenceError, match="CoNLL-X"):
        with_numbers(sentence.to_conllx(), {"HeadProb": np.ones(2)})


def test_comments_under_other_keys_stay(sentence: Sentence) -> None:
    changed = with_values(sentence, {"new": 1})
    assert changed.comments == [*sentence.comments, "# new = 1"]


def test_json_carries_the_numbers(sentence: Sentence) -> None:
    document = parse_of(sentence).to_json()
    assert document["rank"] == 2
    assert document["log_prob"] == -0.5
    assert document["words"][0]["confidence"] == 0.25
    assert document["words"][0]["label_confidence"] == 0.5
    assert document["words"][0]["head_entropy"] == 0.7
