"""Tags, features and lemmas of words as spaCy's tokens have them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.attrs import LEMMA, MORPH, POS, TAG
from spacy.parts_of_speech import IDS as POS_IDS
from spacy.tokens import Doc

from headwise.treebank import Sentence

SPACE = {"upos": "SPACE", "xpos": "_SP", "feats": "_"}
"""What spaCy's own models say of tokens that are nothing but space; their lemma is their text."""


class TokenTags:
    """The tags of all tokens of a Doc, column by column."""

    def __init__(self, doc: Doc, columns: Collection[str]) -> None:
        """``columns`` are those that the model fills: ``upos``, ``xpos``, ``feats``, ``lemmas``."""
        self._doc = doc
        self._columns = {
            name: [token.text for token in doc] if name == "lemmas" else [SPACE[name]] * len(doc)
            for name in columns
        }

    def take(self, sentence: Sentence, tokens: Sequence[int], words: Sequence[int]) -> None:
        """The tags of these tokens, each those of a word of the sentence (from 1)."""
        for name, column in self._columns.items():
            own = getattr(sentence, name)
            for token, word in zip(tokens, words, strict=True):
                column[token] = own[word - 1]

    def attributes(self) -> dict[int, npt.NDArray[np.uint64]]:
        """As `Doc.from_array` takes them. XPOS is spaCy's tag, or UPOS where there is none."""
        strings, morphology, columns = self._doc.vocab.strings, self._doc.vocab.morphology, self._columns
        attributes: dict[int, list[Any]] = {}
        if "upos" in columns:
            attributes[POS] = [POS_IDS.get(tag, 0) for tag in columns["upos"]]
        if tags := columns.get("xpos") or columns.get("upos"):
            coarse = columns.get("upos", tags)
            pairs = zip(tags, coarse, strict=True)
            attributes[TAG] = [strings.add(upos if xpos == "_" else xpos) for xpos, upos in pairs]
        if "feats" in columns:
            attributes[MORPH] = [morphology.add("" if feats == "_" else feats) for feats in columns["feats"]]
        if "lemmas" in columns:
            attributes[LEMMA] = [
                strings.add("" if lemma == "_" != token.text else lemma)
                for token, lemma in zip(self._doc, columns["lemmas"], strict=True)
            ]
        return {name: np.array(values, np.uint64) for name, values in attributes.items()}
