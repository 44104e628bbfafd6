"""Features of whole trees against their definition in plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise._native.scoring import WholeTree
from headwise.components.whole_tree.config import KIN
from headwise.reference.whole_tree import AFTER, BEFORE, FAMILIES, ROOT, AnnotatedTree, kin
from whole_trees import full_shape, random_sentence, random_tree

MASK = (1 << 64) - 1
OUTSIDE = {BEFORE: 0xB0, ROOT: 0xB1, AFTER: 0xB2}


def mix(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def combine(seed: int, value: int) -> int:
    rotated = (seed << 23 | seed >> 41) & MASK
    return (rotated ^ value) * 0x9E3779B97F4A7C15 & MASK


def hash_text(text: str) -> int:
    h = 0xCBF29CE484222325
    for byte in text.encode():
        h = (h ^ byte) * 0x100000001B3 & MASK
    return mix(h)


def hash_value(value: object) -> int:
    if isinstance(value, str):
        return mix(OUTSIDE[value]) if value in OUTSIDE else hash_text(value)
    if isinstance(value, int):
        return mix(value + 0x9E3779B97F4A7C15 & MASK)
    assert isinstance(value, tuple)  # lists of tags, left and right
    name, *sides = value
    h = hash_text(name)
    for side, tags in enumerate(sides):
        h = combine(h, mix(side + 1))
        for tag in tags:
            h = combine(h, hash_value(tag))
    return h


def hash_feature(feature: tuple[object, ...]) -> int:
    name, *values = feature
    assert isinstance(name, str)
    h = hash_text(name)
    for value in values:
        h = combine(h, hash_value(value))
    return h


def both(words: int, seed: int, families: tuple[str, ...]) -> tuple[WholeTree, AnnotatedTree]:
    sentence = random_sentence(words, seed)
    heads = random_tree(words, seed)
    upos = sentence.upos
    reference = AnnotatedTree(
        heads=heads.tolist(),
        forms=sentence.forms,
        coarse_tags=upos,
        fine_tags=sentence.xpos,
        lemmas=sentence.lemmas,
        conjunctions=[m for m, tag in enumerate(upos, 1) if tag == "CCONJ"],
        adpositions=[m for m, tag in enumerate(upos, 1) if tag == "ADP"],
    )
    return WholeTree(full_shape(families), sentence, np.zeros(1 << 20, np.float32)), reference


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), words=st.integers(1, 14))
def test_families_are_what_they_are_defined_to_be(family: str, seed: int, words: int) -> None:
    tree, reference = both(words, seed, (family,))
    wanted = Counter(hash_feature(feature) for feature in FAMILIES[family](reference))
    assert Counter(tree.hashes(np.array(reference.heads, np.int32)).tolist()) == wanted


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), words=st.integers(1, 12))
def test_kin_are_what_they_are_defined_to_be(seed: int, words: int) -> None:
    tree, reference = both(words, seed, tuple(KIN))
    wanted = Counter((list(KIN).index(kind), *words) for kind, *words in kin(reference))
    found = Counter(
        (*part[:4], None if part[4] < 0 else part[4])
        for part in tree.kin(np.array(reference.heads, np.int32))
    )
    assert found == wanted


def test_every_family_occurs_in_random_trees() -> None:
    seen: Counter[str] = Counter()
    for seed in range(30):
        _, reference = both(12, seed, tuple(FAMILIES))
        for family, features in FAMILIES.items():
            seen[family] += len(list(features(reference)))
        seen.update(kind for kind, *_ in kin(reference))
    assert all(seen[name] > 10 for name in (*FAMILIES, *KIN))


def test_hashes_never_change() -> None:
    """They are part of the file format."""
    tree, reference = both(9, 5, tuple(FAMILIES))
    hashes = tree.hashes(np.array(reference.heads, np.int32))
    assert hex(int(np.bitwise_xor.reduce(hashes))) == "0x637df1cb38e9ea2a"
    kin_tree, _ = both(9, 5, tuple(KIN))
    assert int(kin_tree.features(np.array(reference.heads, np.int32)).sum()) == 126912626
