"""Which encoding a text that is not UTF-8 may have: a guess, for messages only."""

from __future__ import annotations

import codecs
import unicodedata

_ASIAN = ("gb18030", "shift_jis", "euc-kr", "big5", "euc-jp")
_OTHERS = ("windows-1251", "windows-1253")
_COMMON = ((0x4E00, 0x9FA5), (0x3000, 0x30FF), (0xAC00, 0xD7A3), (0xFF00, 0xFFEF))
_MARKED = {
    (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE): "utf-32",
    (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE): "utf-16",
}
"""Encodings whose files begin with a mark; that of UTF-32 begins as that of UTF-16 does."""
_ENOUGH = 0.9
"""The share of the characters beyond ASCII that must be letters, or punctuation of the script."""
_LOOKED_AT = 1 << 16


def problem_with(data: bytes, reason: str) -> tuple[str, str]:
    """What is wrong with a text that is not UTF-8, and what to do with it."""
    for marks, name in _MARKED.items():
        if data.startswith(marks):
            return f"the file is {name.upper()} text", f"convert it to UTF-8: iconv -f {name} -t utf-8"
    return f"the text is not UTF-8 ({reason})", remedy_for(data)


def remedy_for(data: bytes) -> str:
    """What to do with a text that is not UTF-8."""
    likely = likely_encodings(data)
    names = " or ".join(", ".join(likely).rsplit(", ", 1))
    guess = f"; ENCODING may be {names}" if likely else ", with the encoding that it was written in"
    return f"convert it to UTF-8 (iconv -f ENCODING -t utf-8){guess}"


def likely_encodings(data: bytes) -> list[str]:
    """The encodings in which the text looks like one, the most common first.

    Text of a script that takes two bytes a character, or has no letters in ASCII, has many bytes beyond ASCII
    in a row; text in a Latin script has such bytes one by one, between ASCII letters.
    """
    start = data[:_LOOKED_AT]
    high = sum(byte >= 0x80 for byte in start)
    rows = sum(a < 0x80 <= b for a, b in zip(b"\0" + start, start, strict=False))
    if high < 1.5 * rows:
        return ["latin1"]
    return [name for name in (*_ASIAN, *_OTHERS) if _fits(start, name, high)]


def _fits(data: bytes, encoding: str, high: int) -> bool:
    text = data.decode(encoding, errors="ignore")
    strange = [character for character in text if character >= "\x80"]
    lost = high - sum(len(character.encode(encoding, errors="ignore")) for character in strange)
    usual = sum(_is_usual(character, encoding in _ASIAN) for character in strange)
    return bool(strange) and usual >= _ENOUGH * len(strange) and lost <= (1 - _ENOUGH) * high


def _is_usual(character: str, asian: bool) -> bool:
    """A letter, or punctuation; of Asian scripts common ideographs, kana, Hangul and their punctuation."""
    if not asian:
        return unicodedata.category(character)[0] in "LP"
    return any(first <= ord(character) <= last for first, last in _COMMON)
