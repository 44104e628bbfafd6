"""The pieces that a pattern is written in, whatever its language."""

from __future__ import annotations

import re

from headwise.patterns.errors import PatternError

Token = tuple[str, str, int]
"""Its kind, its text, and where it begins."""


def tokens_of(text: str, token: re.Pattern[str], otherwise: str) -> list[Token]:
    """What stands in a text one after the other: the groups of ``token`` are kinds, and spaces have none.

    ``otherwise`` says what a character is that begins no token.
    """
    found, at = list[Token](), 0
    while at < len(text):
        one = token.match(text, at)
        if one is None:
            raise PatternError.at(text, at, f"has {text[at]!r}, which {otherwise}")
        if one.lastgroup:
            found.append((one.lastgroup, one.group(), at))
        at = one.end()
    return found
