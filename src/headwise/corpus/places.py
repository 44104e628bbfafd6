"""Where in a document a sentence stands, found by its text."""

from __future__ import annotations

import re

_SPACE = re.compile(r"[^\S\x1c-\x1f]*")
"""White space as Unicode defines it; Python adds four separators, which can be tokens."""


class Placer:
    """Finds the sentences of a text, given in order, with a space for all white space."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def place(self, sentence: str) -> tuple[int, int]:
        """The first character of a sentence, and the end of its last. O(its length)."""
        space = _SPACE.match(self._text, self._at)
        assert space is not None
        begin = end = space.end()
        if self._text.startswith(sentence, begin):
            end += len(sentence)
        else:
            for number, piece in enumerate(sentence.split(" ")):
                found = self._text.find(piece, end)
                if found < 0:
                    break
                if number == 0:
                    begin = found
                end = found + len(piece)
        self._at = end
        return begin, end
