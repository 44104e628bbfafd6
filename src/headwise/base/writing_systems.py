"""What drawings need to know about text: how wide it is, which way it runs, what must not be printed."""

from __future__ import annotations

import unicodedata

LEFT_TO_RIGHT_MARK = "\u200e"

_REPLACEMENT = "\ufffd"
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_NARROW = frozenset("fijlrtI.,:;!|'`()[]{}-’‘·،؛")
_BROAD = frozenset("mwMW@%&—…")


def printable(text: str) -> str:
    """The text without characters that would steer a terminal, break XML, or turn a line around.

    Control characters become their pictures (␛ for escape), the rest the replacement character.
    """
    return "".join(map(_printable, text))


def _printable(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if (
        unicodedata.category(character) in ("Cc", "Cs")
        or character in _BIDI_CONTROLS
        or code & 0xFFFE == 0xFFFE
    ):
        return _REPLACEMENT
    return character


def terminal_width(text: str) -> int:
    """The columns it takes in a terminal: two for an ideograph, none for a combining accent."""
    from rich.cells import cell_len  # only what is drawn needs it

    return cell_len(text)


def em_width(text: str) -> float:
    """Its width in ems in a common sans-serif font: an estimate that errs on the wide side."""
    return sum(map(_em_width, text))


def _em_width(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in _NARROW:
        return 0.38
    if character in _BROAD:
        return 0.92
    return 0.7 if character.isupper() else 0.61


def is_right_to_left(text: str) -> bool:
    """Whether most of its letters that have a direction run from right to left."""
    directions = [unicodedata.bidirectional(character) for character in text]
    backward = sum(direction in ("R", "AL") for direction in directions)
    return backward > directions.count("L")


def has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
