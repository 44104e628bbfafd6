"""Clusters by heads and modifiers in the place of neighbours (Koo 2010, section 3.5.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

from headwise._native import clusters as native
from headwise.treebank import Sentence, read
from headwise.words.clusters.files import ClusterError
from headwise.words.clusters.text import BLOCK


def count_heads(
    paths: Iterable[str | Path], progress: Callable[[int], None] = lambda arcs: None
) -> native.BigramCounter:
    """Count heads and their modifiers in treebanks, as if the modifier followed the head.

    A word then counts as often as it is part of an arc. The root is no word.
    """
    counter, arcs = native.BigramCounter(), 0
    for path in paths:
        sentences = iter(read(path, validate="columns"))
        while block := list(islice(sentences, BLOCK)):
            pairs = [pair for sentence in block for pair in _arcs(sentence)]
            counter.add("".join(f"{head}\t{modifier}\n" for head, modifier in pairs).encode(), "\t")
            arcs += len(pairs)
            progress(arcs)
    if not arcs:
        raise ClusterError("there are no heads in the treebank; parse the text first (`headwise parse`).")
    return counter


def _arcs(sentence: Sentence) -> list[tuple[str, str]]:
    forms = sentence.forms
    return [
        (forms[head - 1], form) for head, form in zip(sentence.heads.tolist(), forms, strict=True) if head > 0
    ]
