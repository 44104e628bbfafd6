"""Reading treebank files sentence by sentence, in memory that does not grow with the file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Literal

from headwise._native import treebank as native
from headwise._native.treebank import Sentence
from headwise.base.errors import TreebankError
from headwise.treebank.encodings import remedy_for
from headwise.treebank.files import Readable, name_of, read_chunks

Format = Literal["conllu", "conllx"]
if TYPE_CHECKING:
    from headwise.treebank.json_lines import JsonReader

Validate = Literal["columns", "tree", "single-root"]
OnError = Literal["stop", "skip"]


class Reader(Iterator[Sentence]):
    """The sentences of a file, one at a time; made by `read`.

    Attributes:
        skips: whether broken sentences are passed over.
        skipped: the broken sentences passed over so far, each as the error it would have been.
        trailer: once the end is reached, the bytes after the last sentence (blank lines, comments).
    """

    def __init__(
        self,
        readable: Readable,
        format: Format | Literal["auto"] = "auto",
        validate: Validate = "tree",
        on_error: OnError = "stop",
    ) -> None:
        if on_error not in ("stop", "skip"):
            raise ValueError(f"on_error must be stop or skip, not {on_error!r}")
        self.name = name_of(readable)
        self.skipped: list[TreebankError] = []
        self.trailer = b""
        self.skips = on_error == "skip"
        expected, fallback = _format_by_name(self.name)
        self._native = native.Reader(self.name, expected if format == "auto" else format, fallback, validate)
        self._start = b""
        self._sentences = self._read(readable)

    @property
    def format(self) -> Format | None:
        """The format of the file, known once its first sentence was read."""
        return self._native.format

    def __iter__(self) -> Reader:
        return self

    def __next__(self) -> Sentence:
        return next(self._sentences)

    def _read(self, readable: Readable) -> Iterator[Sentence]:
        chunks = read_chunks(readable)
        self._start = next(chunks, b"")
        if looks_like_json(self._start):
            remedy = "convert it first (headwise convert --to conllu)"
            raise TreebankError(self.name, 1, None, "the file holds sentences in JSON", remedy)
        for chunk in chain([self._start], chunks):
            yield from self._checked(self._native.read(chunk))
        yield from self._checked(self._native.read(b""))
        self.trailer = self._native.trailer

    def _checked(self, items: list[Sentence | native.Problem]) -> Iterator[Sentence]:
        for item in items:
            if isinstance(item, Sentence):
                yield item
                continue
            remedy = remedy_for(self._start) if "is not UTF-8" in item.problem else item.remedy
            error = TreebankError(self.name, item.line, item.column, item.problem, remedy)
            if not self.skips:
                raise error
            self.skipped.append(error)


def looks_like_json(start: bytes) -> bool:
    """Whether a file that begins so holds sentences in JSON, one a line."""
    return start.lstrip()[:1] == b"{" and b'"words"' in start


SKIP_THEM = "give every word a head, or skip such sentences (--on-error skip)"


def annotated(reader: Reader | JsonReader, remedy: str = SKIP_THEM) -> Iterator[Sentence]:
    """The sentences of a reader in which every word has a head.

    What to do with others is the reader's choice (`on_error`): they are broken for those who need trees.
    ``remedy`` is what the error says to do.
    """
    for sentence in reader:
        headless = sentence.heads.tolist().index(-1) + 1 if -1 in sentence.heads else None
        if headless is None:
            yield sentence
            continue
        error = TreebankError(
            sentence.file,
            sentence.line_of(headless),
            None,
            f"word {headless} has no head",
            remedy,
        )
        if not reader.skips:
            raise error
        reader.skipped.append(error)


def _format_by_name(name: str) -> tuple[Format | Literal["auto"], Format]:
    """The format a file name promises, and the one to take where its first sentence fits both."""
    stem = name.lower().removesuffix(".gz").removesuffix(".xz")
    if stem.endswith(".conllu"):
        return "conllu", "conllu"
    if stem.endswith(".conllx"):
        return "conllx", "conllx"
    # Both formats are called .conll in the wild; the first sentence often tells.
    return "auto", "conllx" if stem.endswith(".conll") else "conllu"


def read(
    file: Readable,
    *,
    format: Format | Literal["auto"] = "auto",
    validate: Validate = "tree",
    on_error: OnError = "stop",
) -> Reader:
    """Read a treebank file, plain, .gz or .xz, sentence by sentence.

    Args:
        file: a path, "-" for standard input, bytes, or an open file.
        format: by default told by the file's name and its first sentence.
        validate: what to check. "columns": that lines are well formed (enough for text to be parsed);
            "tree": also that the heads belong to a tree, with any number of roots; "single-root": with one
            root. A head of "_" is unknown and breaks no rule.
        on_error: "stop" raises TreebankError at a broken sentence; "skip" passes it over and notes it in
            the reader's `skipped`.

    Returns:
        An iterator of sentences, with `skipped`, `trailer` and `format`.
    """
    return Reader(file, format, validate, on_error)
