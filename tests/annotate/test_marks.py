"""What is decided is said in MISC, and nothing else in the file changes."""

from __future__ import annotations

import pytest

from headwise.treebank import Sentence, read
from headwise.web.annotate import Decision, decisions_of, only_annotated, with_decisions
from headwise.web.annotate.marks import MarkError

FILE = """# sent_id = 1
# text = She isn't here.
1\tShe\tshe\tPRON\t_\t_\t4\tnsubj\t_\tGloss=x|Annotated=Yes
2-3\tisn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tis\tbe\tAUX\t_\t_\t4\tcop\t4:cop\tAnnotated=Head
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\tAnnotated=Label
4\there\there\tADV\t_\t_\t0\troot\t_\tSpaceAfter=No
4.1\tE\t_\t_\t_\t_\t_\t_\t_\t_
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

"""


def one() -> Sentence:
    return next(read(FILE.encode()))


def test_marks_are_read() -> None:
    assert decisions_of(one()) == [
        Decision(4, "nsubj"),
        Decision(4, None),
        Decision(None, "advmod"),
        Decision(),
        Decision(),
    ]


def test_only_what_changes_is_changed() -> None:
    sentence = one()
    same = with_decisions(sentence, decisions_of(sentence), sentence.heads.tolist(), sentence.labels)
    assert same.to_bytes() == FILE.encode()
    decisions = [*decisions_of(sentence)[:3], Decision(0, "root"), Decision()]
    decisions[0] = Decision()
    changed = with_decisions(sentence, decisions, sentence.heads.tolist(), sentence.labels).to_bytes()
    expected = FILE.replace("Gloss=x|Annotated=Yes", "Gloss=x").replace(
        "SpaceAfter=No", "SpaceAfter=No|Annotated=Yes"
    )
    assert changed == expected.encode()


def test_what_a_parser_may_learn_from() -> None:
    partial = only_annotated(one())
    assert partial.heads.tolist() == [4, 4, -1, -1, -1]
    assert partial.labels == ["nsubj", "_", "advmod", "_", "_"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Annotated=Yes", "Annotated=Perhaps", ":3: Annotated=Perhaps in MISC means nothing"),
        ("4\tnsubj", "_\tnsubj", ":3: the word is marked Annotated=Yes and has no head"),
        ("4\tnsubj", "4\t_", ":3: the word is marked Annotated=Yes and has no label"),
    ],
)
def test_marks_that_say_nothing(old: str, new: str, message: str) -> None:
    with pytest.raises(MarkError, match=message):
        decisions_of(next(read(FILE.replace(old, new, 1).encode())))
