"""UDPipe's formats of input and output: CoNLL-U, a sentence or a word a line, and running text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from itertools import groupby

from headwise.base.errors import HeadwiseError
from headwise.components.parser.parse import Parse
from headwise.components.text.tokenizer import TextInput, Tokenizer, check_characters
from headwise.pipeline.formats.registry import Format, format_by_name
from headwise.pipeline.formats.words import NO_BREAK_SPACE
from headwise.treebank import Sentence, read


class UnknownFormatError(ValueError):
    """A format that is not offered."""


def read_text(tokenizer: Tokenizer, text: str, options: str) -> Iterator[Sentence]:
    """Sentences of running text; with the tokenizer's options, between semicolons, as UDPipe has them."""
    chosen = {option.partition("=")[0].strip() for option in options.split(";")}
    lines = iter(text.splitlines(keepends=True))
    input: TextInput = "lines" if "presegmented" in chosen else "text"
    return tokenizer.pipe(lines, input=input, offsets="ranges" in chosen)


def read_words(text: str, format: str) -> Iterator[Sentence]:
    """Sentences whose words are known."""
    name = format.partition("=")[0]
    if name == "conllu":
        return iter(read(text.encode(), format="conllu", validate="columns"))
    check_characters(text, 0)
    if name == "horizontal":
        return _sentences(line.split() for line in text.splitlines())
    if name == "vertical":
        return _sentences(_groups(text))
    raise UnknownFormatError(format)


def _groups(text: str) -> Iterator[list[str]]:
    lines = (line.partition("\t")[0].strip() for line in text.splitlines())
    for is_word, group in groupby(lines, bool):
        if is_word:
            yield list(group)


def _sentences(lists: Iterator[list[str]]) -> Iterator[Sentence]:
    filled = filter(None, lists)
    for number, words in enumerate(filled, 1):
        forms = [word.replace(NO_BREAK_SPACE, " ") for word in words]
        yield Sentence.from_words(forms, comments=[f"# sent_id = {number}"])


def format_of(name: str) -> Format:
    """The format of an answer: any that is text."""
    try:
        format = format_by_name(name.partition("=")[0])
    except HeadwiseError as error:
        raise UnknownFormatError(name) from error
    if not format.is_text or format.is_single:
        raise UnknownFormatError(name)
    return format


class Answer:
    """Sentences in a format, inside a string of JSON. It may become long, so nothing else is kept."""

    def __init__(self, format: Format, start: bytes) -> None:
        self.content = bytearray(start)
        self._output = BytesIO()
        self._file = format.start(self._output)

    def add(self, parse: Parse, *, is_parsed: bool) -> None:
        if is_parsed:
            self._file.write_parse(parse)
        else:
            self._file.write(parse.sentence)
        self._take()

    def end(self, end: bytes) -> memoryview:
        self._file.close()
        self._take()
        self.content += end
        return memoryview(self.content)

    def _take(self) -> None:
        written = self._output.getvalue()
        self._output.seek(0)
        self._output.truncate()
        self.content += json.dumps(written.decode(), ensure_ascii=False)[1:-1].encode()
