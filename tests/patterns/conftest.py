"""A sentence on which the documented examples can be tried."""

from __future__ import annotations

import pytest

from headwise.treebank import Sentence


def sentence(*rows: str) -> Sentence:
    """Rows of ``form lemma upos feats head label [misc]``."""
    columns = [row.split() for row in rows]
    lines = [
        "\t".join((str(n), c[0], c[1], c[2], "_", c[3], c[4], c[5], "_", c[6] if len(c) > 6 else "_"))
        for n, c in enumerate(columns, 1)
    ]
    from io import StringIO

    from headwise.treebank import read

    text = "# sent_id = s1\n# newpar\n" + "\n".join(lines) + "\n\n"
    return next(iter(read(StringIO(text), format="conllu")))


@pytest.fixture(scope="session")
def book() -> Sentence:
    """ "She has written a long book that they read ." """
    return sentence(
        "She she PRON Number=Sing|Person=3 3 nsubj HeadProb=0.99",
        "has have AUX Mood=Ind|Tense=Pres 3 aux HeadProb=0.98",
        "written write VERB Tense=Past|VerbForm=Part 0 root HeadProb=0.97",
        "a a DET _ 6 det HeadProb=1.0",
        "long long ADJ Degree=Pos 6 amod HeadProb=0.9",
        "book book NOUN Number=Sing 3 obj HeadProb=0.95",
        "that that PRON _ 9 obj HeadProb=0.8",
        "they they PRON Number=Plur|Person=3 9 nsubj HeadProb=0.7",
        "read read VERB Tense=Past 6 acl:relcl HeadProb=0.4",
        ". . PUNCT _ 3 punct SpaceAfter=No",
    )
