"""Cuts depend on the content alone, and lose nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.corpus import cutting
from headwise.corpus.cutting import cut_records, cut_text

TEXTS = st.lists(
    st.sampled_from(
        [b"\n", b"\n\n", b"\r\n", b"word ", b"\t", "дом".encode(), "猫👩‍👩‍👧".encode(), b"x" * 9]
    ),
    max_size=60,
).map(b"".join)


def chunked(data: bytes, size: int) -> Iterator[bytes]:
    return (data[i : i + size] for i in range(0, len(data), size))


@given(TEXTS, st.integers(5, 40), st.integers(1, 50), st.booleans())
@settings(max_examples=400, deadline=None)
def test_pieces_of_text(data: bytes, size: int, chunk: int, paragraph_a_line: bool) -> None:
    pieces = list(cut_text(chunked(data, chunk), size, paragraph_a_line=paragraph_a_line))
    assert b"".join(piece.data for piece in pieces) == data
    assert pieces == list(cut_text([data], size, paragraph_a_line=paragraph_a_line))  # however it arrives
    assert all(0 < len(piece.data) <= size for piece in pieces)
    for piece in pieces:
        piece.data.decode()  # no character is cut
    for before, after in pairwise(pieces):
        ends = (b"\n",) if paragraph_a_line else (b"\n\n", b"\n\r\n")
        assert after.continues != before.data.endswith(ends)
        if not after.data.startswith((b"\n", b"\r\n")) and after.continues:  # no better border was there
            assert not any(end in before.data for end in ends)


@given(TEXTS, st.integers(5, 40), st.integers(1, 50), st.booleans())
@settings(max_examples=400, deadline=None)
def test_records_are_never_cut(data: bytes, size: int, chunk: int, by_empty_line: bool) -> None:
    pieces = list(cut_records(chunked(data, chunk), size, by_empty_line=by_empty_line))
    assert b"".join(piece.data for piece in pieces) == data
    assert pieces == list(cut_records([data], size, by_empty_line=by_empty_line))
    ends = (b"\n\n", b"\n\r\n") if by_empty_line else (b"\n",)
    for piece in pieces[:-1]:
        assert piece.data.endswith(ends)
        if len(piece.data) > size:  # a long record stands alone
            assert min(piece.data.find(end) + len(end) for end in ends if end in piece.data) == len(
                piece.data
            )


def test_a_paragraph_border_is_chosen_before_others() -> None:
    (first, second) = cut_text([b"one two\n\nthree\nfour five\n"], 20, paragraph_a_line=False)
    assert (first.data, second.data, second.continues) == (b"one two\n\n", b"three\nfour five\n", False)
    (first, second) = cut_text([b"one two three\nfour five\n"], 20, paragraph_a_line=False)
    assert (first.data, second.continues) == (b"one two three\n", True)


@pytest.mark.parametrize("by_empty_line", [False, True])
@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_a_record_that_is_too_long_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, chunk: int, by_empty_line: bool
) -> None:
    monkeypatch.setattr(cutting, "LONGEST_RECORD", 30)
    end = b"\n\n" if by_empty_line else b"\n"
    data = b"short" + end + b"x" * 100 + end + b"y" * 25 + end + b"z" * 40
    pieces = list(cut_records(chunked(data, chunk), 10, by_empty_line=by_empty_line))
    kept = [piece.data for piece in pieces if piece.data]
    assert kept == [b"short" + end, b"y" * 25 + end]
    assert [piece.too_long for piece in pieces if piece.too_long] == [100 + len(end), 40]
    assert sum(piece.lines for piece in pieces) == data.count(b"\n")


def test_memory_stays_flat_in_a_line_without_end() -> None:
    held = 0

    def line() -> Iterator[bytes]:
        for _ in range(300):
            yield b"word " * 2000

    for piece in cut_text(line(), 50_000, paragraph_a_line=False):
        held = max(held, len(piece.data))
    assert held <= 50_000
