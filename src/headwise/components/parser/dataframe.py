"""Parses as a table for pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from headwise.base.errors import HeadwiseError

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

    from headwise.components.parser.parse import Parse

COLUMNS = (
    *("sentence", "id", "form", "lemma", "upos", "xpos", "feats", "head", "label"),
    *("start", "end", "probability"),
)


def dataframe(parses: Iterable[Parse]) -> pandas.DataFrame:
    """A row for each word: its sentence, columns, head, label, place in the text and probability."""
    try:
        import pandas
    except ImportError as error:
        raise HeadwiseError("this needs pandas; install it with: pip install pandas.") from error
    rows: list[dict[str, Any]] = [
        {
            "sentence": number,
            "id": word.id,
            "form": word.form,
            "lemma": word.lemma,
            "upos": word.upos,
            "xpos": word.xpos,
            "feats": word.parse.sentence.feats[word.id - 1],
            "head": int(word.parse.heads[word.id - 1]),
            "label": word.label,
            "start": word.start,
            "end": word.end,
            "probability": word.probability,
        }
        for number, parse in enumerate(parses, 1)
        for word in parse
    ]
    return pandas.DataFrame(rows, columns=list(COLUMNS))
