"""A tokenizer for spaCy: the tokens and sentences of a Headwise model, and every character of the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spacy.tokens import Doc
from spacy.util import DummyTokenizer
from spacy.vocab import Vocab

from headwise.base.errors import HeadwiseError
from headwise.components.text.tokenizer import Tokenizer
from headwise.model.stored import Stored
from headwise.spacy.model import Model
from headwise.spacy.reading import token_range, without_unwritable


@dataclass
class _Tokens:
    """The tokens of a Doc as they are found."""

    words: list[str] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)
    starts: list[bool | int | None] = field(default_factory=list)
    inner_words: dict[int, list[str]] = field(default_factory=dict)

    def add_gap(self, gap: str) -> None:
        """Between two tokens: one space belongs to the first, the rest is a token, as spaCy does."""
        if gap.startswith(" ") and self.words:
            self.spaces[-1], gap = True, gap[1:]
        if gap:
            self.add(gap, starts=not self.words)

    def add(self, word: str, *, starts: bool) -> None:
        self.words.append(word)
        self.spaces.append(False)
        self.starts.append(starts)


class HeadwiseTokenizer(DummyTokenizer):  # type: ignore[misc]
    """Splits text into the tokens of a Doc, with sentence starts. A multiword token stays one token; its
    words are in ``token._.inner_words``."""

    def __init__(self, vocab: Vocab, model: str | Path | Stored | None = "en") -> None:
        self.vocab = vocab
        self._model = Model(model)

    @property
    def model(self) -> Tokenizer:
        loaded = self._model.loaded
        loaded = getattr(loaded, "tokenizer", None) or loaded
        if not isinstance(loaded, Tokenizer):
            raise HeadwiseError(f"the model is a {loaded.KIND}, where a tokenizer or a pipeline is needed.")
        return loaded

    @model.setter
    def model(self, model: str | Path | Stored) -> None:
        self._model = Model(model)

    def __call__(self, text: str) -> Doc:
        found, end = _Tokens(), 0
        for sentence in self.model(without_unwritable(text), offsets=True):
            covered, is_first = 0, True
            for token in sentence.tokens:
                first, last = token.words
                if first <= covered:  # a word of a multiword token
                    continue
                begin, next_end = token_range(token.misc)
                found.add_gap(text[end:begin])
                if last > first:
                    covered = last
                    found.inner_words[len(found.words)] = sentence.forms[first - 1 : last]
                found.add(text[begin:next_end], starts=is_first and (bool(end) or not found.words))
                end, is_first = next_end, False
        found.add_gap(text[end:])
        doc = Doc(self.vocab, words=found.words, spaces=found.spaces, sent_starts=found.starts)
        for place, forms in found.inner_words.items():
            doc[place]._.inner_words = [{"form": form} for form in forms]
        return doc

    def to_disk(self, path: str | Path, **_: Any) -> None:
        self._model.save(path)

    def from_disk(self, path: str | Path, **_: Any) -> HeadwiseTokenizer:
        self._model = Model(Path(path))
        return self

    def to_bytes(self, **_: Any) -> bytes:
        return self._model.to_bytes()

    def from_bytes(self, data: bytes, **_: Any) -> HeadwiseTokenizer:
        self._model = Model.from_bytes(data)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.vocab, self._model)


def _restored(vocab: Vocab, model: Model) -> HeadwiseTokenizer:
    tokenizer = HeadwiseTokenizer(vocab, None)
    tokenizer._model = model
    return tokenizer
