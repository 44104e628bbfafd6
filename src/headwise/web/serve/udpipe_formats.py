"""UDPipe's formats of input and output: CoNLL-U, a sentence or a word a line, and running text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from headwise.components.text.raw_text import surface_tokens
from headwise.components.text.tokenizer import TextInput, check_characters
from headwise.pipeline.pipeline import Pipeline
from headwise.treebank import Sentence, read

_NO_BREAK_SPACE = "\u00a0"
NEW_PARAGRAPH = "# newpar"


class UnknownFormatError(ValueError):
    """A format that is not offered."""


def read_text(pipeline: Pipeline, text: str, options: str) -> Iterator[Sentence]:
    """Sentences of running text; with the tokenizer's options, between semicolons, as UDPipe has them."""
    chosen = {option.partition("=")[0].strip() for option in options.split(";")}
    lines = iter(text.splitlines(keepends=True))
    input: TextInput = "lines" if "presegmented" in chosen else "text"
    return pipeline.tokenizer.pipe(lines, input=input, offsets="ranges" in chosen)


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
        forms = [word.replace(_NO_BREAK_SPACE, " ") for word in words]
        yield Sentence.from_words(forms, comments=[f"# sent_id = {number}"])


def writer(format: str) -> Callable[[Sentence], str]:
    """What writes a sentence in a format."""
    try:
        return _WRITERS[format.partition("=")[0]]
    except KeyError:
        raise UnknownFormatError(format) from None


def _conllu(sentence: Sentence) -> str:
    return str(sentence)


def _horizontal(sentence: Sentence) -> str:
    return " ".join(form.replace(" ", _NO_BREAK_SPACE) for form in sentence.forms) + "\n"


def _vertical(sentence: Sentence) -> str:
    return "".join(form + "\n" for form in sentence.forms) + "\n"


def _plaintext(sentence: Sentence) -> str:
    """A sentence as it stood in the text; paragraphs have empty lines between them."""
    is_new = any(line.startswith(NEW_PARAGRAPH) for line in sentence.comments)
    text = sentence.text or " ".join(token.form for token in surface_tokens(sentence))
    return ("\n" if is_new and sentence.sent_id != "1" else "") + text + "\n"


_WRITERS = {
    "conllu": _conllu,
    "horizontal": _horizontal,
    "vertical": _vertical,
    "plaintext": _plaintext,
}
