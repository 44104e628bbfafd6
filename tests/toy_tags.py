"""A toy language with tags, features and lemmas, so that a tagger can learn it from a few sentences."""

from __future__ import annotations

import random

from headwise.treebank import Sentence

NOUNS = ["dog", "tree", "дом", "猫", "parser", "river", "cloud", "Ärger"]
VERBS = ["see", "find", "walk", "plant", "cloud"]
SMALL = {"bits": 16, "epochs": 5}
"""Settings that keep training on the toy language within a fraction of a second."""


def stem(rng: random.Random, known: list[str]) -> str:
    """A common word, or a new one: a language without rare words teaches nothing about them."""
    if rng.random() < 0.6:
        return rng.choice(known)
    return "".join(rng.choice("bdgklmnt") + rng.choice("eiou") for _ in range(3)) + rng.choice("klmn")


def toy_sentence(rng: random.Random) -> Sentence:
    """A noun phrase, a verb, a noun phrase; plurals end in -ar, past tenses in -ova. "cloud" is ambiguous."""
    rows: list[tuple[str, str, str, str, str]] = []

    def noun_phrase() -> None:
        plural = rng.random() < 0.5
        number = "Number=Plur" if plural else "Number=Sing"
        rows.append(("the", "the", "DET", "DT", "_"))
        noun = stem(rng, NOUNS)
        rows.append((noun + "ar" * plural, noun, "NOUN", "NNS" if plural else "NN", number))

    noun_phrase()
    past, verb = rng.random() < 0.5, stem(rng, VERBS)
    tense = "Tense=Past" if past else "Tense=Pres"
    rows.append((verb + "ova" * past, verb, "VERB", "VBD" if past else "VB", tense))
    noun_phrase()
    rows.append((".", ".", "PUNCT", ".", "_"))
    forms, lemmas, upos, xpos, feats = (list(column) for column in zip(*rows, strict=True))
    forms[0] = forms[0].capitalize()
    return Sentence.from_words(forms, lemmas=lemmas, upos=upos, xpos=xpos, feats=feats)


def toy_tagged(count: int, seed: int) -> list[Sentence]:
    rng = random.Random(seed)
    return [toy_sentence(rng) for _ in range(count)]
