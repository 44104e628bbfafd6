"""Sentences to draw."""

from __future__ import annotations

import random

from headwise.treebank import Sentence


def sentence(words: str, heads: list[int], labels: str, tags: str | None = None, **columns) -> Sentence:
    upos = tags.split() if tags else None
    return Sentence.from_words(words.split(), upos=upos, heads=heads, labels=labels.split(), **columns)


def english() -> Sentence:
    return sentence(
        "She announced a program to promote safety",
        [2, 0, 4, 2, 6, 4, 6],
        "nsubj root det obj mark acl obj",
        "PRON VERB DET NOUN PART VERB NOUN",
    )


def hearing() -> Sentence:
    return sentence(
        "A hearing is scheduled on the issue today .",
        [2, 3, 0, 3, 2, 7, 5, 4, 3],
        "det nsubj root vc nmod det obj tmp punct",
    )


def chinese() -> Sentence:
    return sentence(
        "我 喜欢 研究 句法 。", [2, 0, 2, 3, 2], "nsubj root ccomp obj punct", "PRON VERB VERB NOUN PUNCT"
    )


def arabic() -> Sentence:
    return sentence("تعلن الحكومة عن برنامج", [0, 1, 4, 1], "root nsubj case obl", "VERB NOUN ADP NOUN")


def hindi() -> Sentence:
    return sentence("यह हिन्दी है", [2, 0, 2], "nsubj root cop", "PRON NOUN AUX")


def decomposed() -> Sentence:
    return sentence("Cafe\u0301 ferme\u0301", [0, 1], "root amod", "NOUN ADJ")


def several_roots() -> Sentence:
    return sentence("a b c d", [0, 1, 0, 2], "root x root y")


def one_word() -> Sentence:
    return sentence("One", [0], "root")


def nasty() -> Sentence:
    return Sentence.from_words(
        ["<b>", '"&amp;', "\x1b[31m", "\u202eevil", "]]>"],
        upos=["<", ">", "&", '"', "'"],
        heads=[0, 1, 1, 1, 1],
        labels=["<r>", '"', "&", "x\x07", "--"],
    )


def random_sentence(n: int, seed: int) -> Sentence:
    """Words of many lengths in a random tree, which mostly attaches to near words."""
    rng = random.Random(seed)
    heads = [0]
    for m in range(2, n + 1):
        near = max(1, m - 1 - int(rng.expovariate(0.35)))
        heads.append(near if rng.random() < 0.93 else rng.randint(1, m - 1))
    labels = [
        "root",
        *(rng.choice(["nsubj", "det", "acl:relcl", "conj", "nmod:poss", "obl"]) for _ in range(n - 1)),
    ]
    forms = ["".join(rng.choices("aeioumnrstl", k=rng.randint(1, 11))) for _ in range(n)]
    return Sentence.from_words(forms, upos=["NOUN"] * n, heads=heads, labels=labels)
