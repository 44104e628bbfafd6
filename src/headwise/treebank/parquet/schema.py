"""The columns of a sentence in Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from headwise.base.errors import HeadwiseError

VERSION = 1
METADATA_KEY = b"headwise"
"""Under this key a file says, as JSON, the version of its schema and what followed its last sentence."""

WORD_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
"""The columns of CoNLL-U that are strings, one for each word."""
REPEATING = ("upos", "xpos", "feats", "deprel")
"""Those with few different values: dictionary-encoded in Arrow too, not only in the file."""
PROBABILITIES = ("confidence", "label_confidence", "head_entropy")
"""Numbers for each word, where probabilities were asked for."""
LINE_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
"""The columns of a line that is no word: a multiword token or an empty node."""


_MISSING = "Parquet needs pyarrow; install it with: pip install 'headwise[parquet]'"


class ParquetError(HeadwiseError):
    """A Parquet file that does not hold sentences, or cannot be read or written."""


@contextmanager
def damaged(name: str, make: Callable[[str], HeadwiseError] | None = None) -> Iterator[None]:
    """Whatever pyarrow says of a file that cannot be what it should be, as an error that names the file.

    It has errors of its own, and also raises those of Python, as what it reads was damaged.
    """
    try:
        yield
    except HeadwiseError:
        raise
    except (pyarrow().ArrowException, OSError, ValueError, LookupError, TypeError, OverflowError) as error:
        said = str(error).strip() or type(error).__name__
        problem = f"{name}: cannot be read as Parquet ({said:.300}). Get the file again."
        raise (make or ParquetError)(problem) from error


def pyarrow() -> Any:
    """The module; an error that says how to get it where it is not installed."""
    try:
        for name in ("pyarrow.compute", "pyarrow.parquet"):
            import_module(name)
        return import_module("pyarrow")
    except ImportError as error:
        raise ParquetError(_MISSING) from error


def require_pyarrow() -> None:
    """An error where pyarrow is missing. Importing it would start threads, which a fork must not meet."""
    if find_spec("pyarrow") is None:
        raise ParquetError(_MISSING)


def sentence_schema() -> Any:
    """The Arrow schema: one row a sentence, lists with one element a word."""
    pa = pyarrow()
    few = pa.dictionary(pa.int32(), pa.string())
    line = [pa.field(name, pa.string()) for name in LINE_COLUMNS]
    words = {name: few if name in REPEATING else pa.string() for name in WORD_COLUMNS}
    lists = {"form": words.pop("form"), **words, "token_begin": pa.int64(), "token_end": pa.int64()}
    head_at = list(lists).index("deprel")
    ordered = [*list(lists.items())[:head_at], ("head", pa.int32()), *list(lists.items())[head_at:]]
    return pa.schema(
        [
            pa.field("document", pa.string()),
            pa.field("sent_id", pa.string()),
            pa.field("text", pa.string()),
            pa.field("begin", pa.int64()),
            pa.field("end", pa.int64()),
            *(pa.field(name, pa.list_(kind)) for name, kind in ordered),
            *(pa.field(name, pa.list_(pa.float32())) for name in PROBABILITIES),
            pa.field("log_prob", pa.float64()),
            pa.field(
                "multiword_tokens",
                pa.list_(pa.struct([pa.field("first", pa.int32()), pa.field("last", pa.int32()), *line])),
            ),
            pa.field("empty_nodes", pa.list_(pa.struct([pa.field("id", pa.string()), *line]))),
            pa.field("comments", pa.list_(pa.string())),
            pa.field("original", pa.binary()),
        ]
    )
