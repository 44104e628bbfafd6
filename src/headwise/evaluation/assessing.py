"""From two files to an assessment: read, check, align."""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

from headwise.evaluation.alignment import align_same_words
from headwise.evaluation.assessment import Assessment
from headwise.evaluation.protocols import find_protocol
from headwise.evaluation.ud_alignment import align_by_characters
from headwise.evaluation.ud_measures import UniversalAssessment
from headwise.evaluation.ud_text import lay_out
from headwise.evaluation.words import ROOT, EvaluationError, Words
from headwise.treebank import Sentence, read

Source = str | os.PathLike[str] | Iterable[Sentence]
"""A file to read, or its sentences."""


def read_words(source: Source, name: str) -> Words:
    """The words of a file (messages call it by its path) or of sentences (messages call them `name`)."""
    if isinstance(source, str | os.PathLike):
        # Trees are checked below, for sentences from anywhere, and only where the protocol wants trees.
        reader = read(source, validate="columns")
        return Words(reader.name, list(reader))
    return Words(name, list(source))


def assess(gold: Source, system: Source, protocol: str = "ud", *, multiple_roots: bool = False) -> Assessment:
    """Hold `system` against `gold`, word by word.

    Under `ud` both files must be trees with one root, as in CoNLL 2018; `multiple_roots` allows several.
    The other protocols look at every word by itself and need no tree. Raises `EvaluationError`
    where the files cannot be compared.
    """
    return assess_words(
        read_words(gold, "gold"), read_words(system, "system"), protocol, multiple_roots=multiple_roots
    )


def assess_words(gold: Words, system: Words, protocol: str, *, multiple_roots: bool) -> Assessment:
    """`assess` for words that are read already."""
    rules = find_protocol(protocol)
    if len(gold) == 0:
        raise EvaluationError(f"{gold.name} has no sentences: there is nothing to score against")
    if not rules.aligns_words:
        return Assessment(rules, gold, system, align_same_words(gold, system))
    for file in (gold, system):
        check_trees(file, multiple_roots)
    gold_text, system_text = lay_out(gold), lay_out(system)
    pairs = align_by_characters(gold, system, gold_text, system_text)
    return UniversalAssessment(rules, gold, system, pairs, gold_text, system_text)


def check_trees(file: Words, multiple_roots: bool) -> None:
    """Raise `EvaluationError` at the first sentence that is not a tree."""
    heads = file.heads
    roots = np.bincount(file.sentence_of[heads == ROOT], minlength=len(file.sentences))
    if not multiple_roots and (roots > 1).any():
        sentence = int(np.argmax(roots > 1))
        raise EvaluationError(
            f"{file.sentence_place(sentence)} has {roots[sentence]} roots, and the ud protocol wants "
            "one: correct the file, or allow several (--multiple-roots, multiple_roots=True)"
        )
    # Every step doubles how far up a word looks; whoever has not seen the root by then is in a cycle.
    ancestor = np.append(heads, ROOT)
    for _ in range(int(file.lengths.max(initial=1)).bit_length()):
        ancestor = ancestor[ancestor]
    if (ancestor != ROOT).any():
        word = int(np.argmax(ancestor != ROOT))
        raise EvaluationError(f"{file.place(word)} is in a cycle or hangs below one: correct its heads")
