"""Sentences gathered into Arrow columns: flat lists of words with the borders of sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from headwise.treebank import Sentence, Token
from headwise.treebank.parquet.lifting import Lifted, lift_comments, lift_misc
from headwise.treebank.parquet.rows import sentence_bytes
from headwise.treebank.parquet.schema import (
    LINE_COLUMNS,
    PROBABILITIES,
    WORD_COLUMNS,
    pyarrow,
    sentence_schema,
)

_NO_WORD = re.compile(rb"^\d+[-.]", re.MULTILINE)
_FIELDS = ("forms", "lemmas", "upos", "xpos", "feats", "labels", "deps")


@dataclass(frozen=True)
class Place:
    """Where a sentence comes from: its document, and its first character and its end in that."""

    document: str | None = None
    begin: int | None = None
    end: int | None = None


NOWHERE = Place()


class _Lists:
    """A column of lists: all elements laid end to end, and where each sentence ends."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.ends: list[int | None] = []

    def add(self, values: Sequence[Any] | None) -> None:
        if values is None:
            self.ends.append(None)
        else:
            self.values.extend(values)
            self.ends.append(len(self.values))

    def arrow(self, kind: Any, blank: str | None = None) -> Any:
        """The column; where elements are ``blank``, they become null."""
        pa = pyarrow()
        is_encoded = pa.types.is_dictionary(kind.value_type)
        values = pa.array(self.values, pa.string() if is_encoded else kind.value_type)
        if blank is not None:
            values = pa.compute.if_else(pa.compute.equal(values, blank), None, values)
        if is_encoded:
            values = values.dictionary_encode()
        # A list that is null has a null offset, except after the last; Arrow takes the next one as its end.
        offsets: list[int | None] = []
        begin = 0
        for end in self.ends:
            offsets.append(None if end is None else begin)
            begin = begin if end is None else end
        array = pa.ListArray.from_arrays(pa.array([*offsets, begin], pa.int32()), values)
        return array.cast(kind)


class SentenceColumns:
    """Sentences on their way into a table.

    Args:
        exact: whether to make sure that each row gives back the bytes of its sentence, and to keep them
            (column ``original``) where it does not. What Headwise made itself needs no check.
    """

    def __init__(self, *, exact: bool) -> None:
        self._schema = sentence_schema()
        self._exact = exact
        self._clear()

    def _clear(self) -> None:
        self._lists = {f.name: _Lists() for f in self._schema if str(f.type).startswith("list")}
        self._single: dict[str, list[Any]] = {f.name: [] for f in self._schema if f.name not in self._lists}
        self._sentences: list[Sentence] = []

    def __len__(self) -> int:
        return len(self._single["text"])

    def add(
        self,
        sentence: Sentence,
        place: Place = NOWHERE,
        *,
        probabilities: Sequence[Any] = (None, None, None),
        log_prob: float | None = None,
    ) -> None:
        """Add a CoNLL-U sentence, with probabilities where they are not in its MISC already."""
        lifted = lift_misc(sentence.misc)
        if probabilities[0] is not None:
            lifted = Lifted(lifted.misc, lifted.begins, lifted.ends, tuple(probabilities))
        sent_id, text = sentence.sent_id, sentence.text
        comments, noted_log_prob = lift_comments(sentence.comments, sent_id, text)
        single = {
            "document": place.document,
            "sent_id": sent_id,
            "text": text,
            "begin": place.begin,
            "end": place.end,
            "log_prob": noted_log_prob if log_prob is None else log_prob,
        }
        for name, value in single.items():
            self._single[name].append(value)
        names = [name for name in WORD_COLUMNS if name != "misc"]
        for name, field in zip(names, _FIELDS, strict=True):
            self._lists[name].add(getattr(sentence, field))
        self._lists["misc"].add(lifted.misc)
        self._lists["head"].add([None if head < 0 else head for head in sentence.heads.tolist()])
        self._lists["token_begin"].add(lifted.begins)
        self._lists["token_end"].add(lifted.ends)
        for name, column in zip(PROBABILITIES, lifted.probabilities, strict=True):
            self._lists[name].add(column)
        self._lists["comments"].add(comments)
        tokens = sentence.tokens if _NO_WORD.search(sentence.to_bytes()) else []
        self._lists["multiword_tokens"].add([_multiword(t) for t in tokens if t.is_multiword])
        self._lists["empty_nodes"].add([_empty_node(t) for t in tokens if t.is_empty])
        if self._exact:
            self._sentences.append(sentence)

    def take(self) -> Any:
        """The sentences so far as a record batch; the next begin a new one."""
        pa = pyarrow()
        columns = []
        for field in self._schema:
            if field.name == "original":
                columns.append(pa.nulls(len(self), field.type))
            elif field.name in self._lists:
                blank = "_" if field.name in WORD_COLUMNS and field.name != "form" else None
                columns.append(self._lists[field.name].arrow(field.type, blank))
            else:
                columns.append(pa.array(self._single[field.name], field.type))
        batch = pa.RecordBatch.from_arrays(columns, schema=self._schema)
        if self._exact:
            originals = [
                None if sentence_bytes(row) == sentence.to_bytes() else sentence.to_bytes()
                for row, sentence in zip(batch.to_pylist(), self._sentences, strict=True)
            ]
            columns[-1] = pa.array(originals, self._schema.field("original").type)
            batch = pa.RecordBatch.from_arrays(columns, schema=self._schema)
        self._clear()
        return batch


def _multiword(token: Token) -> dict[str, Any]:
    first, last = token.words
    return {"first": first, "last": last, **_line(token)}


def _empty_node(token: Token) -> dict[str, Any]:
    return {"id": token.id, **_line(token)}


def _line(token: Token) -> dict[str, str | None]:
    fields = {name: getattr(token, name) for name in LINE_COLUMNS}
    return {name: None if field == "_" else field for name, field in fields.items()}
