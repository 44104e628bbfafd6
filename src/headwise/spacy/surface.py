"""A tree over words as a tree over tokens, where a token may stand for several words.

For each token one of its words speaks: that which is nearest to the root, the first of several. Its head,
label, tags and lemma are those of the token; an arc to any word of a token is an arc to the token. What hangs
from a token stays below it, so there is no cycle: the head of the speaker is nearer to the root than any word
of the token, and the speaker of the head's token at least as near as that.
"""

from __future__ import annotations

from collections.abc import Sequence


def speakers(heads: Sequence[int], counts: Sequence[int]) -> list[int]:
    """The word that speaks for each token, from 1. ``counts`` are the numbers of words of the tokens."""
    if max(counts, default=1) == 1:
        return list(range(1, len(heads) + 1))
    depths = word_depths(heads)
    found, first = [], 1
    for count in counts:
        found.append(min(range(first, first + count), key=lambda word: depths[word]))
        first += count
    return found


def token_heads(heads: Sequence[int], counts: Sequence[int], speaking: Sequence[int]) -> list[int]:
    """The token that each token hangs from, from 0; itself for a root."""
    token_of = [token for token, count in enumerate(counts) for _ in range(count)]
    above = [heads[word - 1] for word in speaking]
    return [token if head == 0 else token_of[head - 1] for token, head in enumerate(above)]


def word_depths(heads: Sequence[int]) -> list[int]:
    """How many arcs lie between each node and the root; ``heads[m - 1]`` is the head of word m."""
    depths = [0] + [-1] * len(heads)
    for word in range(1, len(heads) + 1):
        path = []
        while depths[word] < 0:
            path.append(word)
            word = heads[word - 1]
        for below, node in enumerate(reversed(path), 1):
            depths[node] = depths[word] + below
    return depths
