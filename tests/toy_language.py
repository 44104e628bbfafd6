"""A toy language whose trees follow from its tags, so that a parser can learn it from a few sentences."""

from __future__ import annotations

import random

from headwise.treebank import Sentence

WORDS = {
    "DET": ["the", "a", "этот", "この"],
    "NOUN": ["dog", "tree", "дом", "猫", "parser"],
    "VERB": ["sees", "finds", "видит", "見る"],
    "ADP": ["in", "under", "в"],
    "ADJ": ["old", "green", "новый"],
    "PUNCT": ["."],
}


def noun_phrase(rng: random.Random, words: list[tuple[str, str]], arcs: dict[int, tuple[int, str]]) -> int:
    """Appends a noun phrase, perhaps with a prepositional phrase after it; returns its head."""
    first = len(words) + 1
    for tag in ["DET"] + ["ADJ"] * rng.randint(0, 2):
        words.append((rng.choice(WORDS[tag]), tag))
    words.append((rng.choice(WORDS["NOUN"]), "NOUN"))
    head = len(words)
    for dependent in range(first, head):
        arcs[dependent] = (head, "det" if words[dependent - 1][1] == "DET" else "amod")
    if rng.random() < 0.3:
        words.append((rng.choice(WORDS["ADP"]), "ADP"))
        preposition = len(words)
        inner = noun_phrase(rng, words, arcs)
        arcs[preposition] = (inner, "case")
        arcs[inner] = (head, "nmod")
    return head


def toy_sentence(rng: random.Random) -> Sentence:
    words: list[tuple[str, str]] = []
    arcs: dict[int, tuple[int, str]] = {}
    subject = noun_phrase(rng, words, arcs)
    words.append((rng.choice(WORDS["VERB"]), "VERB"))
    verb = len(words)
    arcs[subject], arcs[verb] = (verb, "nsubj"), (0, "root")
    if rng.random() < 0.8:
        arcs[noun_phrase(rng, words, arcs)] = (verb, "obj")
    words.append((".", "PUNCT"))
    arcs[len(words)] = (verb, "punct")
    return Sentence.from_words(
        [form for form, _ in words],
        upos=[tag for _, tag in words],
        heads=[arcs[m][0] for m in range(1, len(words) + 1)],
        labels=[arcs[m][1] for m in range(1, len(words) + 1)],
    )


def toy_treebank(count: int, seed: int) -> list[Sentence]:
    rng = random.Random(seed)
    return [toy_sentence(rng) for _ in range(count)]


SMALL = {"preset": "first", "arc_bits": 14, "label_bits": 14, "epochs": 3}
"""Settings that keep training on the toy language within a fraction of a second."""
