"""A row of a Parquet file as the bytes of a CoNLL-U sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from headwise.treebank.parquet.lifting import Lifted, restore_comments, restore_misc
from headwise.treebank.parquet.schema import LINE_COLUMNS, PROBABILITIES, ParquetError


def sentence_bytes(row: Mapping[str, Any]) -> bytes:
    """The sentence of a row (as of ``table.to_pylist()``), byte for byte as it was before it became one.

    Columns that a query left out are taken to be empty, except ``form``.
    """
    if row.get("original") is not None:
        return cast(bytes, row["original"])
    if not row.get("form"):
        raise ParquetError("a sentence needs the column 'form', a list with one string a word.")
    count = len(row["form"])
    lines = restore_comments(
        row.get("comments") or [], row.get("sent_id"), row.get("text"), row.get("log_prob")
    )
    misc = Lifted(
        _column(row, "misc", count),
        row.get("token_begin"),
        row.get("token_end"),
        tuple(row.get(name) for name in PROBABILITIES),
    )
    heads = ["_" if head is None else str(head) for head in row.get("head") or [None] * count]
    columns = [
        *([field or "_" for field in _column(row, name, count)] for name in LINE_COLUMNS[:5]),
        heads,
        _column(row, "deprel", count),
        _column(row, "deps", count),
        restore_misc(misc),
    ]
    if any(len(column) != count for column in columns):
        raise ParquetError(f"the lists of sentence {row.get('sent_id')} are not of the same length.")
    before: dict[int, list[str]] = {}
    for token in row.get("multiword_tokens") or ():
        before.setdefault(token["first"], []).append(_line(f"{token['first']}-{token['last']}", token))
    after: dict[int, list[str]] = {}
    for node in row.get("empty_nodes") or ():
        after.setdefault(int(node["id"].partition(".")[0]), []).append(_line(node["id"], node))
    lines += after.get(0, [])
    for number, fields in enumerate(zip(*columns, strict=True), 1):
        lines += [*before.get(number, ()), "\t".join((str(number), *fields)), *after.get(number, ())]
    return "\n".join([*lines, "", ""]).encode()


def _column(row: Mapping[str, Any], name: str, count: int) -> list[str]:
    values = row.get(name)
    return ["_"] * count if values is None else ["_" if value is None else value for value in values]


def _line(number: str, fields: Mapping[str, str | None]) -> str:
    return "\t".join([number, *(fields.get(name) or "_" for name in LINE_COLUMNS)])
