"""Cut a stream of bytes into pieces of at most a given size, at places that depend on its content alone.

Each cut is made by looking at the next ``size`` bytes after the one before, however they arrive. Memory stays
at a piece and a chunk, whatever the stream: a line of a gigabyte is cut between words, or else between
characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

LONGEST_RECORD = 64_000_000
"""Bytes of a JSON document or of a sentence in CoNLL-U; they cannot be cut, and must fit into memory."""


@dataclass(frozen=True)
class Piece:
    data: bytes
    continues: bool = False
    """Whether it begins inside a paragraph."""
    too_long: int = 0
    """Bytes of a record that was longer than `LONGEST_RECORD`, and is passed over."""
    lines_passed: int = 0

    @property
    def lines(self) -> int:
        """How many lines end in it."""
        return self.lines_passed or self.data.count(b"\n")


def _after_last(data: bytearray, mark: bytes, end: int) -> int:
    """The place after the last mark that ends by ``end``; 0 where there is none."""
    found = data.rfind(mark, 0, end)
    return 0 if found < 0 else found + len(mark)


def _paragraph_border(data: bytearray, end: int) -> int:
    return max(_after_last(data, b"\n\n", end), _after_last(data, b"\n\r\n", end))


def _line_border(data: bytearray, end: int) -> int:
    return _after_last(data, b"\n", end)


def _word_border(data: bytearray, end: int) -> int:
    return max(_after_last(data, b" ", end), _after_last(data, b"\t", end))


def _character_border(data: bytearray, end: int) -> int:
    """The last place where no character of UTF-8 is split; these have four bytes at most."""
    for place in range(end, max(0, end - 4), -1):
        if data[place] & 0xC0 != 0x80:
            return place
    return end  # this is not UTF-8, and will be noticed as such


_BY_PARAGRAPH = (_paragraph_border, _line_border, _word_border, _character_border)
_BY_LINE = (_line_border, _word_border, _character_border)


def cut_text(chunks: Iterable[bytes], size: int, *, paragraph_a_line: bool) -> Iterator[Piece]:
    """Cut running text: between paragraphs where possible, else between lines, words or characters."""
    borders = _BY_LINE if paragraph_a_line else _BY_PARAGRAPH
    waiting, continues = bytearray(), False
    for chunk in chunks:
        waiting += chunk
        while len(waiting) > size:
            place, border = next((found, b) for b in borders if (found := b(waiting, size)))
            yield Piece(bytes(waiting[:place]), continues)
            del waiting[:place]
            continues = border is not borders[0]
    if waiting:
        yield Piece(bytes(waiting), continues)


def cut_records(chunks: Iterable[bytes], size: int, *, by_empty_line: bool) -> Iterator[Piece]:
    """Cut between lines (of JSON), or at empty lines (of CoNLL-U), and nowhere else.

    A record longer than a piece makes a piece of its own; one of more than `LONGEST_RECORD` is passed over.
    """
    border: Callable[[bytearray, int], int] = _paragraph_border if by_empty_line else _line_border
    marks = (b"\n\n", b"\n\r\n") if by_empty_line else (b"\n",)
    waiting, searched, dropped, lines = bytearray(), 0, 0, 0
    for chunk in chunks:
        waiting += chunk
        while len(waiting) > size or dropped:
            place = 0 if dropped else border(waiting, size)
            if not place:  # the first record is longer than a piece; where does it end?
                begin = max(0, searched - 2)
                ends = [at + len(mark) for mark in marks if (at := waiting.find(mark, begin)) >= 0]
                place, searched = min(ends, default=0), len(waiting)
            if not place:
                if dropped or len(waiting) > LONGEST_RECORD:
                    kept = 2 if by_empty_line else 0  # half of the border may be here already
                    gone = len(waiting) - kept
                    dropped, lines = dropped + gone, lines + waiting.count(b"\n", 0, gone)
                    del waiting[:gone]
                    searched = 0
                break
            if dropped or place > LONGEST_RECORD:
                passed = lines + waiting.count(b"\n", 0, place)
                yield Piece(b"", too_long=dropped + place, lines_passed=passed)
            else:
                yield Piece(bytes(waiting[:place]))
            del waiting[:place]
            searched = dropped = lines = 0
    if dropped or len(waiting) > LONGEST_RECORD:
        passed = lines + waiting.count(b"\n")
        yield Piece(b"", too_long=dropped + len(waiting), lines_passed=passed)
    elif waiting:
        yield Piece(bytes(waiting))
