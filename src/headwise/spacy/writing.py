"""Parses as the annotation of Docs."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Any

import numpy as np
from spacy.attrs import DEP, HEAD
from spacy.tokens import Doc, Span

from headwise.components.parser.parse import Parse
from headwise.spacy.extensions import forget_probabilities
from headwise.spacy.reading import DocSentence
from headwise.spacy.surface import speakers, token_heads
from headwise.spacy.tags import TokenTags

UNLABELLED, ROOT = "dep", "ROOT"
"""The label of space and of arcs that have none; what spaCy calls ``root``."""


def write_doc(
    doc: Doc,
    sentences: Sequence[DocSentence],
    parses: Sequence[Parse],
    columns: Collection[str],
    ranked: Sequence[Sequence[Parse]] = (),
) -> None:
    """Give a Doc the trees of its sentences, of their tags the columns named, and the k best trees if any."""
    forget_probabilities(doc)
    if not len(doc):
        return
    space = _heads_of_space(doc)
    above, labels, tags = list(space), [UNLABELLED] * len(doc), TokenTags(doc, columns)
    for place, parse in zip(sentences, parses, strict=True):
        heads, names, words = _token_tree(parse, place)
        for token, head, label in zip(place.tokens, heads, names, strict=True):
            above[token], labels[token] = place.tokens[head], label
        tags.take(parse.sentence, place.tokens, words)
        _write_inner_words(doc, place, parse)
        _write_probabilities(doc, place, parse, words)
    for place, trees in zip(sentences, ranked, strict=bool(ranked)):
        span = _span(doc, place)
        span._.k_best = _distinct([_plain_tree(parse, place, span, space) for parse in trees])
    attributes = tags.attributes()
    # spaCy's heads count from the token, and negative ones wrap around.
    attributes[HEAD] = (np.array(above) - np.arange(len(doc))).astype(np.int64).astype(np.uint64)
    attributes[DEP] = np.array([doc.vocab.strings.add(label) for label in labels], np.uint64)
    table: Any = np.column_stack(list(attributes.values()))
    doc.from_array(list(attributes), table)


def _heads_of_space(doc: Doc) -> list[int]:
    """For space: the word before it, else the first word after it; without any word, the first token."""
    heads, word = [], -1
    for token in doc:
        word = token.i if not token.is_space else word
        heads.append(word)
    first = next((token.i for token in doc if not token.is_space), 0)
    return [first if head < 0 else head for head in heads]


def _token_tree(parse: Parse, place: DocSentence) -> tuple[list[int], list[str], list[int]]:
    """For each token of a sentence: its head among them, its label, and the word that speaks for it."""
    word_heads = parse.heads.tolist()
    words = speakers(word_heads, place.counts)
    heads = token_heads(word_heads, place.counts, words)
    labels = [_label(parse.labels[word - 1], is_root=word_heads[word - 1] == 0) for word in words]
    return heads, labels, words


def _label(label: str, *, is_root: bool) -> str:
    if is_root and label in ("root", "_"):
        return ROOT
    return UNLABELLED if label == "_" else label


def _plain_tree(parse: Parse, place: DocSentence, span: Span, space: Sequence[int]) -> dict[str, Any]:
    """A tree over the tokens of a sentence; ``heads`` are places in it, a root's its own."""
    heads, labels = [head - span.start for head in space[span.start : span.end]], [UNLABELLED] * len(span)
    own_heads, own_labels, _ = _token_tree(parse, place)
    for token, head, label in zip(place.tokens, own_heads, own_labels, strict=True):
        heads[token - span.start], labels[token - span.start] = place.tokens[head] - span.start, label
    return {"heads": heads, "deps": labels, "prob": math.exp(parse.log_prob or 0.0)}


def _distinct(trees: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Trees over words that are one tree over tokens are one, with the sum of their probabilities."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for tree in trees:
        key = (*tree["heads"], *tree["deps"])
        if key in found:
            found[key]["prob"] += tree["prob"]
        else:
            found[key] = tree
    return sorted(found.values(), key=lambda tree: -tree["prob"])


def _span(doc: Doc, place: DocSentence) -> Span:
    """The sentence as spaCy has it: with the space that follows it, and with that before the first."""
    begin, end = place.tokens[0], place.tokens[-1] + 1
    end += sum(1 for _ in takewhile(lambda token: token.is_space, doc[end:]))
    return doc[0 if doc[:begin].text.isspace() else begin : end]


def _write_inner_words(doc: Doc, place: DocSentence, parse: Parse) -> None:
    """The columns of the words of multiword tokens, as in CoNLL-U."""
    if max(place.counts) == 1:
        return
    sentence, first = parse.sentence, 1
    columns = {
        "id": range(1, len(sentence) + 1),
        "form": sentence.forms,
        "lemma": sentence.lemmas,
        "upos": sentence.upos,
        "xpos": sentence.xpos,
        "feats": sentence.feats,
        "head": parse.heads.tolist(),
        "deprel": parse.labels,
    }
    for token, count in zip(place.tokens, place.counts, strict=True):
        if count > 1:
            doc[token]._.inner_words = [
                {name: column[word - 1] for name, column in columns.items()}
                for word in range(first, first + count)
            ]
        first += count


def _write_probabilities(doc: Doc, place: DocSentence, parse: Parse, words: Sequence[int]) -> None:
    if parse.confidence is None:
        return
    arcs = parse.confidence.tolist()
    labels = None if parse.label_confidence is None else parse.label_confidence.tolist()
    for token, word in zip(place.tokens, words, strict=True):
        doc[token]._.head_prob = arcs[word - 1]
        if labels is not None:
            doc[token]._.dep_prob = labels[word - 1]
    if parse.log_prob is not None:
        _span(doc, place)._.tree_prob = math.exp(parse.log_prob)
