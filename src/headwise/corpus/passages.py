"""What a worker parses: passages of text or of a treebank, each of which can fail on its own."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from headwise.base.errors import HeadwiseError, TreebankError
from headwise.components.text import Tokenizer, pretokenized
from headwise.components.text.tokenizer import TextInput, check_characters
from headwise.corpus.options import CorpusOptions, TextLayout
from headwise.corpus.places import Placer
from headwise.corpus.spans import Span
from headwise.treebank import Sentence, read
from headwise.treebank.parquet.columns import Place

_PARAGRAPH = re.compile(r".*?(?:\n[^\S\n]*\n\s*|\Z)", re.DOTALL)
_PARAGRAPH_BYTES = re.compile(rb".*?(?:\n[ \t\r]*\n|\Z)", re.DOTALL)
_TOKEN_RANGE = re.compile(rb"([\t|])TokenRange=(\d+):(\d+)\n")
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_LINE_BYTES = re.compile(rb"[^\n]*(?:\n|\Z)")


@dataclass(frozen=True)
class Failure:
    """A passage that was set aside, and why."""

    id: str
    file: str
    line: int
    size: int
    error: str
    text: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "file": self.file,
            "line": self.line,
            "bytes": self.size,
            "error": self.error,
            "text": self.text,
        }


@dataclass(frozen=True)
class TextPassage:
    """Running text of one document: all of it, or some paragraphs."""

    document: str
    text: str
    file: str
    line: int
    character: int
    continues: bool
    is_first: bool
    """Whether it begins the document."""
    is_whole: bool
    """Whether it fails or succeeds as a whole, being a document of its own among others in a file."""
    size: int

    def sentences(
        self, tokenizer: Tokenizer | None, options: CorpusOptions
    ) -> Iterator[tuple[Sentence, Place]]:
        """Its sentences, each with its place in the document, which makes its id as well."""
        placer = Placer(self.text)
        is_first = True
        for sentence in _tokenized(tokenizer, self._lines(options.layout), options):
            begin, end = (self.character + at for at in placer.place(sentence.text or ""))
            comments = [f"# newdoc id = {self.document}"] if is_first and self.is_first else []
            if "# newpar" in sentence.comments and not (is_first and self.continues):
                comments.append("# newpar")
            comments += [f"# sent_id = {self.document}:{begin}", f"# text = {sentence.text}"]
            if options.offsets and self.character:
                sentence = _shifted(sentence, self.character)
            yield sentence.with_comments(comments), Place(self.document, begin, end)
            is_first = False

    def _lines(self, layout: TextLayout) -> Iterator[str]:
        for match in _LINE.finditer(self.text):
            yield match[0]
            if layout == "paragraphs" and match[0].strip():
                yield ""  # ends a paragraph, and takes no place

    def smaller(self, layout: TextLayout) -> list[TextPassage]:
        """Its paragraphs, or itself where it is to fail as a whole."""
        if self.is_whole:
            return [self]
        passages: list[TextPassage] = []
        line, character = self.line, self.character
        for match in (_PARAGRAPH if layout == "text" else _LINE).finditer(self.text):
            text, at_start = match[0], match.start() == 0
            if text.strip():
                passages.append(
                    replace(
                        self,
                        text=text,
                        line=line,
                        character=character,
                        continues=self.continues and at_start,
                        is_first=self.is_first and not passages,
                        is_whole=True,
                        size=len(text.encode(errors="surrogatepass")),
                    )
                )
            line, character = line + text.count("\n"), character + len(text)
        return passages

    def failure(self, error: Exception) -> Failure:
        text = self.text.encode(errors="backslashreplace").decode()
        return Failure(self.document, self.file, self.line, self.size, _explained(error), text)


def _shifted(sentence: Sentence, by: int) -> Sentence:
    """The sentence with positions counted from the beginning of its document, not of its passage."""

    def moved(match: re.Match[bytes]) -> bytes:
        return b"%sTokenRange=%d:%d\n" % (match[1], int(match[2]) + by, int(match[3]) + by)

    return next(read(_TOKEN_RANGE.sub(moved, sentence.to_bytes()), format="conllu", validate="columns"))


def _tokenized(
    tokenizer: Tokenizer | None, lines: Iterator[str], options: CorpusOptions
) -> Iterator[Sentence]:
    if options.layout == "tokens":
        return pretokenized(lines, offsets=options.offsets)
    assert tokenizer is not None
    given = "text" if options.layout == "paragraphs" else options.layout
    return tokenizer.pipe(lines, input=cast(TextInput, given), offsets=options.offsets)


@dataclass(frozen=True)
class TreebankPassage:
    """Sentences of a treebank that are well formed."""

    document: str
    given: tuple[Sentence, ...]
    file: str
    line: int

    def sentences(
        self, tokenizer: Tokenizer | None, options: CorpusOptions
    ) -> Iterator[tuple[Sentence, Place]]:
        document = self.document
        for sentence in self.given:
            document = sentence.comment("newdoc id") or document
            yield sentence.to_conllu(), Place(document)

    def smaller(self, layout: TextLayout) -> list[TreebankPassage]:
        document, passages = self.document, []
        for sentence in self.given:
            document = sentence.comment("newdoc id") or document
            passages.append(TreebankPassage(document, (sentence,), self.file, self.line))
        return passages

    def failure(self, error: Exception) -> Failure:
        sentence = self.given[0]
        data = sentence.to_bytes()
        line = self.line + sentence.line - 1
        return Failure(
            self.document, self.file, line, len(data), _explained(error), data.decode(errors="replace")
        )


Passage = TextPassage | TreebankPassage


def _explained(error: Exception) -> str:
    return str(error) if isinstance(error, HeadwiseError) else f"{type(error).__name__}: {error}"


def passages_of(span: Span, options: CorpusOptions) -> Iterator[Passage | Failure]:
    """What a span holds, and what is no text in it."""
    if span.problem:
        yield Failure(span.document, span.file, span.line, span.lost, span.problem)
    elif span.kind == "text":
        yield from _text(span, options)
    elif span.kind == "json":
        yield from _documents(span, options)
    else:
        yield from _treebank(span)


def _text(span: Span, options: CorpusOptions) -> Iterator[Passage | Failure]:
    """All of the span as one passage; where some of it is no text, its good paragraphs and its bad ones."""
    try:
        text = span.data.decode()
        check_characters(text, 0)
        yield _passage(span, text, span.line, span.character, is_whole=False)
        return
    except (UnicodeDecodeError, HeadwiseError):
        pass
    line, character, nothing_yet = span.line, span.character, True
    by = _PARAGRAPH_BYTES if options.layout == "text" else _LINE_BYTES
    for match in by.finditer(span.data):
        data, problem = match[0], ""
        try:
            text = data.decode()
            check_characters(text, 0)
        except UnicodeDecodeError as error:
            at_line = line + data.count(b"\n", 0, error.start)
            problem = f"line {at_line}: the text is not UTF-8 ({error.reason}); convert it, with iconv say"
            text = data.decode(errors="replace")
        except HeadwiseError as error:
            problem = str(error)
        if problem:
            shown = data.decode(errors="backslashreplace")
            yield Failure(span.document, span.file, line, len(data), problem, shown)
        elif text.strip():
            passage = _passage(span, text, line, character, is_whole=False)
            at_start = match.start() == 0
            yield replace(
                passage,
                continues=passage.continues and at_start,
                is_first=passage.is_first and nothing_yet,
                size=len(data),
            )
            nothing_yet = False
        line, character = line + data.count(b"\n"), character + len(text)


def _passage(span: Span, text: str, line: int, character: int, *, is_whole: bool) -> TextPassage:
    return TextPassage(
        span.document,
        text,
        span.file,
        line,
        character,
        span.continues,
        span.is_first,
        is_whole,
        len(span.data),
    )


def _documents(span: Span, options: CorpusOptions) -> Iterator[Passage | Failure]:
    for number, line in enumerate(span.data.split(b"\n"), span.line):
        if not line.strip():
            continue
        document = f"{span.document}:{number}"
        try:
            data = json.loads(line)
            text = data[options.text_field]
            if not isinstance(text, str):
                raise HeadwiseError(
                    f"its field {options.text_field!r} is {type(text).__name__}, not a string"
                )
            check_characters(text, 0)
        except (ValueError, KeyError, TypeError, RecursionError, HeadwiseError) as error:
            problem = _json_problem(error, options)
            yield Failure(
                document, span.file, number, len(line), problem, line.decode(errors="backslashreplace")
            )
            continue
        given = data.get(options.id_field)
        if isinstance(given, str | int):
            document = _one_line(str(given)) or document
        yield TextPassage(document, text, span.file, number, 0, False, True, True, len(line))


def _json_problem(error: Exception, options: CorpusOptions) -> str:
    if isinstance(error, KeyError):
        return f"it has no field {options.text_field!r}; name the field that holds the text with --text-field"
    if isinstance(error, HeadwiseError):
        return str(error)
    return f"not a JSON object ({error})"


def _one_line(text: str) -> str:
    """An id that a comment can hold."""
    return " ".join(text.encode(errors="backslashreplace").decode().replace("\0", "").split())


def _treebank(span: Span) -> Iterator[Passage | Failure]:
    data = io.BytesIO(span.data)
    data.name = span.file  # which tells the format, and is in messages
    reader = read(data, validate="columns", on_error="skip")
    sentences = tuple(reader)
    for error in reader.skipped:
        yield _broken(error, span)
    if sentences:
        yield TreebankPassage(span.document, sentences, span.file, span.line)


def _broken(error: TreebankError, span: Span) -> Failure:
    line = span.line + (error.line or 1) - 1
    lines = span.data.split(b"\n")
    begin = end = (error.line or 1) - 1
    while begin > 0 and lines[begin - 1].strip():
        begin -= 1
    while end < len(lines) and lines[end].strip():
        end += 1
    data = b"\n".join(lines[begin:end])
    problem = f"{error.problem}; {error.remedy}"
    return Failure(span.document, span.file, line, len(data), problem, data.decode(errors="backslashreplace"))
