"""What is wrong with tags and a tree."""

from __future__ import annotations

import numpy as np

from headwise.components.tagging.joint.candidates import Candidate
from headwise.treebank import Sentence


def mistakes(gold: Sentence, candidate: Candidate) -> int:
    """Words with a wrong tag, in any of its columns, and words with a wrong head."""
    found = candidate.parse.sentence
    right = zip(gold.upos, gold.xpos, gold.feats, strict=True)
    given = zip(found.upos, found.xpos, found.feats, strict=True)
    wrong_tags = sum(a != b for a, b in zip(right, given, strict=True))
    return wrong_tags + int((np.asarray(gold.heads) != candidate.parse.heads).sum())
