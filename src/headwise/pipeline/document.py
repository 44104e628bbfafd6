"""A text and its parsed sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, overload

from headwise.components.parser.parse import Parse
from headwise.components.parser.words import Word
from headwise.components.text.raw_text import surface_tokens
from headwise.treebank import Sentence

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]


class Document(Sequence[Parse]):
    """The parses of the sentences of a text, in their order."""

    def __init__(self, text: str, parses: Sequence[Parse]) -> None:
        self.text = text
        place, placed = 0, []
        for parse in parses:
            offsets, place = _offsets(parse.sentence, text, place)
            placed.append(replace(parse, sentence=parse.to_sentence(), document_text=text, offsets=offsets))
        self._parses = placed

    @overload
    def __getitem__(self, index: int) -> Parse: ...
    @overload
    def __getitem__(self, index: slice) -> list[Parse]: ...
    def __getitem__(self, index: int | slice) -> Parse | list[Parse]:
        return self._parses[index]

    def __len__(self) -> int:
        return len(self._parses)

    @property
    def sentences(self) -> list[Parse]:
        return list(self._parses)

    @property
    def words(self) -> Iterator[Word]:
        """Of all sentences."""
        return (word for parse in self._parses for word in parse)

    def to_conllu(self) -> str:
        """As CoNLL-U; the first sentence says that a document begins."""
        sentences = [parse.to_annotated_sentence() for parse in self._parses]
        if sentences and not any(line.startswith("# newdoc") for line in sentences[0].comments):
            sentences[0] = sentences[0].with_comments(["# newdoc", *sentences[0].comments])
        return "".join(str(sentence.to_conllu()) for sentence in sentences)

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each word: its sentence, columns, head, label, place in the text and probability."""
        from headwise.components.parser.dataframe import dataframe

        return dataframe(self._parses)

    def _repr_html_(self) -> str:
        """The trees as a notebook shows them."""
        return "".join(parse._repr_html_() for parse in self._parses)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        shown = self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return f"<Document {shown!r} ({len(self)} sentence{'s' * (len(self) != 1)})>"


def _offsets(sentence: Sentence, text: str, place: int) -> tuple[list[tuple[int, int]], int]:
    """Where each word stands in the text, where what follows begins; words of a token share its place."""
    offsets: list[tuple[int, int]] = []
    for token in surface_tokens(sentence):
        start = text.find(token.form, place)
        if start < 0:  # a token that was changed after it was read
            start = place
        place = start + len(token.form)
        offsets += [(start, place)] * max(1, len(token.words))
    return offsets, place
