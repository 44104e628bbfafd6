"""Where in a document a sentence stands, found by its text."""

from __future__ import annotations

import re

_SPACE = re.compile(r"\s*")


class Placer:
    """Finds the sentences of a text, given in order, with a space for all white space."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def place(self, sentence: str) -> tuple[int, int]:
        """The first character of a sentence, and the end of its last. O(its length)."""
        begin = end = self._skip_space(self._at)
        if self._text.startswith(sentence, begin):
            end = begin + len(sentence)
        else:
            for piece in sentence.split():
                found = self._text.find(piece, end)
                if found < 0:
                    break
                end = found + len(piece)
        self._at = end
        return begin, end

    def _skip_space(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        assert match is not None
        return match.end()
