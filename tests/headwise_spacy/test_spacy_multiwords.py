"""Trees over words as trees over tokens."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language

from headwise import Pipeline
from headwise.spacy.surface import speakers, token_heads, word_depths


def random_tree(rng: random.Random, n: int) -> list[int]:
    """Heads of n words, one or several roots, arcs may cross."""
    order = rng.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order):
        heads[word - 1] = rng.choice([0, *order[:place]])
    return heads


def depths_by_walking(heads: list[int]) -> list[int]:
    depths = [0]
    for word in range(1, len(heads) + 1):
        depth = 0
        while word:
            word, depth = heads[word - 1], depth + 1
        depths.append(depth)
    return depths


@given(st.randoms(use_true_random=False), st.lists(st.integers(1, 4), min_size=1, max_size=8))
def test_a_tree_over_tokens_is_a_tree(rng: random.Random, counts: list[int]) -> None:
    heads = random_tree(rng, sum(counts))
    words = speakers(heads, counts)
    above = token_heads(heads, counts, words)
    assert word_depths(heads) == depths_by_walking(heads)
    for token in range(len(counts)):
        seen = set()
        while above[token] != token:
            assert token not in seen, "a cycle"
            seen.add(token)
            token = above[token]
    roots = [token for token, head in enumerate(above) if head == token]
    assert 1 <= len(roots) <= heads.count(0)


@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_without_multiword_tokens_the_tree_stays_as_it_is(rng: random.Random, n: int) -> None:
    heads = random_tree(rng, n)
    counts = [1] * n
    assert speakers(heads, counts) == list(range(1, n + 1))
    above = token_heads(heads, counts, speakers(heads, counts))
    assert [0 if head == token else head + 1 for token, head in enumerate(above)] == heads


def test_the_word_nearest_to_the_root_speaks() -> None:
    # Spanish "dámelo ya": da(root) me lo | ya
    assert speakers([0, 1, 1, 1], [3, 1]) == [1, 4]
    # French "du pain": de and le hang from pain; the first of them speaks
    assert speakers([3, 3, 0], [2, 1]) == [1, 3]
    # The first word of the token hangs from "z", which hangs from its second: the second speaks.
    assert speakers([3, 0, 2], [2, 1]) == [2, 3]
    assert token_heads([3, 0, 2], [2, 1], [2, 3]) == [0, 0]


def test_a_multiword_token_in_a_doc(whole: Language, english: Pipeline) -> None:
    text = "I don't know."
    doc, parse = whole(text), english(text)[0]
    assert [word.form for word in parse] == ["I", "do", "n't", "know", "."]
    token = doc[1]
    assert (token.text, token.head.text, token.dep_) == ("don't", "know", "aux")
    assert (token.lemma_, token.pos_, token.tag_) == ("do", "AUX", parse[1].xpos)
    assert token._.inner_words == [
        {
            "id": word.id,
            "form": word.form,
            "lemma": word.lemma,
            "upos": word.upos,
            "xpos": word.xpos,
            "feats": parse.sentence.feats[word.id - 1],
            "head": int(parse.heads[word.id - 1]),
            "deprel": word.label,
        }
        for word in parse[1:3]
    ]
    assert [t.head.i for t in doc] == [2, 2, 2, 2]


def test_parsing_again_gives_the_same(whole: Language) -> None:
    doc = whole("I don't know. Don't you?")
    before = doc.to_json(underscore=["k_best"])
    assert whole.get_pipe("headwise")(doc).to_json(underscore=["k_best"]) == before
