"""The tokenizer most users touch: train it, load it, split text with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from headwise._native import text as native
from headwise.base.errors import HeadwiseError
from headwise.base.limits import Within
from headwise.components.text.multiwords import MultiwordRules
from headwise.model import Stored, Table, Tensors
from headwise.model.schema import Bits, Field, FieldOrNothing
from headwise.model.stored import Shapes
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.text.settings import TokenizerSettings
    from headwise.learning.loop import Listener

TextInput = Literal["text", "lines", "tokens"]
"""Running text with empty lines between paragraphs; one sentence a line; and its tokens between spaces."""


Context = Literal["first", "words", "characters"]
"""As models of the first version do; words on either side; characters alone, for scripts without spaces."""


class TextError(HeadwiseError):
    """Text that cannot be split."""


LONGEST = 1 << 16
"""Paragraphs are looked at in stretches of so many characters, so that memory stays flat."""
MARGIN = 1 << 8
"""Sentences that begin so near the end of a stretch are looked at again with what follows."""


@dataclass(frozen=True)
class TokenizerConfig:
    """Everything about a tokenizer but its weights; stored in the header of the model file."""

    bits: Bits
    spaces_in_tokens: bool
    """Whether a token may hold a space (French "10 000")."""
    multiwords: dict[str, tuple[Annotated[int, Within(0, 1 << 16)], FieldOrNothing, tuple[Field, ...]]]
    """The rules that split multiword tokens, by ending."""
    addresses: bool = False
    """Whether addresses of the web (https://x.org) are always one token."""
    handles: bool = False
    """Whether e-mail addresses, @names and #tags are."""
    context: Context = "first"
    """What decisions look at."""
    training: dict[str, Any] = field(default_factory=dict)
    """How the model was made."""


class Tokenizer(Stored):
    """A trained splitter of text into sentences, tokens and the words of multiword tokens.

    Examples:
        >>> tokenizer = Tokenizer.train("train.conllu")                     # doctest: +SKIP
        >>> [s.forms for s in tokenizer("I don't know. Do you?")]           # doctest: +SKIP
        [['I', 'do', "n't", 'know', '.'], ['Do', 'you', '?']]
    """

    KIND = "tokenizer"
    CONFIG = TokenizerConfig

    def __init__(self, config: TokenizerConfig, tensors: Tensors) -> None:
        self.config, self._tensors = config, tensors
        self._native = native.Splitter(
            tensors["weights"],
            config.bits,
            config.spaces_in_tokens,
            config.addresses,
            config.handles,
            config.context,
        )
        self._rules = MultiwordRules(config.multiwords)

    @classmethod
    def own_tables(cls, config: TokenizerConfig, shapes: Shapes) -> dict[str, Table]:
        return {"weights": Table.floats(1 << config.bits)}

    @classmethod
    def made_of(cls, config: TokenizerConfig, tensors: Tensors) -> Tokenizer:
        return cls(config, tensors)

    def parts(self) -> tuple[TokenizerConfig, Tensors]:
        return self.config, self._tensors

    @classmethod
    def train(
        cls,
        train: str | Path | Iterable[Sentence],
        *,
        settings: TokenizerSettings | None = None,
        listener: Listener | None = None,
        **options: Any,
    ) -> Tokenizer:
        """Train a tokenizer on a treebank, whose text is put together from its tokens and SpaceAfter=No.

        ``options`` are fields of `headwise.components.text.TokenizerSettings`.
        """
        from headwise.components.text.settings import TokenizerSettings
        from headwise.components.text.train import train_tokenizer

        if settings is not None and options:
            raise TypeError("give either settings or single options, not both")
        return train_tokenizer(train, settings or TokenizerSettings(**options), listener=listener)

    def __call__(self, text: str, *, input: TextInput = "text", offsets: bool = False) -> list[Sentence]:
        """The sentences of a text; arguments as for `pipe`."""
        if not isinstance(text, str):
            raise TypeError(f"a text is a str, not {type(text).__name__}: {text!r:.40}")
        return list(self.pipe(text.splitlines(keepends=True), input=input, offsets=offsets))

    def pipe(
        self, lines: Iterable[str], *, input: TextInput = "text", offsets: bool = False, first: int = 1
    ) -> Iterator[Sentence]:
        """Split a stream of lines (an open file, say), in memory that does not grow with it.

        Args:
            lines: the text, each line with its line break.
            input: what is known already. "text": nothing, but an empty line ends a paragraph; "lines": one
                sentence a line; "tokens": one sentence a line, with spaces between its tokens.
            offsets: note in MISC where each token stands, TokenRange=FIRST:END in characters of the stream.
            first: the number of the first sentence.

        Each sentence has "# text" and SpaceAfter=No as the text has it, and its number as "# sent_id".
        """
        if isinstance(lines, str | bytes):
            raise TypeError("pipe takes lines, such as those of an open file; for a text, call the tokenizer")
        if input not in get_args(TextInput):
            raise ValueError(f"input is {input!r}, must be one of: {', '.join(get_args(TextInput))}")
        if input == "text":
            return self._split_text(lines, offsets, first)
        if input == "lines":
            return self._split_lines(lines, offsets, first)
        return pretokenized(lines, offsets=offsets, first=first)

    def _split_text(self, lines: Iterable[str], offsets: bool, number: int) -> Iterator[Sentence]:
        offset, waiting, is_fresh = 0, "", True

        def split(text: str) -> list[tuple[Sentence, int]]:
            comments = "# newpar\n" if is_fresh else ""
            check_characters(text, offset)
            return self._native.paragraph(text, self._rules.words, True, offsets, offset, comments, number)

        for line in _and_empty_line(lines):
            if begins_item(line, waiting):
                found = split(waiting)
                yield from (sentence for sentence, _ in found)
                number, offset = number + len(found), offset + len(waiting)
                waiting, is_fresh = "", True
            if line.strip():
                waiting += line
            while len(waiting) > LONGEST:
                found = split(waiting[:LONGEST])
                end = max((begin for _, begin in found[1:] if begin <= LONGEST - MARGIN), default=LONGEST)
                done = [sentence for sentence, begin in found if begin < end]
                yield from done
                number, offset, waiting = number + len(done), offset + end, waiting[end:]
                is_fresh = is_fresh and not done
            if not line.strip():
                found = split(waiting)
                yield from (sentence for sentence, _ in found)
                number, offset = number + len(found), offset + len(waiting) + len(line)
                waiting, is_fresh = "", True

    def _split_lines(self, lines: Iterable[str], offsets: bool, number: int) -> Iterator[Sentence]:
        offset = 0
        for line in lines:
            check_characters(line, offset)
            for sentence, _ in self._native.paragraph(
                line, self._rules.words, False, offsets, offset, "", number
            ):
                yield sentence
                number += 1
            offset += len(line)


def check_characters(text: str, offset: int) -> None:
    """TextError where CoNLL-U could not hold the text: at a NUL, or at half of a surrogate pair."""
    try:
        text.encode()
        position, what = text.find("\0"), "a NUL character"
    except UnicodeEncodeError as error:
        position, what = error.start, "a byte or character that is not Unicode"
    if position >= 0:
        raise TextError(
            f"character {offset + position + 1:,} of the text is {what}. Remove it, or convert the text."
        )


_ITEM = re.compile(r"\s*(?:[-–*+•◦‣▪·]|\(?\d{1,2}[.)]|\(?(?:[^\W\d_]|[ivx]{1,5}|[IVX]{1,5})\))\s+\S")
_LATER_LETTER = re.compile(r"\s*\(?(?![ai]\))[a-z]+\)", re.IGNORECASE)
"""Of an item behind others: "(s)" and "x)" alone begin none."""
_BEFORE_A_LIST = (".", "!", "?", ":", ";", "…")


def begins_item(line: str, paragraph: str) -> bool:
    """Whether a line is an item of a list, and so a paragraph: behind another item, or where a sentence ends.

    A dash or number at the beginning of a line may as well stand within a sentence.
    """
    if not paragraph.endswith(("\n", "\r")) or not _ITEM.match(line):
        return False
    if _ITEM.match(paragraph):
        return True
    return paragraph.rstrip().endswith(_BEFORE_A_LIST) and not _LATER_LETTER.match(line)


def _and_empty_line(lines: Iterable[str]) -> Iterator[str]:
    yield from lines
    yield ""  # ends the last paragraph


def pretokenized(lines: Iterable[str], *, offsets: bool = False, first: int = 1) -> Iterator[Sentence]:
    """Sentences from lines whose tokens stand between spaces: exactly these tokens, no model needed."""
    number, line_start = first, 0
    for line in lines:
        check_characters(line, line_start)
        forms = line.split()
        if forms:
            misc, at = [], 0
            for form in forms:
                at = line.index(form, at)
                misc.append(f"TokenRange={line_start + at}:{line_start + at + len(form)}" if offsets else "_")
                at += len(form)
            comments = [f"# sent_id = {number}", f"# text = {' '.join(forms)}"]
            yield Sentence.from_words(forms, misc=misc, comments=comments)
            number += 1
        line_start += len(line)
