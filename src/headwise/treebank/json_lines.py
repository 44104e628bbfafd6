"""Sentences as JSON, one a line; the schema is in docs/json.md.

Nothing of a CoNLL file is lost but its layout: blank lines, and where among the words a comment stood.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from headwise._native.treebank import Sentence, Token
from headwise.base.errors import HeadwiseError, TreebankError
from headwise.treebank.files import Readable, Writable, name_of, opened_for_writing, read_chunks
from headwise.treebank.reading import OnError, Validate, read

VERSION = 1

_LONGEST_NUMBER = 4000
"""Digits; Python reads no longer ones, for the time that takes."""
_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_RENAMED: dict[str, dict[str, str]] = {"conllu": {}, "conllx": {"deps": "phead", "misc": "pdeprel"}}


class JsonError(HeadwiseError):
    """A JSON document is not a sentence of the schema."""


Numbers = Sequence[float] | npt.NDArray[np.float64]


def sentence_to_json(sentence: Sentence, **numbers: Numbers | None) -> dict[str, Any]:
    """The sentence as a dictionary that `json.dumps` can write.

    Args:
        numbers: for each word a number to be added to it under that name, such as ``confidence``, the
            probability of its arc; None for nothing.
    """
    known = {name: [float(x) for x in column] for name, column in numbers.items() if column is not None}
    for name, column in known.items():
        if len(column) != len(sentence):
            raise ValueError(f"{name} must have one entry for each of the {len(sentence)} words")
    lines: dict[str, list[dict[str, Any]]] = {"words": [], "multiword_tokens": [], "empty_nodes": []}
    for token in sentence.tokens:
        columns = _columns(token, sentence.format)
        if token.is_multiword:
            first, last = token.words
            lines["multiword_tokens"].append({"first": first, "last": last, **columns})
        elif token.is_empty:
            lines["empty_nodes"].append({"id": token.id, **columns})
        else:
            word = {"id": int(token.id), **columns, "head": _head(token.head)}
            word |= {name: column[len(lines["words"])] for name, column in known.items()}
            lines["words"].append(word)
    return {
        "version": VERSION,
        "format": sentence.format,
        "sent_id": sentence.sent_id,
        "text": sentence.text,
        "comments": sentence.comments,
        **lines,
    }


def _columns(token: Token, format: str) -> dict[str, Any]:
    names = _RENAMED[format]
    columns = {names.get(name, name): _filled(getattr(token, name)) for name in _COLUMNS}
    return columns | {"form": token.form}  # a form of "_" may be an underscore


def _filled(field: str) -> str | None:
    return None if field == "_" else field


def _head(field: str) -> int | None:
    if field == "_":
        return None
    digits = field.lstrip("0") or "0"
    if len(digits) > _LONGEST_NUMBER:
        raise JsonError(f"HEAD has {len(digits):,} digits, more than a number in JSON may have")
    return int(digits)


def sentence_from_json(data: Mapping[str, Any]) -> Sentence:
    """The sentence that `sentence_to_json` made this from. Confidence has no place in a sentence.

    Raises:
        JsonError: the version is not known, something is missing, or the columns are not those of a sentence.
    """
    if data.get("version") != VERSION:
        raise JsonError(f"a sentence in JSON should have version {VERSION}, not {data.get('version')!r}")
    try:
        format = data["format"]
        names = _RENAMED[format]
        before: dict[int, list[str]] = {}
        for token in data.get("multiword_tokens", ()):
            line = _line(f"{token['first']}-{token['last']}", token, names)
            before.setdefault(token["first"], []).append(line)
        after: dict[int, list[str]] = {}
        for node in data.get("empty_nodes", ()):
            after.setdefault(int(node["id"].partition(".")[0]), []).append(_line(node["id"], node, names))
        lines = [_comment(line) for line in data.get("comments", ())] + after.get(0, [])
        for word in data["words"]:
            number = word["id"]
            lines += [*before.get(number, []), _line(str(number), word, names), *after.get(number, [])]
        text = "".join(f"{line}\n" for line in [*lines, ""]).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start].encode("unicode-escape").decode()
        raise JsonError(f"half of a character that takes two in JSON: {half}") from error
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise JsonError(f"not a sentence in JSON ({type(error).__name__}: {error})") from error
    try:
        sentence = next(read(text, format=format, validate="columns"), None)
    except TreebankError as error:
        raise JsonError(f"{error.problem}; {error.remedy}") from error
    if sentence is None:
        raise JsonError("the sentence has no words")
    return sentence


def _line(number: str, columns: Mapping[str, Any], names: Mapping[str, str]) -> str:
    fields = (columns.get(names.get(name, name)) for name in _COLUMNS)
    return "\t".join(
        [number, *(_checked("_" if field is None else str(field), "\t\n\r") for field in fields)]
    )


def _comment(line: str) -> str:
    if not line.startswith("#"):
        raise ValueError(f"a comment that does not start with #: {line!r}")
    return _checked(line, "\n\r")


def _checked(field: str, forbidden: str) -> str:
    if any(character in field for character in forbidden):
        raise ValueError(f"a tab or line break in {field!r}")
    return field


class JsonWriter:
    """Sentences on their way into a JSON Lines file; made by `json_writer`."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output

    def write(self, sentence: Sentence, *, confidence: Numbers | None = None) -> None:
        self.write_document(sentence_to_json(sentence, confidence=confidence))

    def write_document(self, document: Mapping[str, Any]) -> None:
        """Write any JSON document on a line of its own."""
        self._output.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        if self._output.isatty():
            self._output.flush()

    def write_trailer(self, trailer: bytes) -> None:
        """Nothing: what follows the last sentence of a CoNLL file belongs to no sentence."""


@contextmanager
def json_writer(file: Writable) -> Iterator[JsonWriter]:
    """Open a path (.gz and .xz compressed), "-" for standard output, or an open binary file for writing."""
    with opened_for_writing(file) as output:
        yield JsonWriter(output)


def write_json(sentences: Iterable[Sentence], file: Writable) -> None:
    """Write sentences as JSON Lines."""
    with json_writer(file) as opened:
        for sentence in sentences:
            opened.write(sentence)


def read_json(file: Readable) -> Iterator[Sentence]:
    """The sentences of a JSON Lines file, plain, .gz or .xz."""
    documents = _Documents(file)
    for document in documents:
        try:
            yield sentence_from_json(document)
        except HeadwiseError as error:
            raise JsonError(f"{name_of(file)}:{documents.line}: {error}") from error


class JsonReader(Iterator[Sentence]):
    """The sentences of a JSON Lines file as a `Reader` gives those of others.

    Probabilities become what `headwise parse --confidence` writes into MISC and comments of CoNLL-U.
    """

    format = None
    """Each sentence has its own."""
    trailer = b""

    def __init__(self, file: Readable, *, validate: Validate = "tree", on_error: OnError = "stop") -> None:
        self.name, self.skips = name_of(file), on_error == "skip"
        self.skipped: list[TreebankError] = []
        self._validate = validate
        self._documents = _Documents(file, self)

    def __next__(self) -> Sentence:
        for document in self._documents:
            try:
                sentence = _with_probabilities(sentence_from_json(document), document)
                # The checks are those of the reader of what it would be in a file.
                next(read(sentence.to_bytes(), format=sentence.format, validate=self._validate))
            except (HeadwiseError, ValueError, TypeError) as error:
                what = error.problem if isinstance(error, TreebankError) else str(error)
                self.fail(what)
                continue
            return sentence
        raise StopIteration

    def fail(self, problem: str) -> None:
        """At the line that was read last."""
        line = self._documents.line
        error = TreebankError(
            self.name, line, None, problem, "correct it, or skip such lines (--on-error skip)"
        )
        if not self.skips:
            raise error
        self.skipped.append(error)


class _Documents(Iterator[dict[str, Any]]):
    """The objects of a JSON Lines file; JsonError where a line is none, or what its reader makes of that."""

    def __init__(self, file: Readable, reader: JsonReader | None = None) -> None:
        self._name, self._reader = name_of(file), reader
        self._lines = _lines(file)
        self.line = 0

    def __next__(self) -> dict[str, Any]:
        for line in self._lines:
            self.line += 1
            try:
                document = json.loads(line)
                if not isinstance(document, dict):
                    raise JsonError("each line is an object of its own")
                return document
            except (ValueError, RecursionError, HeadwiseError) as error:
                if self._reader is None:
                    raise JsonError(f"{self._name}:{self.line}: {error}") from error
                self._reader.fail(str(error))
        raise StopIteration


def _with_probabilities(sentence: Sentence, document: Mapping[str, Any]) -> Sentence:
    from headwise.treebank.probabilities import (
        ENTROPY,
        HEAD,
        LABEL,
        LOG_PROB,
        RANK,
        with_numbers,
        with_values,
    )

    if sentence.format != "conllu":
        return sentence
    keys = {HEAD: "confidence", LABEL: "label_confidence", ENTROPY: "head_entropy"}
    words = document["words"]
    columns = {
        name: np.array([word[key] for word in words], np.float64)
        for name, key in keys.items()
        if all(key in word for word in words)
    }
    log_prob = document.get("log_prob")
    values = {RANK: document.get("rank"), LOG_PROB: None if log_prob is None else f"{log_prob:.4f}"}
    values = {key: value for key, value in values.items() if value is not None}
    return with_values(with_numbers(sentence, columns), values)


def _lines(file: Readable) -> Iterator[bytes]:
    rest = b""
    for chunk in read_chunks(file):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from filter(bytes.strip, lines)
    if rest.strip():
        yield rest
