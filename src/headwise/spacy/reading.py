"""Docs as sentences that a parser takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from spacy.tokens import Doc, Token

from headwise.base.errors import HeadwiseError
from headwise.components.text.fields import as_field
from headwise.components.text.tokenizer import Tokenizer
from headwise.treebank import Sentence

Borders = Literal["auto", "doc", "model"]
"""Who says where sentences begin; ``auto``: the Doc where it knows, else the model."""


@dataclass(frozen=True)
class DocSentence:
    """A sentence of a Doc: its words, and the tokens they belong to."""

    tokens: Sequence[int]
    """The places of its tokens in the Doc; tokens that are nothing but space are left out."""
    counts: Sequence[int]
    """How many words each of them stands for."""
    sentence: Sentence


def without_unwritable(text: str) -> str:
    """The same text, as long as it was, without characters that the tokenizer and treebanks refuse."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def read_doc(
    doc: Doc, borders: Borders, tokenizer: Tokenizer | None, *, with_tags: bool
) -> list[DocSentence]:
    """The sentences of a Doc, with its tags and lemmas where they are wanted."""
    tokens = [token for token in doc if not token.is_space]
    if not tokens:
        return []
    first = _first_tokens(doc, tokens, borders, tokenizer)
    stretches: list[list[Token]] = []
    for token in tokens:
        if token.i in first or not stretches:
            stretches.append([])
        stretches[-1].append(token)
    return [_sentence(stretch, with_tags) for stretch in stretches]


def _first_tokens(
    doc: Doc, tokens: Sequence[Token], borders: Borders, tokenizer: Tokenizer | None
) -> set[int]:
    """The tokens that begin a sentence, none of them nothing but space."""
    if borders == "doc" or (borders == "auto" and doc.has_annotation("SENT_START")):
        return _following(tokens, [token.i for token in doc if token.is_sent_start])
    if tokenizer is None:
        raise HeadwiseError(
            "the model is a parser alone and does not know where sentences begin. Put a component before it "
            'that does (nlp.add_pipe("sentencizer", before="headwise")), or use a pipeline '
            "(headwise train --pipeline)."
        )
    at = {token.idx: token.i for token in doc}
    starts = [offset for offset, _ in sentence_starts(tokenizer, doc.text)]
    places = sorted(at)
    found: list[int] = []
    place = 0
    for start in starts:
        while place < len(places) and places[place] < start:
            place += 1
        if place < len(places):
            found.append(at[places[place]])
    return _following(tokens, found)


def sentence_starts(tokenizer: Tokenizer, text: str) -> list[tuple[int, Sentence]]:
    """Where each sentence begins in a text, and the sentence."""
    sentences = tokenizer(without_unwritable(text), offsets=True)
    return [(token_range(sentence.tokens[0].misc)[0], sentence) for sentence in sentences]


def token_range(misc: str) -> tuple[int, int]:
    """Where a token stands in the text: the value of TokenRange."""
    value = next(entry for entry in misc.split("|") if entry.startswith("TokenRange="))
    begin, end = value.removeprefix("TokenRange=").split(":")
    return int(begin), int(end)


def _following(tokens: Sequence[Token], starts: Sequence[int]) -> set[int]:
    """For each place the first token there or later that is not space."""
    found: set[int] = set()
    waiting = iter(tokens)
    token = next(waiting, None)
    for start in starts:
        while token is not None and token.i < start:
            token = next(waiting, None)
        if token is not None:
            found.add(token.i)
    return found


def _sentence(tokens: Sequence[Token], with_tags: bool) -> DocSentence:
    inner = [token._.inner_words for token in tokens]
    forms = [
        form
        for token, words in zip(tokens, inner, strict=True)
        for form in ([word["form"] for word in words] if words else [token.text])
    ]
    counts = [len(words) if words else 1 for words in inner]
    columns: dict[str, Any] = {}
    if with_tags:
        rows = [row for token, words in zip(tokens, inner, strict=True) for row in _tags(token, words)]
        names = ("lemmas", "upos", "xpos", "feats")
        columns = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    sentence = Sentence.from_words([as_field(form) for form in forms], **columns)
    return DocSentence([token.i for token in tokens], counts, sentence)


def _tags(token: Token, words: list[dict[str, Any]] | None) -> list[tuple[str, ...]]:
    """Lemma and tags of each word of a token: its own where it was parsed before, else the token's."""
    own = (as_field(token.lemma_), token.pos_ or "_", as_field(token.tag_), str(token.morph) or "_")
    names = ("lemma", "upos", "xpos", "feats")
    return [tuple(word.get(name, x) for name, x in zip(names, own, strict=True)) for word in words or [{}]]
