"""Sentences that only teachers know trees of (`headwise.training.teaching_settings`)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.components.text import Tokenizer
from headwise.treebank import Sentence, read
from headwise.treebank.files import is_treebank_file, read_lines

LONGEST = 100
"""Words; longer sentences are left out, few of which are sentences."""


def read_unlabelled(path: str | Path, tokenizer: Tokenizer | None = None) -> list[Sentence]:
    """The sentences of a treebank file; with a tokenizer, those of any other file as raw text too."""
    if is_treebank_file(path):
        sentences: Iterable[Sentence] = read(path, validate="columns")
    elif tokenizer is not None:
        sentences = tokenizer.pipe(read_lines(path))
    else:
        raise HeadwiseError(
            f"{path} is no treebank file (.conllu): a parser needs words and tags, as it will see them "
            "(headwise tag). A --pipeline reads raw text."
        )
    found = [sentence for sentence in sentences if 2 <= len(sentence) <= LONGEST]
    if not found:
        raise HeadwiseError(f"{path}: there is no sentence of 2 to {LONGEST} words.")
    return found
