"""Sentences and trees for features of whole trees."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from headwise._native.scoring import WholeTreeFeatures
from headwise.components.whole_tree.config import ALL, kin_templates, whole_tree_config
from headwise.treebank import Sentence, read
from headwise.trees import SpanningTrees

TAGS = ("NOUN", "VERB", "ADP", "CCONJ", "PUNCT", "DET")
FORMS = {
    "NOUN": ("dog", "cat"),
    "VERB": ("sees",),
    "ADP": ("in", "of"),
    "CCONJ": ("and",),
    "PUNCT": (",", "…"),
    "DET": ("a",),
}


def random_sentence(words: int, seed: int) -> Sentence:
    rng = np.random.default_rng([seed, 1])
    lines = []
    for i in range(1, words + 1):
        tag = TAGS[rng.integers(len(TAGS))]
        form = FORMS[tag][rng.integers(len(FORMS[tag]))]
        lines.append(f"{i}\t{form}\t{form}\t{tag}\t{tag[0]}{rng.integers(2)}\t_\t0\tdep\t_\t_\n")
    return next(iter(read(io.StringIO("".join(lines) + "\n"))))


def random_tree(words: int, seed: int) -> npt.NDArray[np.int32]:
    flat = SpanningTrees(np.zeros((words + 1,) * 2), single_root=False)
    return np.array(flat.sample(1, seed=seed)[0].heads, dtype=np.int32)


def full_shape(families: tuple[str, ...] = ALL) -> WholeTreeFeatures:
    columns = {"form", "lemma", "upos", "xpos"}
    templates = kin_templates(families, columns)
    return whole_tree_config(families, [random_sentence(50, 0)], columns, templates).features()
